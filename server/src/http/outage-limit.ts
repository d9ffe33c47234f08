// Keeps an outage of the database from filling the log: every call that fails reports the same.

import { isDatabaseAway } from '../postgres/db.ts'

/** How often the same message about an outage is logged, in ms. */
const INTERVAL_MS = 10_000

/**
 * @returns to be asked before each message with an error: how many like it were left out since the last one that was logged, or
 *   undefined where this one is to be left out
 */
export function createOutageLimit(
  readClock = () => performance.now(),
): (error: unknown, message: string) => number | undefined {
  const seen = new Map<string, { loggedAtMs: number; leftOut: number }>()
  return (error, message) => {
    if (!isDatabaseAway(error)) return 0
    const last = seen.get(message)
    if (last && readClock() - last.loggedAtMs < INTERVAL_MS) {
      last.leftOut += 1
      return undefined
    }
    seen.set(message, { loggedAtMs: readClock(), leftOut: 0 })
    return last?.leftOut ?? 0
  }
}
