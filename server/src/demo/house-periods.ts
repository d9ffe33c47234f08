// The periods of the demo's history by the markets' timetables, with generated results.

import type { Timetable } from '@megalot/contract'
import type { BetTypeCode, DrawResult, ResultForm } from '@megalot/rules'
import { type ExchangeSession, listPeriodsOfDays, type PlannedPeriod } from '../markets/index.ts'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { generateResult } from './demo-results.ts'
import { GOVERNMENT_PRODUCT } from './past-draws.ts'

export interface HouseMarket {
  product_code: string
  bet_types: readonly BetTypeCode[]
  result_form: ResultForm
  timetable: Timetable | null
  exchange: ExchangeSession | null
}

export interface HousePeriod extends PlannedPeriod {
  product_code: string
  /** Null: not entered yet. */
  result: DrawResult | null
}

/** How long after a draw its result is entered, and after that repeated by a second person and paid, in minutes. */
export const RESULT_MINUTES = { entered: 1, repeated: 2 }

/**
 * Every period that opened until now and was drawn in the last days or will be drawn, in order of their opening.
 * @param real_until the day of the last known draw of the government lottery: until then `past-draws.ts` has its periods
 */
export function planHousePeriods(
  markets: readonly HouseMarket[],
  real_until: string,
  now: Date,
  days: number,
): HousePeriod[] {
  const today = bangkokDayOf(now)
  const drawn_before = new Date(now.getTime() - (RESULT_MINUTES.repeated + 1) * 60_000)
  return markets
    .flatMap(({ product_code, result_form, timetable, exchange }) =>
      timetable === null
        ? []
        : listPeriodsOfDays(product_code, timetable, addDays(today, -days), addDays(today, 31), exchange).map(
            (period): HousePeriod => ({
              ...period,
              product_code,
              result: period.draw_at < drawn_before ? generateResult(period.period_code, result_form) : null,
            }),
          ),
    )
    .filter(({ open_at }) => open_at <= now)
    .filter(({ product_code, period_date }) => product_code !== GOVERNMENT_PRODUCT || period_date > real_until)
    .toSorted((one, other) => +one.open_at - +other.open_at)
}
