// How long the reads of one caller may take together. Lanes bound how many run at a time; whoever asks again as soon as it is answered would
// keep as many processors busy for ever. A caller whose budget is spent waits, and is not refused.

import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** How many seconds of its budget a caller may use ahead: a page that is opened asks for much at once. */
const AHEAD_SECONDS = 4
/** Over how many seconds an account is watched for whether it reads all the time, and the part of its budget that it may use then. */
const WATCHED_SECONDS = 60
const STEADY_PART = 0.1
/** How long one read is waited for at most, in ms, however long it took. */
const MAX_WAIT_MS = 5_000
const MAX_ACCOUNTS = 20_000

/** The time of an account in ms, refilled each second with `refill_ms`. */
export interface TimeBudgets {
  /** Waits until the account owes nothing. @returns whether it has waited */
  waitFor: (key: string, refill_ms: number) => Promise<boolean>
  /** Whether the account has read more than a tenth of its budget over a minute, as few pages do but the risk board. */
  readsSteadily: (key: string, refill_ms: number) => boolean
  /** Takes from the account how long a read has run. */
  charge: (key: string, refill_ms: number, ms: number) => void
}

interface Account {
  left_ms: number
  /** The same over a minute. */
  steady_left_ms: number
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
    const mostSteady = refill_ms * STEADY_PART * WATCHED_SECONDS
    const account = accounts.get(key) ?? { left_ms: most, steady_left_ms: mostSteady, refilledAtMs: nowMs }
    const refilled = ((nowMs - account.refilledAtMs) / 1_000) * refill_ms
    account.left_ms = Math.min(most, account.left_ms + refilled)
    account.steady_left_ms = Math.min(mostSteady, account.steady_left_ms + refilled * STEADY_PART)
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
    readsSteadily: (key, refill_ms) => refill(key, refill_ms).steady_left_ms < 0,
    charge(key, refill_ms, ms) {
      const account = refill(key, refill_ms)
      account.left_ms = Math.max((-refill_ms * MAX_WAIT_MS) / 1_000, account.left_ms - ms)
      // What is owed is back after half a minute.
      account.steady_left_ms = Math.max((-refill_ms * STEADY_PART * WATCHED_SECONDS) / 2, account.steady_left_ms - ms)
    },
  }
}
