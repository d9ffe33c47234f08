// What is wrong with the times of a period, as the server checks them. All are texts of one form in Bangkok's time
// (`bangkok-field.ts`), and compare as such.

import { addDays } from '../../../lib/format/calendar-day.ts'

export type PeriodTimesProblem =
  | 'bad_time'
  | 'open_past'
  | 'close_past'
  | 'close_before_open'
  | 'draw_before_close'
  | 'draw_other_day'

interface PeriodTimes {
  /** Empty: at once, or it is not changed. */
  open_at: string
  close_at: string
  draw_at: string
}

/**
 * @param now the present minute
 * @param period_date the day of the draw or, for a draw after midnight, the day before; null: it is not changed
 * @returns the first problem of each field; null where there is none
 */
export function findPeriodTimesProblems(
  { open_at, close_at, draw_at }: PeriodTimes,
  now: string,
  period_date: string | null,
): Record<keyof PeriodTimes, PeriodTimesProblem | null> {
  return {
    open_at: open_at !== '' && open_at <= now ? 'open_past' : null,
    close_at: findCloseProblem(open_at, close_at, now),
    draw_at: findDrawProblem(close_at, draw_at, period_date),
  }
}

function findCloseProblem(open_at: string, close_at: string, now: string): PeriodTimesProblem | null {
  if (close_at === '') return 'bad_time'
  if (close_at <= now) return 'close_past'
  return close_at <= open_at ? 'close_before_open' : null
}

function findDrawProblem(close_at: string, draw_at: string, period_date: string | null): PeriodTimesProblem | null {
  if (draw_at === '') return 'bad_time'
  if (draw_at < close_at) return 'draw_before_close'
  const day = draw_at.slice(0, 10)
  return period_date === null || day === period_date || addDays(day, -1) === period_date ? null : 'draw_other_day'
}
