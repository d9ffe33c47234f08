// The house accepts as much of each item as its number's quota leaves, in full, then at half the rate, then nothing;
// manual settings take precedence over the quota.

import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  codeOf,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  readAccepted,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const office01 = await app.logIn('office01')
// 100 Baht at the full rate and 50 more at half on each three-digit number.
for (const bet_type of ['3top', '3roll'] as const) await limitNumbers(app.db, bet_type, 10_000, 5_000)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

type Bets = Parameters<typeof ticketOn>[1]
const place = (...bets: Bets) => placeTicket(member, ticketOn(period_code, bets))
const refusalOf = async (...bets: Bets) => codeOf(await member.post('/api/order/create', ticketOn(period_code, bets)))

describe('accepting a line', () => {
  test('uses the full quota, then the half quota at half the rate, then nothing: one line has one rate', async () => {
    expect((await place(['123', 60])).status).toBe('CONFIRMED')
    const cut = await place(['123', 60])
    expect([cut.status, cut.items[0]!.received_satang, cut.items[0]!.rate, cut.items[0]!.is_half_pay]).toEqual([
      'WAIT_CONFIRM',
      4_000,
      55_000,
      false,
    ])
    const half = await place(['123', 30])
    expect([half.status, half.items[0]!.received_satang, half.items[0]!.rate, half.items[0]!.is_half_pay]).toEqual([
      'WAIT_CONFIRM',
      3_000,
      27_500,
      true,
    ])
    const last = await place(['123', 30], ['789', 10])
    expect(last.items.map((item) => item.received_satang)).toEqual([2_000, 1_000])
    expect(await refusalOf(['123', 5])).toBe('all_numbers_closed')
    const rest = await place(['123', 5], ['788', 10])
    expect(rest.items.map((item) => [item.is_closed, item.status])).toEqual([
      [true, 'closed'],
      [false, 'wait_confirm'],
    ])
    expect(await readAccepted(app.owner, period_code, '123')).toBe(15_000)
  })

  test('counts all orders of a roll as one number', async () => {
    const placeRoll = (number: string) =>
      placeTicket(member, makeTicket(period_code, { items: [makeLine('3roll', number, 60)] }))
    await placeRoll('123')
    expect((await placeRoll('321')).items[0]!.received_satang).toBe(4_000)
    expect(await readAccepted(app.owner, period_code, '123', '3roll')).toBe(10_000)
  })

  test('follows the office’s manual settings, and the board shows them', async () => {
    const set = (number: string, set_to: string) =>
      office01.post(`/api/admin/game_config/limit_number/${period_code}`, { bet_type: '3top', number, set_to })
    await set('111', 'closed')
    await set('222', 'half')
    await place(['333', 85])
    await place(['444', 100])
    const board = (await member.get(`/api/game_config/limit_number/${period_code}`)).json.data
    expect(board).toEqual([
      { bet_type: '3top', number: '111', state: 'grey', pays_half: false },
      { bet_type: '3top', number: '222', state: 'yellow', pays_half: true },
      { bet_type: '3top', number: '333', state: 'yellow', pays_half: false },
      // Its full quota is used up, so it is accepted at half the rate.
      { bet_type: '3top', number: '444', state: 'yellow', pays_half: true },
    ])
    expect(await refusalOf(['111', 10])).toBe('all_numbers_closed')
    expect((await place(['222', 10])).items[0]).toMatchObject({ rate: 27_500, is_half_pay: true })
    await set('111', 'open')
    expect((await place(['111', 10])).status).toBe('CONFIRMED')
  })

  test('of a bet type with a full quota of 0 marks every number, also those without bets', async () => {
    const board = async (bet_type: string) =>
      (await member.get(`/api/game_config/limit_number/${period_code}`)).json.data
        .filter((row) => row.bet_type === bet_type)
        .map((row) => `${row.number} ${row.state}${row.pays_half ? ' half' : ''}`)
    const unlimit = () => app.asOwner`delete from quotas where bet_type in ('1bottom', '2roll')`
    onTestFinished(async () => void (await unlimit()))
    await limitNumbers(app.db, '1bottom', 0, 5_000)
    await limitNumbers(app.db, '2roll', 0, 0)
    expect(await board('1bottom')).toEqual([...'0123456789'].map((digit) => `${digit} yellow half`))
    expect(await board('2roll')).toHaveLength(55)
    expect(await board('2roll')).toContain('07 grey')
    await unlimit()
    expect(await board('1bottom')).toEqual([])
  })
})

test('the database itself refuses to oversell a quota', async () => {
  await place(['123', 100])
  const oversell = sql`select add_to_quotas(${period_code}, '{3top}', '{1}', array['{24}'], array['{15001}'], false)`
  await expect(oversell.execute(app.db)).rejects.toMatchObject({ constraint: 'quota_never_oversold' })
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
