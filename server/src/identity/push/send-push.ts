// Sends a queued push, unless its subject has changed since. What it says is read when it is sent: the market and the
// kind of news, no amount and no name.

import { createHash } from 'node:crypto'
import { CONFIRM_WAIT_MS } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import type { PushMessage, SendPush } from '../../lib/web-push.ts'
import type { PushCause } from './queue-push.ts'
import { type PushWords, pushWords } from './push-words.ts'
import { removeSubscriptionById } from './subscriptions.store.ts'

export type QueuedPush = PushCause & { subscription_id: number }

/** What the service worker shows: `web/service-worker`. */
interface Notification {
  /** A later notification with the same tag replaces this one. */
  tag: string
  title: string
  body: string
  language: 'th' | 'en'
  /** The page that a click opens. */
  path: string
}

/** A result is still news to a phone that was off for a day. */
const RESULT_TTL_S = 86_400

/**
 * @param queuedAt by the database's clock
 * @throws Error if the push service may accept it later
 */
export async function sendPush(db: Db, send: SendPush, push: QueuedPush, queuedAt: Date): Promise<void> {
  const due = await findDue(db, push, queuedAt)
  if (!due) return
  const outcome = await send(due, toMessage(push, due))
  if (outcome === 'gone') await removeSubscriptionById(db, push.subscription_id)
}

interface DuePush {
  endpoint: string
  p256dh: string
  auth: string
  language: 'th' | 'en'
  name_th: string
  name_en: string
  period_date: string
  ttlSeconds: number
}

/**
 * Undefined if the browser was switched off, the member is suspended, the ticket no longer waits, or the news is a day
 * old. Joins markets and tickets, because each push would otherwise take four reads.
 */
async function findDue(db: Db, push: QueuedPush, queuedAt: Date): Promise<DuePush | undefined> {
  const { rows } = await sql<DuePush>`
    select endpoint, p256dh, auth, language, name_th, name_en, period_date,
      case when orders.order_id is null then ${RESULT_TTL_S} else extract(epoch from
        least(placed_at + ${CONFIRM_WAIT_MS} * interval '1 millisecond', close_at) - clock_timestamp())::int end as "ttlSeconds"
    from push_subscriptions s join users using (user_id)
      left join orders on orders.order_id = ${'order_id' in push ? push.order_id : null}::bigint
        and orders.user_id = s.user_id and orders.status = 'WAIT_CONFIRM'
      join periods on periods.period_id = coalesce(orders.period_id, ${'period_id' in push ? push.period_id : null}::int)
      join products using (product_code)
    where subscription_id = ${push.subscription_id} and status_in_force <> 'SUSPENDED'
      and ${queuedAt}::timestamptz > clock_timestamp() - interval '1 day'`.execute(db)
  const [due] = rows
  return due && due.ttlSeconds > 0 ? due : undefined
}

function toMessage(push: QueuedPush, due: DuePush): PushMessage {
  const { language, period_date, ttlSeconds } = due
  const words: PushWords = pushWords[language]
  const market = language === 'th' ? due.name_th : due.name_en
  const tag = push.kind === 'confirm' ? `confirm:${push.order_id}` : `result:${push.period_id}`
  const path = {
    confirm: () => `/bills/${(push as QueuedPush & { kind: 'confirm' }).order_id}`,
    result: () => `/awards?date=${period_date}`,
    correction: () => '/announcements',
  }[push.kind]()
  const notification: Notification = { tag, ...words[push.kind](market), language, path }
  return {
    topic: createHash('sha256').update(tag).digest('base64url').slice(0, 32),
    ttlSeconds,
    text: JSON.stringify(notification),
  }
}
