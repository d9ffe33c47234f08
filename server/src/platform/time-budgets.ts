// How long the reads of one caller may take together. Lanes bound how many run at a time; whoever asks again as soon as it is answered would
// keep as many processors busy for ever. A caller whose budget is spent waits, and is not refused.

import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** How many seconds of its budget a caller may use ahead: a page that is opened asks for much at once. */
const AHEAD_SECONDS = 4
/** How long one read is waited for at most, in ms, however long it took. */
const MAX_WAIT_MS = 5_000
const MAX_ACCOUNTS = 20_000

/** The time of an account in ms, refilled each second with `refill_ms`. */
export interface TimeBudgets {
  /** Waits until the account owes nothing. @returns whether it has waited */
  waitFor: (key: string, refill_ms: number) => Promise<boolean>
  /** Whether most of what the account may use ahead is used. */
  hasUsedMost: (key: string, refill_ms: number) => boolean
  /** Takes from the account how long a read has run. */
  charge: (key: string, refill_ms: number, ms: number) => void
}

interface Account {
  left_ms: number
  refilledAtMs: number
}

/** @param readClock in ms */
export function createTimeBudgets(
  readClock: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => pause(ms),
): TimeBudgets {
  const accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS })

  function refill(key: string, refill_ms: number): Account {
    const nowMs = readClock()
    const most = refill_ms * AHEAD_SECONDS
    const account = accounts.get(key) ?? { left_ms: most, refilledAtMs: nowMs }
    account.left_ms = Math.min(most, account.left_ms + ((nowMs - account.refilledAtMs) / 1_000) * refill_ms)
    account.refilledAtMs = nowMs
    accounts.set(key, account)
    return account
  }

  return {
    async waitFor(key, refill_ms) {
      const { left_ms } = refill(key, refill_ms)
      if (left_ms >= 0) return false
      await wait((-left_ms / refill_ms) * 1_000)
      return true
    },
    hasUsedMost: (key, refill_ms) => refill(key, refill_ms).left_ms < (refill_ms * AHEAD_SECONDS) / 2,
    charge(key, refill_ms, ms) {
      const account = refill(key, refill_ms)
      account.left_ms = Math.max((-refill_ms * MAX_WAIT_MS) / 1_000, account.left_ms - ms)
    },
  }
}
