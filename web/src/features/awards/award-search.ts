import { isDay } from '../../lib/format/calendar-day.ts'

/** Which results are shown; it stands in the address. */
export interface AwardSearch {
  /** Absent: the newest. */
  date?: string
}

export interface StatisticsSearch {
  product_code?: string
  /** The newest draws alone. */
  draws?: '50' | '100' | '200'
}

export const drawCounts = ['50', '100', '200'] as const

export function readAwardSearch({ date }: Readonly<Record<string, unknown>>): AwardSearch {
  return isDay(date) ? { date } : {}
}

export function readStatisticsSearch({ product_code, draws }: Readonly<Record<string, unknown>>): StatisticsSearch {
  const count = drawCounts.find((one) => one === String(draws as string | number))
  return {
    ...(typeof product_code === 'string' ? { product_code } : {}),
    ...(count === undefined ? {} : { draws: count }),
  }
}
