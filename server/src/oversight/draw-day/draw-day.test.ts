// Goal: the day shows every period that somebody has to watch, with figures that agree with tickets, book and settlement, each caller
// its own part; and what is wrong is said.

import { changeAs, closeEarly } from '../../../test/changes.ts'
import type { DayPeriod } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import {
  addPerson,
  dayOf,
  holdDraw,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { proposeVoid, voidByTwo } from '../../../test/voids.ts'
import { correctAward, enterAward, resetAward, settlePeriod } from '../../results/index.ts'
import { followExposure, reconcileExposure } from '../../exposure/index.ts'
import { setMaintenance } from '../../markets/maintenance/index.ts'
import { getPeriodRecord } from '../../markets/index.ts'
import { createDayReader } from './draw-day.service.ts'

let period_code: string

const app = await startTestApp()
await addPerson(app.owner, 'agentb', 'agent', 'company', 10_000_000)
await addPerson(app.owner, 'memberb', 'member', 'agentb', 1_000_000)
const members: TestCaller[] = [await app.logIn('member01'), await app.logIn('memberb')]
const office: TestCaller[] = [await app.logIn('office01'), await app.logIn('office02')]
await limitNumbers(app.db, '3top', 10_000, 0)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** Read anew: the reader of a node repeats what it read within the last second. */
async function read(username: string, date?: string): Promise<DayPeriod | undefined> {
  const { periods } = await createDayReader(app.db)(await findCaller(app.db, username), date)
  return periods.find(({ period }) => period.period_code === period_code)
}

async function bet(baht: readonly number[] = [10, 40]): Promise<void> {
  for (const [index, member] of members.entries())
    await placeTicket(member, makeTicket(period_code, { items: [makeLine('3top', '123', baht[index]!)] }))
  for (let step = 0; step < 3; step++) await followExposure(app.db)
}

const enter = (who: number, top3: string) =>
  enterAward(
    app.db,
    { actor_id: office[who]!.user_id },
    { period_code, date: dayOf(period_code), result: makeResult(top3) },
  )

async function close(): Promise<number> {
  const { period_id } = await getPeriodRecord(app.db, period_code)
  await closeEarly(app.db, period_code)
  await holdDraw(app.owner, period_code)
  await reconcileExposure(app.db, period_id)
  return period_id
}

describe('an open period', () => {
  test('has the tickets, the stake and the worst case of the house', async () => {
    expect(await read('office01')).toMatchObject({ tickets: 0, stake_satang: 0, worst_case_satang: null, alerts: [] })
    await bet()
    const { json } = await office[0]!.get(`/api/book/${period_code}/results`)
    expect(json.data.worst_case_satang).toBeLessThan(0)
    expect(await read('office01')).toMatchObject({
      tickets: 2,
      stake_satang: 5_000,
      worst_case_satang: json.data.worst_case_satang,
      result: 'none',
      seal: null,
      alerts: [],
    })
  })

  test('follows the book: the worst case that was counted before is counted anew', async () => {
    const reader = createDayReader(app.db)
    const caller = await findCaller(app.db, 'office01')
    const worst = async () =>
      (await reader(caller, undefined)).periods.find(({ period }) => period.period_code === period_code)!
        .worst_case_satang
    await bet()
    const before = await worst()
    await bet([20, 20])
    // Beyond the second for which a reader repeats itself.
    await expect.poll(worst, { timeout: 10_000 }).toBeLessThan(before!)
    expect(await worst()).toBe((await read('office01'))!.worst_case_satang)
  })

  test('shows agents their own line, and neither results nor the risk of the house', async () => {
    await bet()
    expect(await read('agent01')).toMatchObject({
      tickets: 1,
      stake_satang: 1_000,
      worst_case_satang: null,
      result: null,
      seal: null,
    })
    expect(await read('agentb')).toMatchObject({ tickets: 1, stake_satang: 4_000 })
  })

  test('says that a number has nearly used its quota, and that its market accepts nothing', async () => {
    await bet([40, 39])
    expect(await read('office01')).toMatchObject({ numbers_near_quota: 0 })
    await bet([5, 5])
    expect(await read('office01')).toMatchObject({ numbers_near_quota: 1, alerts: ['quota_nearly_used'] })
    const change = { product_code: 'thai-government', reason: 'a test' }
    await changeAs(app.db, office[0]!.user_id, setMaintenance, { ...change, is_on: true })
    expect((await read('office01'))!.alerts).toContain('maintenance')
    await changeAs(app.db, office[0]!.user_id, setMaintenance, { ...change, is_on: false })
    expect((await read('office01'))!.alerts).not.toContain('maintenance')
  })
})

describe('a closed period', () => {
  test('goes from no result to one that is paid', async () => {
    await bet()
    const period_id = await close()
    expect(await read('office01')).toMatchObject({ result: 'none', seal: 'sealed', alerts: [] })
    await enter(0, '123')
    expect(await read('office01')).toMatchObject({ result: 'one_of_two' })
    await enter(1, '123')
    expect(await read('office01')).toMatchObject({ result: 'settling', done_percent: 0 })
    await settlePeriod(app.db, period_id)
    const settled = await read('office01')
    const { rows } = await app.asOwner<{ left: number }>`
      select (sum(received_satang) - sum(discount_satang) - sum(win_satang))::bigint as left
      from orders where period_id = ${period_id} and status = 'CONFIRMED'`
    expect(settled).toMatchObject({ result: 'settled', result_satang: rows[0]!.left, worst_case_satang: null })
    expect(settled!.result_satang).toBeLessThan(0)
  })

  test('says that entries differ, that the result is late, that the book differs and that a void was asked for', async () => {
    await bet()
    const period_id = await close()
    await enter(0, '123')
    await expect(enter(1, '124')).rejects.toThrow('award_locked')
    expect(await read('office01')).toMatchObject({ result: 'differs', alerts: ['entries_differ'] })
    await app.owner.transaction().execute(async (tx) => {
      // Nobody can put the close of a period into the past.
      await sql`alter table periods disable trigger guard_period`.execute(tx)
      await sql`
        update periods set draw_at = clock_timestamp() - interval '31 minutes', close_at = clock_timestamp() - interval '40 minutes'
        where period_id = ${period_id}`.execute(tx)
      await sql`alter table periods enable trigger guard_period`.execute(tx)
    })
    await app.asOwner`update book_seals set state = 'differs' where period_id = ${period_id}`
    await proposeVoid(app.db, office[0]!, `period:${period_code}`)
    expect((await read('office01'))!.alerts).toEqual([
      'entries_differ',
      'late_result',
      'book_differs',
      'void_requested',
    ])
    expect((await read('agent01'))!.alerts).toEqual([])
    // Whatever its day: it waits.
    expect(await read('office01', '2020-01-01')).toBeUndefined()
  })

  test('of days before is there while its correction waits or its entries differ', async () => {
    const correct = (who: number, top3: string) =>
      correctAward(
        app.db,
        { actor_id: office[who]!.user_id },
        { period_code, result: makeResult(top3), reason: 'a test' },
      )
    const period_id = await close()
    for (const who of [0, 1]) await enter(who, '123')
    await settlePeriod(app.db, period_id)
    await app.owner.transaction().execute(async (tx) => {
      await sql`alter table periods disable trigger guard_period`.execute(tx)
      await sql`
        update periods set draw_at = draw_at - interval '3 days', close_at = close_at - interval '3 days',
          open_at = open_at - interval '3 days' where period_id = ${period_id}`.execute(tx)
      await sql`alter table periods enable trigger guard_period`.execute(tx)
    })
    expect(await read('office01')).toBeUndefined()
    await correct(0, '124')
    expect(await read('office01')).toMatchObject({ result: 'correction_one_of_two', alerts: [] })
    await expect(correct(1, '125')).rejects.toThrow('award_locked')
    expect(await read('office01')).toMatchObject({ result: 'correction_differs', alerts: ['entries_differ'] })
    await resetAward(app.db, { actor_id: office[0]!.user_id }, period_code, 'a test')
    expect(await read('office01')).toBeUndefined()
  })

  test('is void, with how far its refunds are', async () => {
    await bet()
    await voidByTwo(app.db, office, `period:${period_code}`)
    expect(await read('office01')).toMatchObject({ result: 'voiding', done_percent: 0 })
  })
})

test('the calendar has the periods of some days, at most 31', async () => {
  const call = (from: string, to: string) => office[0]!.get(`/api/draw_day/calendar?date_from=${from}&date_to=${to}`)
  const date = dayOf(period_code)
  const codes = (await call(date, date)).json.data.map((one: { period_code: string }) => one.period_code)
  expect(codes).toContain(period_code)
  expect((await call('2026-01-01', '2026-01-31')).http).toBe(200)
  expect((await call('2026-01-01', '2026-02-01')).json.error.code).toBe('bad_input')
  expect((await call('2026-01-02', '2026-01-01')).json.error.code).toBe('bad_input')
})
