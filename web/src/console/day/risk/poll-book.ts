// Keeps a board's numbers as the server has them: it asks for what has changed twice a second while the page is visible. A stream
// of patches would be little sooner: the server counts bets into the book every 0.25 to 5 s, by its load (`book/follower.ts`). At a
// normal load a bet is on the board within a second.

import type { BoardStore, BookReply } from './board-store.ts'

const EVERY_MS = 500
/** A line's book has no patches: each change sends all of its numbers, and a phone need not load so much so often. */
const LARGE_EVERY_MS = 3_000
const LARGE_SLOTS = 300
/** Other users' limits do not change the exposure, so the used share of quotas is read again at this interval. */
const WHOLE_EVERY_MS = 60_000
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 15_000

export interface PollOptions {
  store: BoardStore
  /** Asks for the book; null: for the whole. */
  fetch: (since: number | null, signal: AbortSignal) => Promise<BookReply>
  signal: AbortSignal
  /** Null: the last call succeeded. */
  onFailure: (error: Error | null) => void
}

export interface BookPoller {
  /** Asks for the whole book as soon as possible, because a quota was changed. */
  readWhole: () => void
}

export function pollBook({ store, fetch, signal, onFailure }: PollOptions): BookPoller {
  let resume: (() => void) | undefined
  let wholeAtMs = 0
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const resumeNow = (): void => resume?.()
  signal.addEventListener('abort', resumeNow)

  const run = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS
    while (!signal.aborted) {
      if (document.visibilityState === 'hidden') {
        await untilVisible(signal)
        continue
      }
      const isWholeDue = performance.now() >= wholeAtMs
      const since = isWholeDue ? null : (store.readHead()?.version ?? null)
      // Before the call: what `readWhole` asks for meanwhile is not in its reply.
      if (isWholeDue) wholeAtMs = performance.now() + WHOLE_EVERY_MS
      try {
        const reply = await fetch(since, signal)
        if (signal.aborted) return
        store.apply(reply, performance.now())
        onFailure(null)
        retryMs = FIRST_RETRY_MS
        const isLarge = since !== null && reply.is_whole && reply.slots.length > LARGE_SLOTS
        await pause(isLarge ? LARGE_EVERY_MS : EVERY_MS)
      } catch (error) {
        if (signal.aborted) return
        if (isWholeDue) wholeAtMs = 0
        onFailure(error instanceof Error ? error : new Error(String(error)))
        await pause(retryMs)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
    }
  }
  void run()
  return {
    readWhole: () => {
      wholeAtMs = 0
      resume?.()
    },
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
