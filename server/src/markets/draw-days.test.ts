// A period whose draw may be held on another day accepts no bets until someone has confirmed the day; the office is
// told in time.

import type { CalendarWarning, Timetable } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { decideByTwo } from '../../test/approvals.ts'
import { Calendar, changesOf, product_code, sameDay } from '../../test/calendar.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { addPeriod, codeOf, makeTicket } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { weekdayOf } from '../lib/bangkok.ts'
import { makePeriods } from './markets.service.ts'

const app = await startTestApp()
const office = await app.logIn('office01')
const other = await app.logIn('office02')
const member = await app.logIn('member01')
const calendar: Calendar = new Calendar(app, office)

beforeEach(async () => {
  await app.asOwner`delete from market_draw_days`
  await calendar.reset()
})

const setDrawDay = (days: number, is_confirmed: boolean, changes: object = {}, by = office) =>
  by.post(`/api/admin/product/${product_code}/draw_day`, {
    day: calendar.day(days),
    is_confirmed,
    reason: 'a holiday is near',
    ...changes,
  })

async function readPeriod(days: number) {
  const { json } = await member.get(`/api/product/${product_code}/period/${calendar.codeOn(days)}`)
  return json.data.period
}

const openingOf = (days: number) => `${calendar.day(days - 1)}T22:00:00.000Z`

