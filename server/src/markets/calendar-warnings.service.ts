// What the office needs to review in the next days: exchanges and draws whose days do not fit the timetables.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CalendarWarning } from '@megalot/contract'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { type Db, readClock } from '../postgres/db.ts'
import { projectRoot } from '../lib/project-root.ts'
import { type ExchangeSession, findSessionDay } from './exchange-session.ts'
import { lastPeriodDay } from './horizon.ts'
import { listPeriodsToClose } from './markets.store.ts'
import { closesTooLate, isDrawDayDoubtful, listPlannedPeriods } from './timetable.ts'
import { listProductTimetables, type ProductTimetables } from './timetables.store.ts'

/** How many days ahead the office is warned. */
const WARNED_DAYS = 7
const GOVERNMENT_PRODUCT = 'thai-government'

type Warning = Partial<CalendarWarning> & Pick<CalendarWarning, 'kind' | 'day'>

function toWarning(warning: Warning): CalendarWarning {
  const absent = { product_code: null, exchange_code: null, name: null, period_code: null, expected_day: null }
  return { ...absent, ...warning }
}

/** Warnings about enabled markets, the most urgent kinds first. */
export async function listCalendarWarnings(db: Db): Promise<CalendarWarning[]> {
  const now = await readClock(db)
  const all = new Map((await listProductTimetables(db)).map((market) => [market.product_code, market]))
  const markets = [...all.values()].filter(({ is_enabled }) => is_enabled)
  const expectedDays = await readExpectedDays()
  const late = (await listPeriodsToClose(db))
    .filter((period) => closesTooLate(all.get(period.product_code)!, period))
    .map(({ product_code, period_code, period_date: day }): Warning => ({
      kind: 'period_too_late',
      product_code,
      period_code,
      day,
    }))
  const exchanges = new Map(markets.flatMap(({ exchange }) => (exchange ? [[exchange.exchange_code, exchange]] : [])))
  return [
    ...late,
    ...markets.flatMap((market) => listDoubtfulDays(market, expectedDays, now)),
    ...markets.flatMap((market) => listExchangeDays(market, now)),
    ...[...exchanges.values()].flatMap((exchange) => listEndsOfData(exchange, now)),
  ].map(toWarning)
}

/** Doubtful days whose period would open, or be open, within the warning period. */
function listDoubtfulDays(market: ProductTimetables, expectedDays: ReadonlyMap<string, string>, now: Date): Warning[] {
  const { product_code } = market
  const confirmed = { ...market, doubtful_days: [], draw_days: [] }
  const opensBy = now.getTime() + WARNED_DAYS * 86_400_000
  return listPlannedPeriods(product_code, confirmed, bangkokDayOf(now), lastPeriodDay(now))
    .filter(({ open_at, close_at }) => open_at.getTime() <= opensBy && close_at > now)
    .filter(({ period_date }) => isDrawDayDoubtful(market, period_date))
    .map(({ period_date: day, period_code }) => {
      const expected_day = (product_code === GOVERNMENT_PRODUCT && expectedDays.get(day)) || null
      return { kind: 'draw_day_doubtful', product_code, day, period_code, expected_day }
    })
}

/** Days on which the exchange is closed or closes before the timetable's usual hours. */
function listExchangeDays(market: ProductTimetables, now: Date): Warning[] {
  const { product_code, exchange } = market
  if (exchange === null) return []
  const { exchange_code } = exchange
  const today = bangkokDayOf(now)
  const usual = { ...market, exchange: { ...exchange, days: [] } }
  return listPlannedPeriods(product_code, usual, today, addDays(today, WARNED_DAYS)).flatMap(
    ({ period_date: day, period_code, close_at }): Warning[] => {
      const name = exchange.days.find((each) => each.day === day)?.name ?? null
      const about = { product_code, exchange_code, day, name }
      const session = findSessionDay(exchange, day)
      if (session === null) return [{ kind: 'exchange_closed', ...about }]
      const isEarly = session.shift_minutes < 0 || close_at >= session.latest_close
      return isEarly ? [{ kind: 'exchange_early', ...about, period_code }] : []
    },
  )
}

function listEndsOfData({ exchange_code, published_until, listed_until, note }: ExchangeSession, now: Date): Warning[] {
  const about = { exchange_code, name: note }
  if (listed_until < lastPeriodDay(now)) return [{ kind: 'data_end', day: listed_until, ...about }]
  const isNear = published_until < addDays(bangkokDayOf(now), WARNED_DAYS)
  return isNear ? [{ kind: 'data_expected', day: published_until, ...about }] : []
}

let expectedDaysOnce: Promise<ReadonlyMap<string, string>> | undefined

/** Rescheduled government draws: the actual day by the planned day. */
function readExpectedDays(): Promise<ReadonlyMap<string, string>> {
  const file = join(projectRoot, 'server', 'calendar-data', 'thai-government-draw-days.csv')
  expectedDaysOnce ??= readFile(file, 'utf8').then((text) => {
    const [, ...lines] = text.trim().split('\n')
    const rows = lines.map((line) => line.split(',') as [string, string])
    return new Map(rows.filter(([planned, drawn]) => drawn !== '' && drawn !== planned))
  })
  return expectedDaysOnce
}
