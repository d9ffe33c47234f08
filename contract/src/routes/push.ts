// Web push: notifications on a member's browser about its tickets, also while the page is closed.

import * as z from 'zod/mini'
import * as calls from '../calls/push.ts'
import { defineRoute } from '../route.ts'

/** The push services of Chromium, Firefox, Safari and Edge. The server posts to no other host that a browser names. */
const HOSTS = String.raw`fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|[a-z0-9-]+\.(push\.apple|notify\.windows)\.com`

const endpoint = z.string().check(z.maxLength(1_000), z.regex(new RegExp(`^https://(${HOSTS})/[!-~]+$`)))

export const pushSubscription = z.strictObject({
  endpoint,
  /** The browser's keys as `PushSubscription.toJSON` gives them: an uncompressed point of P-256, and 16 bytes. */
  keys: z.strictObject({
    p256dh: z.string().check(z.regex(/^B[A-Za-z0-9_-]{86}$/)),
    auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  }),
  /** Of the notifications. */
  language: z.enum(['th', 'en']),
})
export type PushSubscriptionBody = z.output<typeof pushSubscription>

export const getPushKey = defineRoute({
  ...calls.getPushKey,
  access: 'member',
  is_keep_alive: true,
  summary: "The house's public key, by which a browser recognises its pushes; null if the house sends none",
  reply: z.strictObject({ public_key: z.nullable(z.string()) }),
})

export const subscribePush = defineRoute({
  ...calls.subscribePush,
  access: 'member',
  is_keep_alive: true,
  summary:
    'Has the results of own tickets and tickets that wait for confirmation pushed to this browser, until its log-out. Repeated by the browser at each visit',
  body: pushSubscription,
  reply: z.null(),
})

export const unsubscribePush = defineRoute({
  ...calls.unsubscribePush,
  access: 'member',
  summary: 'Sends nothing more to this browser',
  body: z.strictObject({ endpoint }),
  reply: z.null(),
})
