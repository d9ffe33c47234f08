// Goal: two people hold a draw up to seven days later. Its period opens as before, its tickets stay, and no bet is taken after a draw.

import { beforeEach, describe, expect, test } from 'vitest'
import { approve, decideByTwo, mustPropose } from '../../../../test/approvals.ts'
import { addDays, bangkokDayOf } from '../../../lib/bangkok.ts'
import { findViolatedInvariants } from '../../../../test/invariants.ts'
import { agreeOnResult, codeOf, makeTicket, placeTicket, readOrder } from '../../../../test/scenes.ts'
import { startTestApp } from '../../../../test/test-app.ts'
import { settleDuePeriods } from '../../../results/index.ts'
import { makePeriods } from '../../../markets/index.ts'

const app = await startTestApp()
const first = await app.logIn('office01')
const second = await app.logIn('office02')
const member = await app.logIn('member01')
await makePeriods(app.db)

/** Markets with one draw a day, and their close and draw. */
const markets = [
  ['hanoi', '18:10', '18:30'],
  ['hanoi-special', '17:10', '17:30'],
  ['hanoi-vip', '19:10', '19:30'],
] as const
let taken = 0
let product_code: string
let period_code: string
/** The day of the period, and its market's close and draw. */
let own: { days: number; close: string; draw: string }

/** Each test has a period of its own, of the next days, which has been open for an hour. */
beforeEach(async () => {
  const [market, close, draw] = markets[taken % 3]!
  own = { days: 1 + Math.floor(taken / 3), close, draw }
  taken += 1
  product_code = market
  period_code = `${market}-${dayAt(own.days).replaceAll('-', '')}`
  await app.asOwner`update periods set open_at = clock_timestamp() - interval '1 hour' where period_code = ${period_code}`
})

const dayAt = (days: number) => addDays(bangkokDayOf(new Date()), days)
const at = (days: number, time: string) => new Date(`${dayAt(days)}T${time}:00+07:00`).toISOString()
/** By so many days, to the hours of the market. By one day no other draw is held before the close. */
const postponement = (by = 1, changes: object = {}) => ({
  period_code,
  close_at: at(own.days + by, own.close),
  draw_at: at(own.days + by, own.draw),
  ...changes,
})
const bet = () => member.post('/api/order/create', makeTicket(period_code))

async function readPeriod() {
  return (await member.get(`/api/product/${product_code}/period/${period_code}`)).json.data.period
}

describe('a draw that is postponed by two people', () => {
  test('moves close and draw alone; tickets stay, and the members of the period are told', async () => {
    const order = await placeTicket(member, makeTicket(period_code))
    const before = await readPeriod()
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement()))).toBe('ok')
    expect(await readPeriod()).toEqual({
      ...before,
      close_at: postponement().close_at,
      draw_at: postponement().draw_at,
    })
    expect((await readOrder(member, order)).status).toBe('CONFIRMED')
    const { data } = (await member.get('/api/notice/list')).json
    expect(data[0]).toMatchObject({ kind: 'period_postponed', is_read: false, period: { period_code } })
    const { rows } = await app.asOwner`select before, after from audit_log
      where action = 'postpone_period' and subject = ${`period:${period_code}`}`
    expect(rows).toMatchObject([
      { before: { close_at: before.close_at }, after: { close_at: postponement().close_at } },
    ])
    // The close in between is no close any more.
    expect(codeOf(await bet())).toBe('ok')
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test.each<[string, () => object, string]>([
    ['by more than seven days', () => postponement(7, { draw_at: at(own.days + 7, '20:00') }), 'postponed_too_far'],
    [
      'to an earlier draw',
      () => postponement(0, { close_at: at(own.days, '16:00'), draw_at: at(own.days, '16:30') }),
      'postponed_too_far',
    ],
    ['with a close after the draw', () => postponement(1, { close_at: at(own.days + 1, '19:40') }), 'bad_input'],
    ['to a close after the next draw of the market', () => postponement(2), 'close_after_draw'],
    ['beyond sixty days', () => postponement(60), 'date_too_far'],
  ])('is refused %s', async (_name, payload, code) => {
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', payload()))).toBe(code)
  })

  test('opens a period whose draw day was doubtful', async () => {
    await app.asOwner`update periods set open_at = ${at(own.days, '05:00')} where period_code = ${period_code}`
    const doubtful = { day: dayAt(own.days), is_confirmed: false, reason: 'a holiday is near' }
    await first.post(`/api/admin/product/${product_code}/draw_day`, doubtful)
    expect((await readPeriod()).open_at).toBe((await readPeriod()).close_at)
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement()))).toBe('ok')
    expect(await readPeriod()).toMatchObject({ open_at: at(own.days, '05:00'), close_at: postponement().close_at })
  })
})

