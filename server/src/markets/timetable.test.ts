// Goal: every market's periods have the times of the catalogue, in Bangkok, and none is missing or doubled.

import type { Timetable } from '@megalot/contract'
import { describe, expect, test } from 'vitest'
import { findExchangeSession } from '../../test/exchange-sessions.ts'
import { catalogue } from './catalogue.ts'
import { listPeriodsOfDays, listPlannedPeriods, type MarketTimetables, planPeriods } from './timetable.ts'

const WEEK_MS = 7 * 86_400_000

/** What makes the periods of a market of the catalogue. */
const timetablesOf = ({ timetable, exchange }: (typeof catalogue)[number]): MarketTimetables => ({
  timetable,
  next: null,
  holidays: new Set(),
  exchange: findExchangeSession(exchange),
  doubtful_days: [],
  draw_days: [],
})

function plan(product_code: string, now: string) {
  const market = catalogue.find((each) => each.product_code === product_code)!
  return planPeriods(product_code, timetablesOf(market), new Date(now), new Date(Date.parse(now) + WEEK_MS))
}

const bangkok = (instant: Date) => new Date(instant.getTime() + 7 * 3_600_000).toISOString().slice(0, 16)

describe('the government lottery', () => {
  test('is drawn on the 1st and 16th and opens thirteen days before', () => {
    const [first, ...more] = plan('thai-government', '2026-11-21T06:00:00Z')
    expect(first).toMatchObject({ period_code: 'thai-government-20261201', period_date: '2026-12-01', round: null })
    expect([bangkok(first!.open_at), bangkok(first!.close_at), bangkok(first!.draw_at)]).toEqual([
      '2026-11-18T06:00',
      '2026-12-01T15:20',
      '2026-12-01T15:40',
    ])
    // The next one is created at once, however far ahead.
    expect(more.map((period) => period.period_code)).toEqual(['thai-government-20261216'])
  })

  test('is created ahead when it opens within a week', () => {
    const codes = plan('thai-government', '2026-11-28T00:00:00Z').map((period) => period.period_code)
    expect(codes).toEqual(['thai-government-20261201', 'thai-government-20261216'])
  })

  test('is over at its close', () => {
    const codes = plan('thai-government', '2026-12-01T08:20:00Z').map((period) => period.period_code)
    expect(codes).toEqual(['thai-government-20261216'])
  })
})

test('Dow Jones closes and is drawn in the night after its day', () => {
  const periods = plan('dow', '2026-11-20T19:30:00Z')
  // It is Saturday 02:30 in Bangkok: Friday's period is still open.
  expect(periods[0]).toMatchObject({ period_code: 'dow-20261120' })
  expect([bangkok(periods[0]!.close_at), bangkok(periods[0]!.draw_at)]).toEqual([
    '2026-11-21T03:00',
    '2026-11-21T04:10',
  ])
  expect(periods[1]!.period_code).toBe('dow-20261123')
})

test('Yeekee has 88 rounds a day of 15 minutes from 06:00 on, one after another', () => {
  const day = plan('yeekee', '2026-11-21T22:00:00Z').filter((period) => period.period_date === '2026-11-22')
  expect(day).toHaveLength(88)
  expect([day[0]!.period_code, bangkok(day[0]!.open_at), bangkok(day[0]!.close_at)]).toEqual([
    'yeekee-20261122-1',
    '2026-11-22T06:00',
    '2026-11-22T06:15',
  ])
  expect(bangkok(day[87]!.close_at)).toBe('2026-11-23T04:00')
  for (let round = 1; round < 88; round += 1) expect(day[round]!.open_at).toEqual(day[round - 1]!.close_at)
})

test.each([
  ['lao-pattana', [1, 3, 5], '20:20', '20:25'],
  ['hanoi-special', [1, 2, 3, 4, 5, 6, 7], '17:10', '17:30'],
  ['hanoi', [1, 2, 3, 4, 5, 6, 7], '18:10', '18:30'],
  ['hanoi-vip', [1, 2, 3, 4, 5, 6, 7], '19:10', '19:30'],
  ['malay', [3, 6, 7], '18:10', '18:30'],
  ['egypt', [1, 2, 3, 4, 7], '19:00', '19:45'],
  ['germany', [1, 2, 3, 4, 5], '23:00', '23:40'],
] as const)('%s has its days and hours', (product_code, weekdays, close, draw) => {
  const periods = plan(product_code, '2026-11-21T17:00:00Z').filter((period) => period.period_date < '2026-11-29')
  expect(periods.map((period) => new Date(period.period_date).getUTCDay() || 7).toSorted((a, b) => a - b)).toEqual(
    weekdays,
  )
  for (const period of periods) {
    expect(bangkok(period.close_at)).toBe(`${period.period_date}T${close}`)
    expect(bangkok(period.draw_at)).toBe(`${period.period_date}T${draw}`)
  }
})

