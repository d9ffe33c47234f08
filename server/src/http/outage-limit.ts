// Keeps an outage of the database from filling the log: every failing call reports the same error.

import { isDatabaseAway } from '../postgres/db.ts'

/** How often the same outage message is logged, in ms. */
const INTERVAL_MS = 10_000

/**
 * @returns a function to call before logging an error: returns how many similar ones were left out since the last, or
 * undefined to leave this one out
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
