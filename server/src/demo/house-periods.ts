// The periods of the demo's history, following the markets' timetables, with generated results.

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
  /** Null if not entered yet. */
  result: DrawResult | null
}

/**
 * Minutes after a draw when its result is entered, and minutes after that when it is repeated by a second person and
 * paid.
 */
export const RESULT_MINUTES = { entered: 1, repeated: 2 }

/**
 * Every period that has opened and was drawn in the last days or will be drawn, in order of opening.
 * @param real_until the last known draw of the government lottery, whose periods up to then come from `past-draws.ts`
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
