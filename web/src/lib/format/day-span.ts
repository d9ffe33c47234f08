import { DAY_MS, addDays, toMs } from './calendar-day.ts'
import { dayInBangkok } from './dates.ts'

// Named spans of days. Days are in Bangkok's time; weeks begin on Monday.

/** A first and a last day, `yyyy-mm-dd`; both belong to it. */
export interface DaySpan {
  date_from: string
  date_to: string
}

export const quickSpans = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'last_12_months',
] as const
export type QuickSpan = (typeof quickSpans)[number]

/** The first day of the month `months` after a day's month; negative goes back. */
function monthStart(day: string, months = 0): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

/** How many days a span has; 1 where both ends are the same day. */
export function countDays({ date_from, date_to }: DaySpan): number {
  return Math.round((toMs(date_to) - toMs(date_from)) / DAY_MS) + 1
}

/** The days that a name means at an instant of the server's clock. */
export function spanOf(name: QuickSpan, nowMs: number): DaySpan {
  const today = dayInBangkok(nowMs)
  const sinceMonday = (new Date(toMs(today)).getUTCDay() + 6) % 7
  const monday = addDays(today, -sinceMonday)
  const spans: Readonly<Record<QuickSpan, readonly [string, string]>> = {
    today: [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    this_week: [monday, today],
    last_week: [addDays(monday, -7), addDays(monday, -1)],
    this_month: [monthStart(today), today],
    last_month: [monthStart(today, -1), addDays(monthStart(today), -1)],
    last_12_months: [monthStart(today, -11), today],
  }
  const [date_from, date_to] = spans[name]
  return { date_from, date_to }
}

/** The name that means just these days at an instant, or null. */
export function nameOfSpan(span: DaySpan, nowMs: number): QuickSpan | null {
  return (
    quickSpans.find((name) => {
      const { date_from, date_to } = spanOf(name, nowMs)
      return date_from === span.date_from && date_to === span.date_to
    }) ?? null
  )
}