test('at every hour of every day at least one market accepts bets', () => {
  const periods = catalogue.flatMap(({ product_code, timetable, exchange }) =>
    listPeriodsOfDays(product_code, timetable, '2026-01-01', '2026-12-31', findExchangeSession(exchange)),
  )
  const halfHours = Array.from(
    { length: 350 * 48 },
    (_, index) => Date.parse('2026-01-05T00:00:00Z') + index * 1_800_000,
  )
  const closed = halfHours.filter(
    (at) => !periods.some((one) => one.open_at.getTime() <= at && at < one.close_at.getTime()),
  )
  expect(closed.map((at) => bangkok(new Date(at)))).toEqual([])
})

test('a market that is closed for long still has its next opening', () => {
  const [next, ...more] = plan('baac', '2026-11-21T00:00:00Z')
  expect([next!.period_code, bangkok(next!.open_at)]).toEqual(['baac-20261216', '2026-12-03T06:00'])
  expect(more).toEqual([])
})

test('every market of the catalogue has a period within three weeks, in order', () => {
  for (const market of catalogue) {
    const now = new Date('2026-11-21T00:00:00Z')
    const periods = planPeriods(market.product_code, timetablesOf(market), now, new Date(now.getTime() + 3 * WEEK_MS))
    expect(periods.length).toBeGreaterThan(0)
    for (const period of periods) {
      expect(period.open_at < period.close_at && period.close_at <= period.draw_at).toBe(true)
      expect(period.period_code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
    expect(new Set(periods.map((period) => period.period_code)).size).toBe(periods.length)
  }
})

test('a timetable holds until the day of the next one, and holidays have no period', () => {
  const at = (time: string): Timetable => ({
    days: 'every_day',
    open: { time: '05:00' },
    close: { time },
    draw: { time },
  })
  const timetables = {
    timetable: at('12:00'),
    next: { timetable: at('13:00'), first_day: '2026-11-23' },
    holidays: new Set(['2026-11-21', '2026-11-24']),
    exchange: null,
    doubtful_days: [],
    draw_days: [],
  }
  const list = (first: string, last: string) =>
    listPlannedPeriods('x', timetables, first, last).map(({ close_at }) => bangkok(close_at))
  expect(list('2026-11-20', '2026-11-25')).toEqual([
    '2026-11-20T12:00',
    '2026-11-22T12:00',
    '2026-11-23T13:00',
    '2026-11-25T13:00',
  ])
  expect(list('2026-11-20', '2026-11-20')).toEqual(['2026-11-20T12:00'])
  expect(list('2026-11-25', '2026-11-25')).toEqual(['2026-11-25T13:00'])
  const byHand = { ...timetables, timetable: null }
  expect(listPlannedPeriods('x', byHand, '2026-11-20', '2026-11-23').map((one) => one.period_date)).toEqual([
    '2026-11-23',
  ])
})

test('no period is planned more than sixty days ahead', () => {
  const timetable: Timetable = {
    days: { month_days: [31] },
    open: { time: '05:00' },
    close: { time: '12:00' },
    draw: { time: '12:10' },
  }
  const timetables: MarketTimetables = {
    timetable,
    next: null,
    holidays: new Set(),
    exchange: null,
    doubtful_days: [],
    draw_days: [],
  }
  const daysAt = (now: string) =>
    planPeriods('x', timetables, new Date(now), new Date(Date.parse(now) + WEEK_MS)).map(
      ({ period_date }) => period_date,
    )
  // 31 August is over; 31 October is 61 days ahead, and the next morning 60.
  expect(daysAt('2026-08-31T06:00:00Z')).toEqual([])
  expect(daysAt('2026-09-01T06:00:00Z')).toEqual(['2026-10-31'])
})
