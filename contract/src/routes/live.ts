// A stream of server-sent events for each open page. It carries no data, only the topics that are worth fetching
// again.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { periodCode } from '../wire.ts'

export const liveTopic = z.enum([
  /** Markets or periods were made, opened, closed, enabled or disabled. */
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
  /** What waits for a second person has changed; only to office users, who fetch what they may see. */
  'approvals',
  /** Somebody has registered or was added directly below the user. */
  'people',
  /** What the company announces. */
  'announcements',
  /** Any number of any period may have changed its colour: yellow, grey or open. */
  'numbers',
  /** Events may have been lost. */
  'everything',
])
export type LiveTopic = z.output<typeof liveTopic>

/** Data of an event `news`. */
export const liveNews = z.strictObject({
  topics: z.array(liveTopic),
  /** Periods with numbers that turned yellow, grey or open. */
  numbers: z.array(periodCode),
})
export type LiveNews = z.output<typeof liveNews>

/** Data of the last event, `end`: why the server ends the stream. */
export const liveEnd = z.strictObject({
  reason: z.enum([
    /** Further pages of the same session have opened streams: a session has three. */
    'replaced',
    /** The session is over; the next call returns the reason. */
    'session_over',
    /** The server stops. The client may connect to another node, or to the same one a little later. */
    'stopping',
    /** The page did not read what was sent to it. */
    'too_slow',
  ]),
})
export type LiveEnd = z.output<typeof liveEnd>

/**
 * The server writes a line at least this often, in ms: a page that receives nothing for much longer has lost its
 * stream.
 */
export const LIVE_HEARTBEAT_MS = 15_000

export const listenLive = defineRoute({
  name: 'listenLive',
  method: 'GET',
  path: '/api/live',
  access: 'signed_in',
  is_keep_alive: true,
  is_stream: true,
  summary: 'What has changed, as it changes: text/event-stream with the events hello, news and end',
  reply: z.null(),
})
