// Keeps callers from filling the log with their refusals: one line for each is cheaper for who is refused than for who keeps the log.

import type { RefusalCode } from '@megalot/contract'

/** How many refusals of one code are logged in a minute, of one source and of all: nobody keeps others out of the log. */
export interface RefusalLogBound {
  /** Of a principal with its assistants, or of a subnet. */
  ofSource: number
  ofAll: number
}

/** How many refusals of each code were left out of the log in a minute. */
export type LeftOut = Partial<Record<RefusalCode, number>>

interface Count {
  logged: number
  leftOut: number
  bySource: Map<string, number>
}

const MINUTE_MS = 60_000
const afterAMinute = (act: () => void): void => void setTimeout(act, MINUTE_MS).unref()

/**
 * @param schedule calls at the end of a minute that begins now
 * @returns to be asked before each line; at the end of a minute in which lines were left out, `report` of one of them is called
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
