// Months of the calendar, as `2026-01`.

import type { Period } from '@megalot/contract'

/** The days of a month, as `2026-01-31`. */
export function listDays(month: string): readonly string[] {
  const [year, number] = readMonth(month)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

/** Another month, by so many later. */
export function addMonths(month: string, months: number): string {
  const [year, number] = readMonth(month)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

function readMonth(month: string): [number, number] {
  return [Number(month.slice(0, 4)), Number(month.slice(5, 7))]
}

/** The states of periods, the most important first. */
const weight = ['closed', 'open', 'void', 'upcoming', 'settled'] as const satisfies readonly Period['status'][]

export interface CalendarCell {
  count: number
  /** The most important state among the day's periods. */
  status: Period['status']
}

/** The periods by market and day. */
export function groupPeriods(periods: readonly Period[]): ReadonlyMap<string, CalendarCell> {
  const cells = new Map<string, CalendarCell>()
  for (const { product_code, period_date, status } of periods) {
    const key = cellKey(product_code, period_date)
    const cell = cells.get(key)
    const isFirst = cell === undefined || weight.indexOf(status) < weight.indexOf(cell.status)
    cells.set(key, { count: (cell?.count ?? 0) + 1, status: isFirst ? status : cell.status })
  }
  return cells
}

export function cellKey(product_code: string, day: string): string {
  return `${product_code} ${day}`
}
