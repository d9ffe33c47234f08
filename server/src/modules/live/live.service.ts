// The event streams that are open on this node. Each user has one: a second page of the same user replaces the first,
// so that a page that vanished does not block its successor.

import { Readable } from 'node:stream'
import { LIVE_HEARTBEAT_MS, type LiveEnd, type LiveNews, type LiveTopic, type UserStatus } from '@megalot/contract'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import type { Live, News } from '../../platform/live.ts'
import { liveStreams } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listLiveSessions, type SessionSettings } from '../sessions/index.ts'

/** The limit of streams on one node; further clients poll instead. */
const MAX_STREAMS = 10_000
/** How many bytes a page may leave unread before its stream is ended. */
const MAX_UNREAD_BYTES = 64 * 1024

interface Stream {
  session_id: number
  /** The user who listens; one stream each. */
  actor_id: number
  status: UserStatus
  /** Whether it receives news of what waits for a second person: that of an office user. */
  isOffice: boolean
  body: Readable
}

export interface LiveStreams {
  /**
   * Opens the stream of a caller and ends the user's earlier one. @throws Refusal unavailable: this node is full or
   * stops
   */
  open(caller: Caller): Readable
  /** Ends all streams, so that the server can stop. */
  close(): void
}

export interface LiveStreamsOptions {
  db: Db
  live: Live
  /** When a session is over. */
  settings: SessionSettings
  onError: (error: unknown) => void
}

export function createLiveStreams({ db, live, settings, onError }: LiveStreamsOptions): LiveStreams {
  const streams = new Map<number, Stream>()
  const stopObserving = liveStreams.addSource({}, () => streams.size)
  let isClosed = false

  const end = (stream: Stream, reason: LiveEnd['reason']): void => {
    if (streams.get(stream.actor_id) === stream) streams.delete(stream.actor_id)
    if (stream.body.destroyed) return
    stream.body.push(formatEvent('end', { reason } satisfies LiveEnd))
    stream.body.push(null)
  }

  const write = (stream: Stream, text: string): void => {
    if (stream.body.readableLength > MAX_UNREAD_BYTES) end(stream, 'too_slow')
    else stream.body.push(text)
  }

  /** Ends the streams of sessions that are over, and notifies users whose status changed. */
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

  const ofUsers = (user_ids: readonly number[] = []): Stream[] =>
    user_ids.flatMap((user_id) => streams.get(user_id) ?? [])

  const unsubscribe = live.subscribe((news) => {
    const text = formatForAll(news)
    if (text) for (const stream of streams.values()) write(stream, text)
    if (news.approvals)
      for (const stream of streams.values()) if (stream.isOffice) write(stream, formatNews(['approvals']))
    for (const stream of ofUsers(news.tickets)) write(stream, formatNews(['tickets']))
    for (const stream of ofUsers(news.users)) write(stream, formatNews(['user']))
    for (const stream of ofUsers(news.packages)) write(stream, formatNews(['packages']))
    for (const stream of ofUsers(news.people)) write(stream, formatNews(['people']))
    // After lost messages the sessions are checked too.
    const isAnyStatus = news.statuses ?? news.everything ?? false
    check(isAnyStatus ? [...streams.values()] : ofUsers(news.sessions)).catch(onError)
  })

  const heartbeat = setInterval(() => {
    for (const stream of streams.values()) write(stream, ':\n\n')
    check([...streams.values()]).catch(onError)
  }, LIVE_HEARTBEAT_MS)
  heartbeat.unref()

  return {
    open({ actor_id, session_id, status, is_office }) {
      if (isClosed || streams.size >= MAX_STREAMS) throw new Refusal('unavailable')
      const before = streams.get(actor_id)
      if (before) end(before, before.session_id === session_id ? 'replaced' : 'session_over')
      const body = new Readable({ read() {} })
      const stream: Stream = { session_id, actor_id, status, isOffice: is_office, body }
      streams.set(actor_id, stream)
      body.once('close', () => {
        if (streams.get(actor_id) === stream) streams.delete(actor_id)
      })
      body.push(formatEvent('hello', {}))
      return body
    },
    close() {
      isClosed = true
      unsubscribe()
      stopObserving()
      clearInterval(heartbeat)
      for (const stream of streams.values()) end(stream, 'stopping')
    },
  }
}

/** The event for all users, if any. */
function formatForAll({
  markets,
  results,
  all_numbers,
  announcements,
  everything,
  numbers = [],
}: News): string | undefined {
  const topics: LiveTopic[] = []
  if (markets) topics.push('markets')
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
