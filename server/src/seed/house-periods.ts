// The periods of the demo's history: those of every market's timetable, those of the real draws of the Thai government
// lottery as far as they are known, and when each was drawn and settled.

import type { Timetable } from '@megalot/contract'
import type { BetTypeCode, DrawResult, ResultForm } from '@megalot/rules'
import {
  type ExchangeSession,
  listPeriodsOfDays,
  makePeriodCode,
  type PlannedPeriod,
} from '../modules/markets/index.ts'
import { addDays, bangkokDayOf } from '../platform/bangkok.ts'
import { generateResult } from './demo-results.ts'
import { drawTimes, GOVERNMENT_PRODUCT, type PastDraw } from './past-draws.ts'
import { createRandom } from './random.ts'

export interface HouseMarket {
  product_code: string
  bet_types: readonly BetTypeCode[]
  result_form: ResultForm
  timetable: Timetable | null
  exchange: ExchangeSession | null
}

/** A draw that two office users have entered and that was paid. */
export interface HouseDraw {
  result: DrawResult
  /** A generated result, not a real one. */
  is_demo: boolean
  entered_at: Date
  repeated_at: Date
  settled_at: Date
}

export interface HousePeriod extends PlannedPeriod {
  product_code: string
  /** Null: not drawn yet, or so recently that the office has not entered it; or void. */
  draw: HouseDraw | null
  /** Null: not void. */
  voided: HouseVoid | null
}

/** A period without a valid draw, which two office users have voided. */
export interface HouseVoid {
  requested_at: Date
  approved_at: Date
  finished_at: Date
}

/**
 * Every period that opened until now and was drawn in the last days or will be drawn.
 * @param draws the real draws of the Thai government lottery
 */
export function planHousePeriods(
  markets: readonly HouseMarket[],
  draws: readonly PastDraw[],
  now: Date,
  days: number,
): HousePeriod[] {
  const first_day = addDays(bangkokDayOf(now), -days)
  return markets.flatMap(({ product_code, result_form, timetable, exchange }) => {
    if (timetable === null) return []
    const real = product_code === GOVERNMENT_PRODUCT ? draws : []
    return listPlanned({ product_code, timetable, exchange }, real, first_day, addDays(bangkokDayOf(now), 31))
      .filter(({ open_at }) => open_at <= now)
      .map((period) => {
        const drawn = real.find(({ date }) => date === period.period_date)
        const is_demo = drawn === undefined
        const result = drawn?.result ?? generateResult(period.period_code, result_form)
        const voided = planVoid(product_code, period, now, days)
        const draw = voided ? null : planDraw(period, { result, is_demo }, now)
        return { ...period, product_code, draw, voided }
      })
  })
}

/** Real draws move around holidays: where they are known the timetable is not used. */
function listPlanned(
  { product_code, timetable, exchange }: Pick<HouseMarket, 'product_code' | 'exchange'> & { timetable: Timetable },
  real: readonly PastDraw[],
  first_day: string,
  last_day: string,
): PlannedPeriod[] {
  const known_until = real.at(-1)?.date ?? ''
  const planned = listPeriodsOfDays(product_code, timetable, first_day, last_day, exchange)
  const known = real
    .filter(({ date }) => date >= first_day)
    .map(({ date }) => ({
      period_code: makePeriodCode(product_code, date, null),
      period_date: date,
      round: null,
      ...drawTimes(date),
    }))
  return [...known, ...planned.filter(({ period_date }) => period_date > known_until)]
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** The market with one period without a valid draw, and how many days ago. */
const voidedPeriod = { product_code: 'hanoi-vip', days_ago: 3 }

function planVoid(
  product_code: string,
  { period_date, draw_at }: PlannedPeriod,
  now: Date,
  days: number,
): HouseVoid | null {
  if (product_code !== voidedPeriod.product_code || days <= voidedPeriod.days_ago) return null
  if (period_date !== addDays(bangkokDayOf(now), -voidedPeriod.days_ago)) return null
  const [requested_at, approved_at, finished_at] = [70, 83, 83.01].map(
    (minutes) => new Date(draw_at.getTime() + minutes * MINUTE_MS),
  )
  return { requested_at: requested_at!, approved_at: approved_at!, finished_at: finished_at! }
}

/** When the office entered the result of a draw; undefined where that would be in the future. */
function planDraw(
  { period_code, draw_at }: PlannedPeriod,
  result: Pick<HouseDraw, 'result' | 'is_demo'>,
  now: Date,
): HouseDraw | null {
  const random = createRandom(`entry of ${period_code}`)
  const entered = draw_at.getTime() + random.between(60, 150) * SECOND_MS
  const repeated = entered + random.between(15, 60) * SECOND_MS
  const settled = repeated + random.between(200, 900)
  if (settled > now.getTime()) return null
  return { ...result, entered_at: new Date(entered), repeated_at: new Date(repeated), settled_at: new Date(settled) }
}
