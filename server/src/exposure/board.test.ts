// The board shows the house its whole exposure, and an agent that of its own downline, with own parts. Patches lead to
// the same board as reading it again; payouts of results equal settlement's.

import { betOfSlot } from '@megalot/rules'
import { beforeEach, expect, test } from 'vitest'
import {
  addPerson,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  settleWith,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { followExposure } from './follow.service.ts'

let period_code: string

const app = await startTestApp()
// Another agent with one member, who keeps a quarter of its items.
await addPerson(app.owner, 'agentb', 'agent', 'company', 10_000_000)
await addPerson(app.owner, 'memberb', 'member', 'agentb', 1_000_000)
await app.asOwner`alter table share_terms disable trigger user`
await app.asOwner`
    insert into share_terms (user_id, position_rate, line_rate, commission_rate, since_at)
    select user_id, 2500, 2500, 200, now() - interval '1 year' from users where username = 'agentb'`
await app.asOwner`alter table share_terms enable trigger user`
const office = await app.logIn('office01')
const agent = await app.logIn('agent01')
const otherAgent = await app.logIn('agentb')
const members: TestCaller[] = [await app.logIn('member01'), await app.logIn('memberb')]
await limitNumbers(app.db, '3top', 10_000, 0)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

async function follow(): Promise<void> {
  for (let step = 0; step < 3; step++) await followExposure(app.db)
}

/** 10 Baht of the first member on each of these, and 40 Baht of the second. */
async function bet(lines: readonly (readonly ['3top' | '3roll' | '2bottom', string])[]): Promise<void> {
  for (const [index, member] of members.entries()) {
    const items = lines.map(([bet_type, number]) => makeLine(bet_type, number, index === 0 ? 10 : 40))
    await placeTicket(member, makeTicket(period_code, { items }))
  }
  await follow()
}

const read = async (caller: TestCaller, query = '') => {
  const { http, json } = await caller.get(`/api/book/${period_code}${query}`)
  expect(http).toBe(200)
  return json.data
}

const names = ({ slots }: { slots: number[] }) => slots.map((slot) => Object.values(betOfSlot(slot)!).join(' '))

test('the house sees all bets, and the part that the company keeps', async () => {
  await bet([
    ['3top', '123'],
    ['3roll', '321'],
    ['2bottom', '07'],
  ])
  const board = await read(office)
  expect(names(board)).toEqual(['3top 123', '3roll 123', '2bottom 07'])
  expect(board).toMatchObject({
    is_whole: true,
    age_ms: 0,
    seal: 'open',
    line_count: 6,
    received_satang: 15_000,
    own_received_satang: 12_000,
    line_counts: [2, 2, 2],
    stakes_satang: [5_000, 5_000, 5_000],
    payouts_satang: [2_750_000, 525_000, 350_000],
    own_stakes_satang: [4_000, 4_000, 4_000],
    own_payouts_satang: [2_200_000, 420_000, 280_000],
    quotas_used: [5_000, -1, -1],
  })
})

test('an agent sees its own downline, its own part of it, and no quotas', async () => {
  await bet([
    ['3top', '123'],
    ['2bottom', '07'],
  ])
  const board = await read(otherAgent)
  expect(names(board)).toEqual(['3top 123', '2bottom 07'])
  expect(board).toMatchObject({
    received_satang: 8_000,
    own_received_satang: 2_000,
    // 33 % and 28 % of the stakes, of which it keeps a quarter; the company bears three quarters, with 2 % commission.
    discount_satang: 2_440,
    own_discount_satang: 2_440 - ((2_440 + 160) * 3) / 4,
    stakes_satang: [4_000, 4_000],
    own_stakes_satang: [1_000, 1_000],
    own_payouts_satang: [550_000, 70_000],
    quotas_used: [-1, -1],
  })
  expect(await read(agent)).toMatchObject({
    received_satang: 2_000,
    own_received_satang: 0,
    stakes_satang: [1_000, 1_000],
  })
})

test('patches since a version lead to the current board', async () => {
  await bet([
    ['3top', '123'],
    ['2bottom', '07'],
  ])
  const first = await read(office)
  const same = await read(office, `?since=${first.version}`)
  expect(same).toMatchObject({ is_whole: false, slots: [], version: first.version })
  await bet([
    ['2bottom', '07'],
    ['2bottom', '08'],
  ])
  const patch = await read(office, `?since=${first.version}`)
  expect(patch.is_whole).toBe(false)
  expect(names(patch)).toEqual(['2bottom 07', '2bottom 08'])
  const whole = await read(office)
  const patched = new Map(first.slots.map((slot, index) => [slot, first.stakes_satang[index]]))
  for (const [index, slot] of patch.slots.entries()) patched.set(slot, patch.stakes_satang[index])
  expect([...patched]).toEqual(whole.slots.map((slot, index) => [slot, whole.stakes_satang[index]]))
})

const results = async (caller: TestCaller, query = '') => {
  const { http, json } = await caller.get(`/api/book/${period_code}/results?${query}`)
  expect(http).toBe(200)
  return json.data
}

// An analysis is reused while the exposure is unchanged.
test('by result: further bets change payouts of results, of the whole and of the own part', async () => {
  await bet([['2bottom', '07']])
  const [before, ownBefore] = [await results(office), await results(office, 'part=own')]
  expect(await results(office)).toEqual(before)
  await bet([['2bottom', '07']])
  const [after, ownAfter] = [await results(office), await results(office, 'part=own')]
  expect(after.bottom_payouts_satang[7]).toBe(2 * before.bottom_payouts_satang[7]!)
  expect(ownAfter.bottom_payouts_satang[7]).toBe(2 * ownBefore.bottom_payouts_satang[7]!)
  expect(ownAfter.bottom_payouts_satang[7]).toBeLessThan(after.bottom_payouts_satang[7]!)
})

test("by result: a result's payout is what settlement pays, for the house and for the own part", async () => {
  await bet([
    ['3top', '123'],
    ['3roll', '321'],
    ['2bottom', '07'],
  ])
  const house = await results(office, 'top3=123&bottom2=07&front3=111,222&back3=333,444')
  expect(house.net_satang).toBe(house.received_satang - house.discount_satang)
  expect(house.top_payouts_satang[123]).toBe(3_275_000)
  expect(house.top_payouts_satang[321]).toBe(525_000)
  expect(house.bottom_payouts_satang[7]).toBe(350_000)
  expect(house.worst[0]).toEqual({ top3: '123', bottom2: '07', result_satang: house.net_satang - 3_625_000 })
  expect(house.worst).toHaveLength(50)
  expect(house.worst_case_satang).toBe(house.net_satang - 3_625_000)
  expect(house.tried_satang).toBe(house.worst_case_satang)
  // 6 of 1,000 top results, or one of 100 bottom results.
  expect(house.loss_chance).toBe(Math.round((1 - (1 - 0.006) * (1 - 0.01)) * 1_000_000))
  // All others cost nothing: they are the first step of the histogram.
  expect(house.histogram.chances[0]).toBe(1_000_000 - house.loss_chance)
  expect(house.histogram.chances.length * house.histogram.step_satang).toBeGreaterThan(3_625_000)
  expect(await results(otherAgent, 'part=own&top3=123&bottom2=07')).toMatchObject({
    tried_satang: expect.any(Number) as number,
  })
  const own = await results(otherAgent, 'part=own&top3=123&bottom2=07')
  expect(own.tried_satang).toBe(own.own_received_satang - own.own_discount_satang - (2_200_000 + 420_000 + 280_000) / 4)
  const alone = await office.get(`/api/book/${period_code}/results?top3=123`)
  expect(alone.http).toBe(400)
  await settleWith(app, period_code, makeResult('123', '07'))
  const { rows } = await app.asOwner<{ result_satang: number }>`
    select sum(own_part(l))::bigint as result_satang from level_periods l join periods using (period_id)
    where period_code = ${period_code}`
  expect(rows[0]!.result_satang).toBe(house.tried_satang)
})
