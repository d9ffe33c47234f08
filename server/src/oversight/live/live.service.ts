// Open event streams of this node. A session's pages share a few: another page replaces the oldest, so that a vanished
// page does not block its successor.

import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { LIVE_HEARTBEAT_MS, type LiveEnd, type LiveNews, type LiveTopic, type UserStatus } from '@megalot/contract'
import type { Caller, SessionSettings } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { Live, News } from '../../postgres/live.ts'
import { liveStreams } from '../../lib/metrics.ts'
import { Refusal } from '../../lib/refusal.ts'
import { listLiveSessions } from '../../identity/sessions/index.ts'

/** The most streams of a node; further clients poll instead. */
const MAX_STREAMS = 10_000
/**
 * The most streams of a session. Without HTTP/2 a browser has six connections to a server; the others stay free for
 * calls.
 */
const MAX_STREAMS_OF_SESSION = 3
/**
 * How many streams' sessions are read at once, with a rest before the next ones, because an agent can change statuses
 * often, and each change may concern all users. Also limits the checks per second, however many changes there are.
 */
const MAX_CHECKED_AT_ONCE = 500
const CHECK_REST_MS = 100
/** How many bytes a page may leave unread before its stream is ended. */
const MAX_UNREAD_BYTES = 64 * 1024

interface Stream {
  session_id: number
  /** The user who listens. */
  actor_id: number
  status: UserStatus
  /** Whether it receives news of pending approvals, as an office user. */
  isOffice: boolean
  body: Readable
}

export interface LiveStreams {
  /**
   * Opens a stream for a caller. Ends the streams of the user's other sessions, and this session's oldest one if there
   * are too many.
   * @throws Refusal unavailable if this node is full or stopping
   */
  open(caller: Caller): Readable
  /** Ends all streams, so that the server can stop. */
  close(): void
}

export interface LiveStreamsOptions {
  db: Db
  live: Live
  /** When a session ends. */
  settings: SessionSettings
  onError: (error: unknown) => void
}

export function createLiveStreams({ db, live, settings, onError }: LiveStreamsOptions): LiveStreams {
  const streams = new Set<Stream>()
  /** Streams by user, oldest first. */
  const streamsOf = new Map<number, Set<Stream>>()
  const stopObserving = liveStreams.addSource({}, () => streams.size)
  let isClosed = false

  const add = (stream: Stream): void => {
    streams.add(stream)
    const own = streamsOf.get(stream.actor_id) ?? new Set()
    streamsOf.set(stream.actor_id, own.add(stream))
  }

  const remove = (stream: Stream): void => {
    streams.delete(stream)
    const own = streamsOf.get(stream.actor_id)
    if (own?.delete(stream) && own.size === 0) streamsOf.delete(stream.actor_id)
  }

  const end = (stream: Stream, reason: LiveEnd['reason']): void => {
    remove(stream)
    if (stream.body.destroyed) return
    stream.body.push(formatEvent('end', { reason } satisfies LiveEnd))
    stream.body.push(null)
  }

  const write = (stream: Stream, text: string): void => {
    if (stream.body.readableLength > MAX_UNREAD_BYTES) end(stream, 'too_slow')
    else stream.body.push(text)
  }

  /** Ends streams of ended sessions, and notifies users whose status changed. */
  const check = async (some: readonly Stream[]): Promise<void> => {
    if (some.length === 0) return
    const session_ids = some.map(({ session_id }) => session_id)
    const statuses = await listLiveSessions(db, session_ids, settings)
    for (const stream of some) {
      const status = statuses.get(stream.session_id)
      if (status === undefined) end(stream, 'session_over')
      else if (status !== stream.status) {
        stream.status = status
        write(stream, formatNews(['user']))
      }
    }
  }

  /** Streams whose sessions are to be checked, in order. */
  const due = new Set<Stream>()
  let isChecking = false

  const checkDue = async (): Promise<void> => {
    isChecking = true
    while (due.size > 0) {
      const some = [...due].slice(0, MAX_CHECKED_AT_ONCE)
      for (const stream of some) due.delete(stream)
      await check(some.filter((stream) => streams.has(stream))).catch(onError)
      await pause(CHECK_REST_MS, undefined, { ref: false })
    }
    isChecking = false
  }

  const checkSoon = (some: Iterable<Stream>): void => {
    for (const stream of some) due.add(stream)
    if (!isChecking) void checkDue()
  }

  const ofUsers = (user_ids: readonly number[] = []): Stream[] =>
    user_ids.flatMap((user_id) => [...(streamsOf.get(user_id) ?? [])])

  const unsubscribe = live.subscribe((news) => {
    const text = formatForAll(news)
    if (text) for (const stream of streams) write(stream, text)
    if (news.approvals) for (const stream of streams) if (stream.isOffice) write(stream, formatNews(['approvals']))
    for (const stream of ofUsers(news.tickets)) write(stream, formatNews(['tickets']))
    for (const stream of ofUsers(news.users)) write(stream, formatNews(['user']))
    for (const stream of ofUsers(news.packages)) write(stream, formatNews(['packages']))
    for (const stream of ofUsers(news.people)) write(stream, formatNews(['people']))
    // After lost messages the sessions are checked too.
    const isAnyStatus = news.statuses ?? news.everything ?? false
    checkSoon(isAnyStatus ? streams : ofUsers(news.sessions))
  })

  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, ':\n\n')
    checkSoon(streams)
  }, LIVE_HEARTBEAT_MS)
  heartbeat.unref()

  return {
    open({ actor_id, session_id, status, is_office }) {
      if (isClosed || streams.size >= MAX_STREAMS) throw new Refusal('unavailable')
      for (const other of ofUsers([actor_id])) if (other.session_id !== session_id) end(other, 'session_over')
      const [oldest, ...later] = ofUsers([actor_id])
      if (oldest && later.length + 1 >= MAX_STREAMS_OF_SESSION) end(oldest, 'replaced')
      const body = new Readable({ read() {} })
      const stream: Stream = { session_id, actor_id, status, isOffice: is_office, body }
      add(stream)
      body.once('close', () => remove(stream))
      body.push(formatEvent('hello', {}))
      return body
    },
    close() {
      isClosed = true
      unsubscribe()
      stopObserving()
      clearInterval(heartbeat)
      for (const stream of streams) end(stream, 'stopping')
    },
  }
}

/** The event for all users, if any. */
function formatForAll({
  markets,
  terms,
  results,
  all_numbers,
  announcements,
  everything,
  numbers = [],
}: News): string | undefined {
  const topics: LiveTopic[] = []
  if (markets) topics.push('markets')
  if (terms) topics.push('terms')
  if (results) topics.push('results')
  if (all_numbers) topics.push('numbers')
  if (announcements) topics.push('announcements')
  if (everything) topics.push('everything')
  return topics.length + numbers.length > 0 ? formatNews(topics, numbers) : undefined
}

function formatNews(topics: LiveTopic[], numbers: readonly string[] = []): string {
  return formatEvent('news', { topics, numbers: [...numbers] } satisfies LiveNews)
}

function formatEvent(name: 'hello' | 'news' | 'end', data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