describe('a postponement at the same time as', () => {
  test('bets loses none of them, and all are of the period', async () => {
    const approval = await mustPropose(first, 'postpone_period', postponement())
    const bets = Array.from({ length: 20 }, () => member.post('/api/order/create', makeTicket(period_code)))
    const [approved, ...placed] = await Promise.all([approve(second, approval), ...bets])
    expect(codeOf(approved)).toBe('ok')
    expect(placed.map(codeOf)).toEqual(placed.map(() => 'ok'))
    const { rows } = await app.asOwner<{ count: number }>`
      select count(*)::int as count from orders join periods using (period_id) where period_code = ${period_code}`
    expect(rows[0]!.count).toBe(20)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('an early close is one of both: closed, or postponed and closed', async () => {
    const approval = await mustPropose(first, 'postpone_period', postponement())
    const close = first.post(`/api/admin/period/${period_code}/close`, { reason: 'draw held' })
    const [approved, closed] = await Promise.all([approve(second, approval), close])
    expect(codeOf(closed)).toBe('ok')
    expect(['ok', 'period_not_movable', 'approval_outdated']).toContain(codeOf(approved))
    expect((await readPeriod()).status).toBe('closed')
    expect(codeOf(await bet())).toBe('period_closed')
  })

  test('the result is refused: the period has closed, and is settled', async () => {
    await placeTicket(member, makeTicket(period_code))
    const approval = await mustPropose(first, 'postpone_period', postponement())
    await first.post(`/api/admin/period/${period_code}/close`, { reason: 'draw held' })
    await agreeOnResult(app, period_code, { first_prize: '00123', top3: '123', bottom2: '45' })
    const [approved] = await Promise.all([approve(second, approval), settleDuePeriods(app.db)])
    expect(['period_not_movable', 'approval_outdated']).toContain(codeOf(approved))
    await settleDuePeriods(app.db)
    expect((await readPeriod()).status).toBe('settled')
  })
})

// They change their markets for later tests.
describe('a postponed draw', () => {
  test('does not keep the timetable from being changed', async () => {
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement()))).toBe('ok')
    const timetable = { days: 'every_day', open: { time: '05:00' }, close: { time: '23:10' }, draw: { time: '23:30' } }
    const change = { product_code, timetable, first_day: dayAt(1) }
    expect(codeOf(await decideByTwo(first, second, 'change_timetable', change))).toBe('ok')
    expect((await readPeriod()).close_at).toBe(postponement().close_at)
  })

  test('is postponed again up to seven days from its planned day', async () => {
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement()))).toBe('ok')
    for (let days = own.days + 1; days <= own.days + 9; days += 1) {
      const holiday = { product_codes: [product_code], day: dayAt(days), is_on: true, name: 'Tet', reason: 'no draw' }
      expect(codeOf(await first.post('/api/admin/product/holiday', holiday))).toBe('ok')
    }
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement(8)))).toBe('postponed_too_far')
    expect(codeOf(await decideByTwo(first, second, 'postpone_period', postponement(7)))).toBe('ok')
  })
})
