// When a market's periods open, close and are drawn: in Bangkok time, or for a stock market in its exchange's.

import type { Timetable } from '@megalot/contract'
import { addDays, bangkokDayOf, weekdayOf } from '../lib/bangkok.ts'
import { zonedDayOf, zonedInstant } from '../lib/zoned-time.ts'
import { type ExchangeSession, findSessionDay, type SessionDay } from './exchange-session.ts'
import { lastPeriodDay } from './horizon.ts'
import type { PeriodRecord } from './periods.ts'

/** What determines a market's periods. */
export interface MarketTimetables {
  /** Null if its periods are created by hand. */
  timetable: Timetable | null
  /** Replaces it from a given day on. */
  next: { timetable: Timetable; first_day: string } | null
  /** Days without a period. */
  holidays: ReadonlySet<string>
  /** Null if the market is not a stock market. */
  exchange: ExchangeSession | null
  /** Days of each year (MM-DD) on which the draw may move to another day. */
  doubtful_days: readonly string[]
  /** Days that the office has confirmed, or marked as doubtful. */
  draw_days: readonly { day: string; is_confirmed: boolean }[]
}

export interface PlannedPeriod {
  period_code: string
  period_date: string
  round: number | null
  open_at: Date
  close_at: Date
  draw_at: Date
}

/** `{product_code}-{yyyymmdd}[-{round}]` */
export function makePeriodCode(product_code: string, period_date: string, round: number | null): string {
  const day = period_date.replaceAll('-', '')
  return round === null ? `${product_code}-${day}` : `${product_code}-${day}-${round}`
}

/**
 * A market's periods that are not over and open before `until`, in time order, and always the next one to open, so that
 * a closing market knows when it opens again. None is beyond the horizon.
 */
export function planPeriods(
  product_code: string,
  timetables: MarketTimetables,
  now: Date,
  until: Date,
): PlannedPeriod[] {
  // The previous day may run past midnight.
  const planned = listPlannedPeriods(product_code, timetables, addDays(bangkokDayOf(now), -1), lastPeriodDay(now))
  const notOver = planned.filter((period) => period.close_at > now)
  const next = notOver.find((period) => period.open_at > now)
  return notOver.filter((period) => period.open_at <= until || period === next)
}

/**
 * Every period of a market between two days, both included, over or not, in time order. A day on which the exchange is
 * closed has none.
 */
export function listPeriodsOfDays(
  product_code: string,
  timetable: Timetable,
  first_day: string,
  last_day: string,
  exchange: ExchangeSession | null,
): PlannedPeriod[] {
  const periods: PlannedPeriod[] = []
  for (let day = first_day; day <= last_day; day = addDays(day, 1)) {
    if (!hasPeriodOn(timetable, day)) continue
    if (exchange === null) periods.push(...periodsOfDay(product_code, timetable, day, 'Asia/Bangkok', null))
    else {
      const session = findSessionDay(exchange, day)
      if (session) periods.push(...periodsOfDay(product_code, timetable, day, exchange.zone, session))
    }
  }
  return periods
}

/**
 * As `listPeriodsOfDays`, using each day's timetable; none on holidays. On a doubtful day a period opens at its close,
 * so it never accepts bets.
 */
export function listPlannedPeriods(
  product_code: string,
  timetables: MarketTimetables,
  first_day: string,
  last_day: string,
): PlannedPeriod[] {
  const { timetable, next, holidays, exchange } = timetables
  const change = next?.first_day ?? addDays(last_day, 1)
  const listOf = (one: Timetable | null, from: string, to: string) =>
    one ? listPeriodsOfDays(product_code, one, from, to, exchange) : []
  const before = addDays(change, -1)
  return [
    ...listOf(timetable, first_day, before < last_day ? before : last_day),
    ...listOf(next?.timetable ?? null, change > first_day ? change : first_day, last_day),
  ]
    .filter(({ period_date }) => !holidays.has(period_date))
    .map((period) =>
      isDrawDayDoubtful(timetables, period.period_date) ? { ...period, open_at: period.close_at } : period,
    )
}

/** Whether a day's draw may be held on another day, and is not confirmed. */
export function isDrawDayDoubtful(
  { doubtful_days, draw_days }: Pick<MarketTimetables, 'doubtful_days' | 'draw_days'>,
  day: string,
): boolean {
  const set = draw_days.find((each) => each.day === day)
  return set ? !set.is_confirmed : doubtful_days.includes(day.slice(5))
}

/** The timetable in force on a day. */
export function timetableOn(
  { timetable, next }: Pick<MarketTimetables, 'timetable' | 'next'>,
  day: string,
): Timetable | null {
  return next && next.first_day <= day ? next.timetable : timetable
}

/** A period with whether its draw was postponed to another day. */
export type PlacedPeriod = PeriodRecord & { is_postponed: boolean }

/**
 * The timetable's plan for a period's draw: its own round if the market has rounds, otherwise the day's only period.
 */
export function findOwnDraw(
  timetables: Pick<MarketTimetables, 'timetable' | 'next' | 'exchange'>,
  { product_code, period_date, period_code }: Pick<PeriodRecord, 'product_code' | 'period_date' | 'period_code'>,
): PlannedPeriod | undefined {
  const timetable = timetableOn(timetables, period_date)
  if (timetable === null) return undefined
  const ofDay = listPeriodsOfDays(product_code, timetable, period_date, period_date, timetables.exchange)
  return timetable.rounds ? ofDay.find((each) => each.period_code === period_code) : ofDay[0]
}

/**
 * Whether a period accepts bets after the planned draw, whatever its own draw hour, or after its exchange's latest
 * close on the day of its draw.
 */
export function closesTooLate(timetables: MarketTimetables, period: PlacedPeriod): boolean {
  const { exchange } = timetables
  const planned = findOwnDraw(timetables, period)
  if (planned && !period.is_postponed && period.close_at > planned.draw_at) return true
  if (exchange === null) return false
  const drawDay = period.is_postponed ? zonedDayOf(period.draw_at, exchange.zone) : period.period_date
  const session = findSessionDay(exchange, drawDay)
  return session === null || period.close_at > session.latest_close
}

function hasPeriodOn({ days }: Timetable, day: string): boolean {
  if (days === 'every_day') return true
  if ('weekdays' in days) return days.weekdays.includes(weekdayOf(day))
  return days.month_days.includes(Number(day.slice(8)))
}

function periodsOfDay(
  product_code: string,
  timetable: Timetable,
  day: string,
  zone: string,
  session: SessionDay | null,
): PlannedPeriod[] {
  const at = ({ time, day_offset }: Timetable['open'], minutes: number) =>
    new Date(zonedInstant(day, time, zone, day_offset).getTime() + minutes * 60_000)
  const latest = session?.latest_close
  const count = timetable.rounds?.count ?? 1
  return (
    Array.from({ length: count }, (_, index) => {
      const round = timetable.rounds ? index + 1 : null
      const minutes = index * (timetable.rounds?.every_minutes ?? 0)
      // An early close of the exchange moves close and draw.
      const later = minutes + (session?.shift_minutes ?? 0)
      const close_at = at(timetable.close, later)
      return {
        period_code: makePeriodCode(product_code, day, round),
        period_date: day,
        round,
        open_at: at(timetable.open, minutes),
        close_at: latest && latest < close_at ? latest : close_at,
        draw_at: at(timetable.draw, later),
      }
    })
      // A session that ends before betting opens leaves no period.
      .filter(({ open_at, close_at }) => session === null || open_at < close_at)
  )
}
