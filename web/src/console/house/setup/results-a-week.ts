import type { Timetable } from '@megalot/contract'

const DAYS_A_MONTH = 365.25 / 12

/** How many results a market needs in a week, on average. */
export function resultsAWeek({ days, rounds }: Timetable): number {
  const perDay = rounds?.count ?? 1
  if (days === 'every_day') return 7 * perDay
  if ('weekdays' in days) return days.weekdays.length * perDay
  return (days.month_days.length * perDay * 7) / DAYS_A_MONTH
}
