// Keeps callers from filling the log with refusals, whose log lines cost the server more than the caller.

import type { RefusalCode } from '@megalot/contract'

/** Logged refusals per code and minute, of one source and of all, so that no one can keep others out of the log. */
export interface RefusalLogBound {
  /** A source is a principal with its assistants, or a subnet. */
  ofSource: number
  ofAll: number
}

/** Refusals per code that were left out of the log in a minute. */
export type LeftOut = Partial<Record<RefusalCode, number>>

interface Count {
  logged: number
  leftOut: number
  bySource: Map<string, number>
}

const MINUTE_MS = 60_000
const afterAMinute = (act: () => void): void => void setTimeout(act, MINUTE_MS).unref()

/**
 * @param schedule runs at the end of a minute that begins now
 * @returns a function to call before each line; at the end of a minute with omitted lines, `report` of one of them is
 * called
 */
export function createRefusalLogLimit(
  schedule = afterAMinute,
): (code: RefusalCode, source: string, bound: RefusalLogBound, report: (left_out: LeftOut) => void) => boolean {
  const counts = new Map<RefusalCode, Count>()
  let reportLeftOut: ((left_out: LeftOut) => void) | undefined

  function endMinute(): void {
    const leftOut = [...counts].filter(([, count]) => count.leftOut > 0).map(([code, count]) => [code, count.leftOut])
    counts.clear()
    reportLeftOut?.(Object.fromEntries(leftOut) as LeftOut)
    reportLeftOut = undefined
  }

  return (code, source, bound, report) => {
    if (counts.size === 0) schedule(endMinute)
    const count = counts.get(code) ?? { logged: 0, leftOut: 0, bySource: new Map() }
    counts.set(code, count)
    const ofSource = count.bySource.get(source) ?? 0
    if (count.logged >= bound.ofAll || ofSource >= bound.ofSource) {
      count.leftOut += 1
      reportLeftOut ??= report
      return false
    }
    count.logged += 1
    count.bySource.set(source, ofSource + 1)
    return true
  }
}
