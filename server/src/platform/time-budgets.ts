// How long the reads of one caller may take together. Lanes bound how many run at a time; whoever asks again as soon as it is answered would
// keep as many processors busy for ever. A caller whose budget is spent waits, and is not refused.

import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** How many seconds of its budget a caller may use ahead: a page that is opened asks for much at once. */
const AHEAD_SECONDS = 4
/** A second, slower bucket says who reads all the time: a tenth of the budget comes back into it, and it holds as much as comes back in a minute. */
const STEADY_PART = 0.1
const STEADY_SECONDS = 60
/** How long one read is waited for at most, in ms, however long it took. */
const MAX_WAIT_MS = 5_000
const MAX_BUDGETS = 20_000

/** Token buckets of time in ms, each refilled with `refill_ms` a second. */
export interface TimeBudgets {
  /** Waits until the budget owes nothing. @returns whether it has waited */
  waitFor: (key: string, refill_ms: number) => Promise<boolean>
  /** Whether more than a tenth of the budget was used over a minute, as few pages do but the risk board. */
  readsSteadily: (key: string, refill_ms: number) => boolean
  /** Takes from the budget how long a read has run. */
  charge: (key: string, refill_ms: number, ms: number) => void
}

interface Budget {
  left_ms: number
  /** Of the slower bucket. */
  steady_left_ms: number
  refilledAtMs: number
}

/** @param readClock in ms */
export function createTimeBudgets(
  readClock: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => pause(ms),
): TimeBudgets {
  const budgets = new LRUCache<string, Budget>({ max: MAX_BUDGETS })

  function refill(key: string, refill_ms: number): Budget {
    const nowMs = readClock()
    const most = refill_ms * AHEAD_SECONDS
    const mostSteady = refill_ms * STEADY_PART * STEADY_SECONDS
    const budget = budgets.get(key) ?? { left_ms: most, steady_left_ms: mostSteady, refilledAtMs: nowMs }
    const refilled = ((nowMs - budget.refilledAtMs) / 1_000) * refill_ms
    budget.left_ms = Math.min(most, budget.left_ms + refilled)
    budget.steady_left_ms = Math.min(mostSteady, budget.steady_left_ms + refilled * STEADY_PART)
    budget.refilledAtMs = nowMs
    budgets.set(key, budget)
    return budget
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
      const budget = refill(key, refill_ms)
      budget.left_ms = Math.max((-refill_ms * MAX_WAIT_MS) / 1_000, budget.left_ms - ms)
      // What is owed is back after half a minute.
      budget.steady_left_ms = Math.max((-refill_ms * STEADY_PART * STEADY_SECONDS) / 2, budget.steady_left_ms - ms)
    },
  }
}