describe('a doubtful draw day', () => {
  test('keeps its period from opening; once confirmed, it opens by the timetable', async () => {
    expect((await readPeriod(3)).open_at).toBe(openingOf(3))
    const made = { made: [calendar.codeOn(3)], removed: [calendar.codeOn(3)], kept: [] }
    expect(await changesOf(setDrawDay(3, false))).toEqual(made)
    const doubtful = await readPeriod(3)
    expect(doubtful).toMatchObject({ status: 'upcoming', open_at: doubtful.close_at })
    expect(await changesOf(setDrawDay(3, true))).toEqual(made)
    expect((await readPeriod(3)).open_at).toBe(openingOf(3))
    expect(await calendar.readAudit('set_draw_day')).toMatchObject({
      before: { day: calendar.day(3), is_doubtful: true },
      after: { day: calendar.day(3), is_doubtful: false },
    })
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('can be decided for a period with its own limits, which it keeps', async () => {
    const before = await readPeriod(3)
    await app.asOwner`
      insert into quotas (product_code, period_id, bet_type, full_satang, half_satang)
      select product_code, period_id, '2top', 1000, 0 from periods where period_code = ${calendar.codeOn(3)}`
    await changesOf(setDrawDay(3, false))
    expect((await readPeriod(3)).open_at).toBe(before.close_at)
    await changesOf(setDrawDay(3, true))
    expect((await readPeriod(3)).open_at).toBe(before.open_at)
    const { rows } = await app.asOwner`
      select 1 from quotas join periods using (period_id) where period_code = ${calendar.codeOn(3)}`
    expect(rows).toHaveLength(1)
  })

  test('cannot be decided without an audit row', async () => {
    await changesOf(setDrawDay(3, false))
    const open = sql`update periods set open_at = clock_timestamp() where period_code = ${calendar.codeOn(3)}`
    await expect(open.execute(app.db)).rejects.toMatchObject({ constraint: 'changes_are_audited' })
  })

  test('is confirmed by two people who move the period', async () => {
    await changesOf(setDrawDay(3, false))
    const at = (time: string) => new Date(`${calendar.day(3)}T${time}:00+07:00`).toISOString()
    const move = { period_code: calendar.codeOn(3), open_at: at('06:00'), close_at: at('17:10'), draw_at: at('17:30') }
    expect(codeOf(await decideByTwo(office, other, 'move_period', move))).toBe('ok')
    expect((await readPeriod(3)).open_at).toBe(at('06:00'))
    expect((await listWarnings()).filter(({ kind }) => kind === 'draw_day_doubtful')).not.toContainEqual(
      expect.objectContaining({ product_code }),
    )
  })

  test('is refused for a past day, one too far ahead, and an unknown market', async () => {
    expect(codeOf(await setDrawDay(-1, true))).toBe('bad_input')
    expect(codeOf(await setDrawDay(61, true))).toBe('date_too_far')
    const nowhere = { day: calendar.day(3), is_confirmed: true, reason: 'for a test' }
    expect(codeOf(await office.post('/api/admin/product/nowhere/draw_day', nowhere))).toBe('unknown_product')
  })
})

async function listWarnings(): Promise<CalendarWarning[]> {
  return (await office.get('/api/product/calendar_warnings')).json.data
}

describe('the office is told', () => {
  const of = (warnings: readonly CalendarWarning[], kind: CalendarWarning['kind'], about: string) =>
    warnings.filter(
      (one) =>
        one.kind === kind && (one.product_code === about || (one.product_code === null && one.exchange_code === about)),
    )
  /** A workday of the next week. */
  const workday = () => [2, 3, 4, 5].find((days) => weekdayOf(calendar.day(days)) <= 5)!

  test('a week before a period with a doubtful day opens, and not once it is confirmed', async () => {
    await changesOf(setDrawDay(6, false))
    expect(of(await listWarnings(), 'draw_day_doubtful', product_code)).toMatchObject([
      { day: calendar.day(6), period_code: calendar.codeOn(6), expected_day: null },
    ])
    await changesOf(setDrawDay(6, true))
    expect(of(await listWarnings(), 'draw_day_doubtful', product_code)).toEqual([])
  })

  test('of days on which an exchange is closed or closes early', async () => {
    await app.asOwner`delete from exchange_days where exchange_code = 'XNYS'`
    expect(of(await listWarnings(), 'exchange_closed', 'dow')).toEqual([])
    const day = calendar.day(workday())
    await app.asOwner`insert into exchange_days values ('XNYS', ${day}, null, 'Mourning')`
    expect(of(await listWarnings(), 'exchange_closed', 'dow')).toMatchObject([{ day, name: 'Mourning' }])
    await app.asOwner`update exchange_days set closes = '13:00', name = 'Storm' where (exchange_code, day) = ('XNYS', ${day})`
    expect(of(await listWarnings(), 'exchange_early', 'dow')).toMatchObject([{ day, name: 'Storm' }])
  })

  test('of a period that accepts bets after its exchange has closed', async () => {
    const days = workday()
    const at = (time: string) => new Date(`${calendar.day(days)}T${time}:00Z`)
    // An hour before midnight in London: the owner writes what the application could not.
    const times = { open_at: at('08:00'), close_at: at('22:00'), draw_at: at('22:30') }
    const { period_code } = await addPeriod(app.owner, 'uk', calendar.day(days), times)
    expect(of(await listWarnings(), 'period_too_late', 'uk')).toMatchObject([{ period_code }])
  })

  test("when an exchange's published days end, and when all data end", async () => {
    const until = (published: number, listed: number) =>
      app.asOwner`update exchanges set published_until = ${calendar.day(published)}, listed_until = ${calendar.day(listed)}
        where exchange_code = 'XETR'`
    await until(30, 300)
    const both = async () => {
      const warnings = await listWarnings()
      return [of(warnings, 'data_expected', 'XETR').length, of(warnings, 'data_end', 'XETR').length]
    }
    expect(await both()).toEqual([0, 0])
    await until(6, 300)
    expect(await both()).toEqual([1, 0])
    await until(6, 59)
    expect(await both()).toEqual([0, 1])
  })
})

// Its ticket and its period remain, so this must be the last test.
describe('a doubtful day of every year', () => {
  /** A market that opens days before the draw, like the government lottery. */
  async function makeLongPeriods(): Promise<void> {
    const timetable: Timetable = { ...sameDay('18:10', '18:30'), open: { time: '05:00', day_offset: -5 } }
    await app.asOwner`delete from accounts where period_id in (select period_id from periods where product_code = ${product_code})`
    await app.asOwner`delete from periods where product_code = ${product_code}`
    await app.asOwner`update products set timetable = ${JSON.stringify(timetable)}, doubtful_days = array[to_char(${calendar.day(3)}::date, 'MM-DD')]
      where product_code = ${product_code}`
    await makePeriods(app.db)
  }

  test('of every year accepts no bets before it is confirmed, and accepts them at once afterwards', async () => {
    await makeLongPeriods()
    const bet = async () => codeOf(await member.post('/api/order/create', makeTicket(calendar.codeOn(3))))
    expect([(await readPeriod(2)).status, (await readPeriod(3)).status]).toEqual(['open', 'upcoming'])
    expect(await bet()).toBe('period_not_open')
    await changesOf(setDrawDay(3, true))
    expect((await readPeriod(3)).status).toBe('open')
    expect(await bet()).toBe('ok')
    // What has opened stays open.
    const kept = { made: [], removed: [], kept: [calendar.codeOn(3)] }
    expect(await changesOf(setDrawDay(3, false))).toEqual(kept)
    expect((await readPeriod(3)).status).toBe('open')
    await app.asOwner`update products set doubtful_days = '{}' where product_code = ${product_code}`
  })
})
