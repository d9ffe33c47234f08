// Goal: no stock market takes a bet after its exchange has closed: on no holiday, no early close, and no day on which a clock changes.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findExchangeSession } from '../../test/exchange-sessions.ts'
import { cloneDatabase } from '../../test/test-database.ts'
import { addDays, weekdayOf } from '../lib/bangkok.ts'
import { catalogue } from './catalogue.ts'
import { type ExchangeData, LISTED_UNTIL, loadExchangeData, readExchangeData } from './exchange-data.ts'
import { listPeriodsOfDays, type PlannedPeriod } from './timetable.ts'
import { listProductTimetables } from './timetables.store.ts'

const FIRST_DAY = '2026-11-28'
const MARGIN_MS = 5 * 60_000

const stockMarkets = catalogue.filter(({ group_code }) => group_code === 'stock')

const database = await cloneDatabase()
const data: ExchangeData = await readExchangeData()

const sessionOf = (market: (typeof catalogue)[number]) => findExchangeSession(market.exchange)!

function listAll(market: (typeof catalogue)[number], last_day = LISTED_UNTIL): PlannedPeriod[] {
  return listPeriodsOfDays(market.product_code, market.timetable, FIRST_DAY, last_day, sessionOf(market))
}

/** The closes of exchanges on days, as PostgreSQL counts them from the rows of the files. */
async function readCloses(asked: readonly { day: string; time: string; zone: string }[]): Promise<number[]> {
  const { rows } = await database.asOwner<{ at: Date }>`
    select (day::date + time::time) at time zone zone as at
    from unnest(${asked.map(({ day }) => day)}::text[], ${asked.map(({ time }) => time)}::text[],
      ${asked.map(({ zone }) => zone)}::text[]) with ordinality as asked (day, time, zone, place) order by place`
  return rows.map(({ at }) => at.getTime())
}

test('every stock market of the catalogue has an exchange', () => {
  expect(stockMarkets.filter(({ exchange }) => exchange === null)).toEqual([])
  expect(catalogue.filter((market) => market.group_code !== 'stock' && market.exchange)).toEqual([])
})

describe.each(stockMarkets.map((market) => [market.product_code, market] as const))('%s', (_name, market) => {
  test('closes at least five minutes before its exchange, on every day of two years', async () => {
    const { exchange_code, zone, closes } = sessionOf(market)
    const early = new Map(
      data.days.filter((each) => each.exchange_code === exchange_code).map(({ day, closes: at }) => [day, at]),
    )
    const periods = listAll(market)
    expect(periods.length).toBeGreaterThan(450)
    const asked = periods.map(({ period_date: day }) => {
      const earlyClose = early.get(day) ?? closes
      return { day, zone, time: earlyClose < closes ? earlyClose : closes }
    })
    const exchangeCloses = await readCloses(asked)
    const late = periods.filter(({ close_at }, place) => close_at.getTime() > exchangeCloses[place]! - MARGIN_MS)
    expect(late).toEqual([])
    expect(periods.filter(({ open_at, close_at, draw_at }) => open_at >= close_at || close_at > draw_at)).toEqual([])
  })

  test('has no period on a holiday, on a weekend, or where an early close leaves out its session', () => {
    const { exchange_code, opens, weekdays } = sessionOf(market)
    const closed = new Set(
      data.days
        .filter((each) => each.exchange_code === exchange_code && (each.closes === null || each.closes <= opens))
        .map(({ day }) => day),
    )
    expect(closed.size).toBeGreaterThan(5)
    const wrong = listAll(market).filter(
      ({ period_date }) => closed.has(period_date) || !weekdays.includes(weekdayOf(period_date)),
    )
    expect(wrong).toEqual([])
    const planned = new Set(listAll(market).map(({ period_date }) => period_date))
    for (let day = FIRST_DAY; day <= LISTED_UNTIL; day = addDays(day, 1))
      expect([day, planned.has(day)]).toEqual([day, weekdays.includes(weekdayOf(day)) && !closed.has(day)])
  })
})

test('New York closed at one on 27 November 2026: Dow closes and is drawn three hours earlier that day', () => {
  const dow = stockMarkets.find(({ product_code }) => product_code === 'dow')!
  const [friday] = listPeriodsOfDays('dow', dow.timetable, '2026-11-27', '2026-11-27', sessionOf(dow))
  expect([friday!.close_at, friday!.draw_at].map((at) => at.toISOString())).toEqual([
    '2026-11-27T17:00:00.000Z',
    '2026-11-27T18:10:00.000Z',
  ])
})

test('close and draw follow the summer time of the exchange', () => {
  const dow = stockMarkets.find(({ product_code }) => product_code === 'dow')!
  const [winter, summer] = ['2027-03-12', '2027-03-15'].map(
    (day) => listPeriodsOfDays('dow', dow.timetable, day, day, sessionOf(dow))[0]!,
  )
  const hours = ({ close_at, draw_at }: PlannedPeriod) =>
    [close_at, draw_at].map((at) => at.toISOString().slice(11, 16))
  expect([hours(winter!), hours(summer!)]).toEqual([
    ['20:00', '21:10'],
    ['19:00', '20:10'],
  ])
})

test('the data name for each exchange the day until which they are published, and reach two years', async () => {
  const { rows } = await database.asOwner<{ exchange_code: string; until: string }>`
    select exchange_code, to_char(published_until, 'YYYY-MM-DD') as until from exchanges order by exchange_code`
  expect(Object.fromEntries(rows.map(({ exchange_code, until }) => [exchange_code, until]))).toEqual({
    XBKK: '2026-12-31',
    XBOM: '2026-12-31',
    XCAI: '2026-10-31',
    XETR: '2028-12-31',
    XHKG: '2026-12-31',
    XKRX: '2026-12-31',
    XLON: '2028-12-31',
    XMOS: '2026-12-31',
    XNSE: '2026-12-31',
    XNYS: '2028-12-31',
    XSES: '2026-12-31',
    XSHG: '2026-12-31',
    XTAI: '2026-12-31',
    XTKS: '2027-12-31',
  })
})

test('older data of a node do not replace newer ones, and the same are not written again', async () => {
  const { owner } = database
  const countDays = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from exchange_days`.execute(owner)).rows[0]!.count
  const all = await countDays()
  expect(all).toBe(data.days.length)
  await sql`delete from exchange_days where day = '2026-12-25'`.execute(owner)
  await owner.transaction().execute(loadExchangeData)
  expect(await countDays()).toBeLessThan(all)
  await sql`update exchanges set as_of = '2026-01-01'`.execute(owner)
  await owner.transaction().execute(loadExchangeData)
  expect(await countDays()).toBe(all)
})

test('a market reads from the database what the files say', async () => {
  const markets = await listProductTimetables(database.db)
  for (const market of stockMarkets) {
    const { exchange } = markets.find(({ product_code }) => product_code === market.product_code)!
    const expected = sessionOf(market)
    const days = (of: typeof expected) => of.days.map(({ day, closes }) => `${day} ${closes}`).toSorted()
    expect({ ...exchange, days: days(exchange!) }).toEqual({ ...expected, days: days(expected) })
  }
})
