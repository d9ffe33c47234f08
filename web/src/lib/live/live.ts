import { afterNextPaint } from '../page/after-next-paint.ts'
import type { LiveEnd, LiveNews } from '@megalot/contract'
import { LIVE_HEARTBEAT_MS, listenLive } from '@megalot/contract/browser'
import { hashKey } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import { readEvents } from './event-stream.ts'
import { addressOf, headersOf } from '../api/http-client.ts'
import { invalidate, refreshAfter } from '../api/query-client.ts'
import { keysOfTopic, rarelyFetchedKeys } from '../api/refresh.ts'
import { keysOfNews } from './live-news.ts'
import { useSession } from '../session/session-store.ts'

// The one stream of this page. It says which queries are to be fetched again. Pages poll as well, at longer intervals, so that a lost
// message or a network without streams only delays an update.

/** Nothing received for this long: the connection is dead, whatever the browser reports. */
const SILENCE_MS = LIVE_HEARTBEAT_MS * 2.5
/** Waits between two attempts, each a little different, so that not all pages come back in the same moment. */
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
/** A page out of sight gives its stream back after this long. */
const HIDDEN_MS = 60_000
/** Browsers that receive the same news fetch after a random part of this time, in ms. */
const JITTER_MS = 2_000
/** News that come together are one refetch. */
const BATCH_WINDOW_MS = 50

type Outcome = LiveEnd['reason'] | 'lost' | 'hidden' | 'signed_out'

/** Follows the server's news until it is stopped. */
export function followLive(): () => void {
  const stop = new AbortController()
  const refetcher = createRefetcher()
  void afterNextPaint().then(() => keepListening(stop.signal, refetcher))
  return () => {
    stop.abort()
    refetcher.clear()
  }
}

async function keepListening(signal: AbortSignal, refetcher: Refetcher): Promise<void> {
  let retryMs = FIRST_RETRY_MS
  let hasListened = false
  const onHello = (): void => {
    retryMs = FIRST_RETRY_MS
    // The server does not repeat news, neither from an interruption nor from the time before the first connection.
    if (hasListened) refetcher.refetch(keysOfTopic.everything, 0)
    else refetcher.refetch(rarelyFetchedKeys, Math.random() * JITTER_MS)
    hasListened = true
  }
  while (!signal.aborted) {
    if (document.visibilityState === 'hidden') await eventOf(document, 'visibilitychange', signal)
    else {
      const outcome = await listen(signal, refetcher, onHello).catch((): Outcome => 'lost')
      if (outcome === 'session_over' || outcome === 'signed_out') void refreshAfter('session_questioned')
      // Other pages of this session have the streams now: this one takes one back when it is used again.
      if (outcome === 'replaced') await eventOf(window, 'focus', signal)
      else if (outcome !== 'hidden') {
        await pause(retryMs * (0.5 + Math.random() / 2), signal)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
    }
  }
}

/** Opens the stream and follows it to its end. Throws where it breaks. */
async function listen(signal: AbortSignal, refetcher: Refetcher, onHello: () => void): Promise<Outcome> {
  const { session_token } = useSession.getState()
  if (session_token === null) return 'signed_out'
  const connection = new AbortController()
  const cut = (): void => connection.abort()
  const silence = createTimer(cut, SILENCE_MS)
  const sight = watchSight(cut)
  signal.addEventListener('abort', cut, { once: true })
  // Without a network the connection may stay silent for long before it breaks.
  window.addEventListener('offline', cut, { once: true })
  try {
    silence.restart()
    const headers = headersOf(session_token, false)
    const response = await fetch(addressOf(listenLive), {
      headers,
      signal: connection.signal,
      cache: 'no-store',
      // Connects after the page has loaded, because an open stream would delay the browser's load event.
      priority: 'low',
    })
    if (response.status === 401) return 'signed_out'
    if (!response.ok || response.body === null) return 'lost'
    for await (const { name, data } of readEvents(response.body)) {
      silence.restart()
      if (name === 'hello') onHello()
      if (name === 'news') scheduleRefetches(refetcher, JSON.parse(data) as LiveNews)
      if (name === 'end') return (JSON.parse(data) as LiveEnd).reason
    }
    return 'lost'
  } catch (error) {
    if (sight.isLost()) return 'hidden'
    throw error
  } finally {
    cut()
    silence.stop()
    sight.stop()
    signal.removeEventListener('abort', cut)
    window.removeEventListener('offline', cut)
  }
}

function scheduleRefetches(refetcher: Refetcher, news: LiveNews): void {
  const { own, shared } = keysOfNews(news)
  refetcher.refetch(own, BATCH_WINDOW_MS)
  refetcher.refetch(shared, BATCH_WINDOW_MS + Math.random() * JITTER_MS)
}

/** Refreshes the queries on screen, each one once for all news of a batch. */
function createRefetcher() {
  const awaited = new Map<string, { timer: ReturnType<typeof setTimeout>; dueMs: number }>()
  const refetchAt = (key: QueryKey, afterMs: number): void => {
    const name = hashKey(key)
    const earlier = awaited.get(name)
    const dueMs = Date.now() + afterMs
    if (earlier !== undefined && earlier.dueMs <= dueMs) return
    clearTimeout(earlier?.timer)
    const timer = setTimeout(() => {
      awaited.delete(name)
      void invalidate(key)
    }, afterMs)
    awaited.set(name, { timer, dueMs })
  }
  return {
    refetch: (keys: readonly QueryKey[], afterMs: number): void => {
      for (const key of keys) refetchAt(key, afterMs)
    },
    clear: (): void => {
      for (const { timer } of awaited.values()) clearTimeout(timer)
      awaited.clear()
    },
  }
}

type Refetcher = ReturnType<typeof createRefetcher>

function createTimer(onTimeout: () => void, ms: number): { restart: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = (): void => clearTimeout(timer)
  return {
    stop,
    restart: () => {
      stop()
      timer = setTimeout(onTimeout, ms)
    },
  }
}

/** Calls once the page has been out of sight for long. */
function watchSight(onLost: () => void): { isLost: () => boolean; stop: () => void } {
  let isLost = false
  const timer = createTimer(() => {
    isLost = true
    onLost()
  }, HIDDEN_MS)
  const look = (): void => (document.visibilityState === 'hidden' ? timer.restart() : timer.stop())
  document.addEventListener('visibilitychange', look)
  return {
    isLost: () => isLost,
    stop: () => {
      timer.stop()
      document.removeEventListener('visibilitychange', look)
    },
  }
}

/** Waits for an event, or for the signal. */
function eventOf(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    target.addEventListener(name, () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Waits, but not past the moment the network comes back, and not past the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), ms)
  await eventOf(window, 'online', AbortSignal.any([signal, over.signal]))
  clearTimeout(timer)
}
