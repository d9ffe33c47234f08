// A stream of server-sent events for each open page. It carries no data, only the topics to fetch again.

import * as z from 'zod/mini'
import * as calls from '../calls/live.ts'
import { defineRoute } from '../route.ts'
import { periodCode } from '../wire.ts'

export const liveTopic = z.enum([
  /** Markets or periods were created, opened, closed, enabled or disabled. */
  'markets',
  /** Rates, discounts or limits of packages have changed. */
  'terms',
  /** A period was settled or void: tickets, credit and awards have changed. */
  'results',
  /** One of the user's tickets changed, and the credit with it. */
  'tickets',
  /** The user's own record: status, credit limit. */
  'user',
  /** The packages that the user may bet with. */
  'packages',
  /** Pending approvals have changed. Sent to office users only, who fetch those they may see. */
  'approvals',
  /** Someone has registered or was added directly below the user. */
  'people',
  /** Announcements of the company. */
  'announcements',
  /** Numbers of some period may have turned yellow, grey or open. */
  'numbers',
  /** Events may have been lost: fetch everything. */
  'everything',
])
export type LiveTopic = z.output<typeof liveTopic>

/** Data of a `news` event. */
export const liveNews = z.strictObject({
  topics: z.array(liveTopic),
  /** Periods with numbers that turned yellow, grey or open. */
  numbers: z.array(periodCode),
})
export type LiveNews = z.output<typeof liveNews>

/** Data of the last event, `end`: why the server ends the stream. */
export const liveEnd = z.strictObject({
  reason: z.enum([
    /** Other pages of the same session have opened streams; a session may have three. */
    'replaced',
    /** The session has ended. The next call returns the reason. */
    'session_over',
    /** The server is stopping. Reconnect to another node, or to this one later. */
    'stopping',
    /** The page did not read what was sent. */
    'too_slow',
  ]),
})
export type LiveEnd = z.output<typeof liveEnd>

export const listenLive = defineRoute({
  ...calls.listenLive,
  access: 'signed_in',
  is_keep_alive: true,
  is_stream: true,
  summary: 'What has changed, as it changes: text/event-stream with the events hello, news and end',
  reply: z.null(),
})
