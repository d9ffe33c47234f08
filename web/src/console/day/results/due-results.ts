// The results that the office has to enter, in the order of their draws.

import type { DayPeriod, DayResult, Period } from '@megalot/contract'

/** Nobody has entered a result, one of two people has, or the two entries differ. */
const AWAITED: readonly (DayResult | null)[] = ['none', 'one_of_two', 'differs']

/** By the draw, the first one before the others; periods of one instant by their codes. */
export function byDraw(one: Period, other: Period): number {
  const difference = Date.parse(one.draw_at) - Date.parse(other.draw_at)
  return difference === 0 ? (one.period_code < other.period_code ? -1 : 1) : difference
}

const isDrawn = ({ draw_at }: Period, nowMs: number): boolean => Date.parse(draw_at) <= nowMs

const listAwaited = (periods: readonly DayPeriod[]): Period[] =>
  periods
    .filter(({ result }) => AWAITED.includes(result))
    .map(({ period }) => period)
    .toSorted(byDraw)

/** The drawn periods that await a result, by their draws. */
export function listDueResults(periods: readonly DayPeriod[], nowMs: number): readonly Period[] {
  return listAwaited(periods).filter((period) => isDrawn(period, nowMs))
}

/** The period whose draw is next. */
export function findNextDraw(periods: readonly DayPeriod[], nowMs: number): Period | undefined {
  return listAwaited(periods).find((period) => !isDrawn(period, nowMs))
}

/** The due period that follows another one. Earlier ones were passed over, and do not come again. */
export function findNextDue(due: readonly Period[], current: Period): Period | undefined {
  return due.find((period) => byDraw(current, period) < 0 && period.period_code !== current.period_code)
}
