// Goal: a result that was wrong is put right by two people; what was paid wrongly comes back once and what is right is paid
// once, whatever dies in the middle; and every member who has bet finds old and new told.

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { openNode } from '../../../test/nodes.ts'
import { addPerson, dayOf, holdDraw, makeTicket, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { closePeriod, getPeriodRecord } from '../markets/index.ts'
import { enterAward, resetAward } from './awards.service.ts'
import { correctAward } from './corrections.service.ts'
import { settleDuePeriods, settlementJob, settlePeriod } from './settlement.service.ts'
import { runTicketStep } from './ticket-steps.ts'

const wrong = { first_prize: '763895', top3: '895', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }
const right = { ...wrong, first_prize: '763123', top3: '123' }

let product: TestApp
let office: [TestCaller, TestCaller]
let members: TestCaller[]
let period_code: string

beforeAll(async () => {
  product = await startTestApp()
  office = [await product.logIn('office01'), await product.logIn('office02')]
  await addPerson(product.owner, 'poor01', 'member', 'agent01', 20_000)
  members = await Promise.all(['member01', 'member02', 'poor01'].map((name) => product.logIn(name)))
})
beforeEach(async () => {
  period_code = await openPeriod(product.db)
})

/** Places 10 Baht on a number of 3top: 5,500 Baht where it wins, for 6.70. */
async function place(member: TestCaller, number: string): Promise<number> {
  const items = [{ bet_type: '3top' as const, number, bet_satang: 1_000, rate: 55_000 }]
  const { json } = await member.post('/api/order/create', makeTicket(period_code, { items }))
  return json.data.order_id
}
const PRIZE = 550_000

async function agreeOnWrong(): Promise<number> {
  await closePeriod(product.db, null, period_code, 'test')
  await holdDraw(product.owner, period_code)
  const entry = { period_code, date: dayOf(period_code), result: wrong }
  for (const { user_id } of office) await enterAward(product.db, user_id, entry)
  return (await getPeriodRecord(product.db, period_code)).period_id
}

async function settleWrong(): Promise<number> {
  const period_id = await agreeOnWrong()
  await settlePeriod(product.db, period_id)
  return period_id
}

const enter = (by: TestCaller, result: object = right) =>
  by.post('/api/award/correct', { period_code, result, reason: 'read out wrongly' })

/** Both office users, without the settling that the product would begin at once. */
async function agreeOnRight(): Promise<void> {
  for (const { user_id } of office)
    expect(await correctAward(product.db, user_id, { period_code, result: right, reason: 'read out wrongly' })).toMatch(
      user_id === office[0].user_id ? 'entered' : 'agreed',
    )
}

async function balanceOf(member: TestCaller): Promise<number> {
  return (await member.get('/mgluser/user_data/credit_info')).json.data.balance_satang
}

async function movesOf(order_id: number): Promise<string[]> {
  const { rows } = await sql<{ move: string }>`
    select kind || ' ' || amount_satang as move from entries where order_id = ${order_id} order by entry_id`.execute(
    product.owner,
  )
  return rows.map((row) => row.move)
}

describe('a correction', () => {
  test('takes two different office users who say the same, and a result that was settled', async () => {
    expect((await enter(office[0])).json.error.code).toBe('award_not_settled')
    await settleWrong()
    expect((await enter(office[0], wrong)).json.error.code).toBe('award_same_result')
    expect((await enter(office[0], { ...right, top3: '12' })).json.error.code).toBe('award_bad_result')
    expect((await enter(office[0])).json.data).toEqual({ period_code, state: 'entered' })
    expect((await enter(office[0])).json.error.code).toBe('award_same_person')
    expect((await enter(office[1], { ...right, bottom2: '53' })).json.error.code).toBe('award_locked')
    expect((await enter(office[1])).json.error.code).toBe('award_locked')
    await resetAward(product.db, office[0].user_id, period_code, 'typed wrongly')
    expect((await enter(office[1])).json.data.state).toBe('entered')
    expect((await enter(office[0])).json.data.state).toBe('agreed')
  })

  test('takes back what was paid and pays what is right, each once', async () => {
    const [winner, other] = [members[0]!, members[1]!]
    const before = [await balanceOf(winner), await balanceOf(other)]
    const [lost, won, neither] = [await place(winner, '895'), await place(other, '123'), await place(other, '777')]
    const period_id = await settleWrong()
    expect(await balanceOf(winner)).toBe(before[0]! - 670 + PRIZE)
    await agreeOnRight()
    // While it is being settled nobody sees a part of it, nor the old wins as if they stood.
    expect((await winner.get(`/api/order/${lost}`)).json.data.items[0].status).toBe('awaiting_result')
    await Promise.all([1, 3].map((tickets) => settlePeriod(product.db, period_id, tickets)))
    await settlePeriod(product.db, period_id)
    expect(await balanceOf(winner)).toBe(before[0]! - 670)
    expect(await balanceOf(other)).toBe(before[1]! - 2 * 670 + PRIZE)
    expect(await movesOf(lost)).toEqual(['bet 670', `win ${PRIZE}`, `reversal ${PRIZE}`])
    expect(await movesOf(won)).toEqual(['bet 670', `win ${PRIZE}`])
    expect(await movesOf(neither)).toEqual(['bet 670'])
    expect((await winner.get(`/api/order/${lost}`)).json.data.items[0].status).toBe('lost')
    expect((await other.get(`/api/order/${won}`)).json.data.items[0].status).toBe('won')
    const [award] = (await winner.get('/api/award?product_code=thai-government')).json.data.filter(
      (one: { period: { period_code: string } }) => one.period.period_code === period_code,
    )
    expect([award.result.top3, award.corrected_from.top3]).toEqual(['123', '895'])
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })

  test('tells every member who has bet in the period, and nobody else', async () => {
    const [winner, other, third] = members as [TestCaller, TestCaller, TestCaller]
    const last = (await other.get('/api/notice/list')).json.data[0]
    if (last) await other.post('/api/notice/read', { up_to_notice_id: last.notice_id })
    await place(winner, '895')
    await place(other, '777')
    await settlePeriod(product.db, await settleWrong())
    await agreeOnRight()
    // Not before it is settled.
    expect((await other.get('/api/notice/list')).json.unread_count).toBe(0)
    await settlePeriod(product.db, (await getPeriodRecord(product.db, period_code)).period_id)
    const told = (await winner.get('/api/notice/list')).json.data[0]
    expect(told).toMatchObject({
      kind: 'award_corrected',
      is_read: false,
      period: { period_code },
      old_result: { top3: '895' },
      new_result: { top3: '123' },
      old_win_satang: PRIZE,
      new_win_satang: 0,
      change_satang: -PRIZE,
      is_demo: false,
    })
    const { data, unread_count } = (await other.get('/api/notice/list')).json
    expect([unread_count, data[0].old_win_satang, data[0].new_win_satang]).toEqual([1, 0, 0])
    expect((await other.post('/api/notice/read', { up_to_notice_id: data[0].notice_id })).json.data.unread_count).toBe(
      0,
    )
    expect((await other.get('/api/notice/list')).json.data[0].is_read).toBe(true)
    expect((await third.get('/api/notice/list')).json.data).toEqual([])
  })

  test('takes back also what was spent meanwhile; until it is there again nothing can be bet', async () => {
    const poor = members[2]!
    await place(poor, '895')
    await settleWrong()
    const wronged = period_code
    // All of it goes on other numbers.
    period_code = await openPeriod(product.db)
    const items = Array.from({ length: 8 }, (_, at) => ({
      bet_type: '3top' as const,
      number: String(200 + at),
      bet_satang: 100_000,
      rate: 55_000,
    }))
    await poor.post('/api/order/create', makeTicket(period_code, { items }))
    const spent = await balanceOf(poor)
    const fresh = period_code
    period_code = wronged
    await agreeOnRight()
    await settlePeriod(product.db, (await getPeriodRecord(product.db, wronged)).period_id)
    expect(await balanceOf(poor)).toBe(spent - PRIZE)
    expect((await poor.get('/mgluser/user_data/credit_info')).json.data.credit_remain_satang).toBeLessThan(0)
    expect(await findBrokenInvariants(product.owner)).toEqual({})
    period_code = fresh
    const refused = await poor.post('/api/order/create', makeTicket(period_code))
    expect(refused.json.error.code).toBe('not_enough_credit')
    // Nor by any other way: the floor has given way by just what was taken back.
    const { rows } = await sql<{ account_id: number; upline_id: number }>`
      select cash.account_id, upline.account_id as upline_id from accounts cash, accounts upline join users using (user_id)
      where cash.user_id = ${poor.user_id} and cash.kind = 'cash' and upline.kind = 'cash' and username = 'agent01'`.execute(
      product.owner,
    )
    const { account_id, upline_id } = rows[0]!
    const take = sql`insert into entries (kind, from_account_id, to_account_id, amount_satang)
      values ('transfer', ${account_id}, ${upline_id}, 1)`
    await expect(take.execute(product.db)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    const give = sql`insert into entries (kind, from_account_id, to_account_id, amount_satang)
      values ('transfer', ${upline_id}, ${account_id}, 100000)`
    await give.execute(product.db)
    await settleDuePeriods(product.db)
    await expect(take.execute(product.db)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })

  test('of somebody who owes keeps no period waiting while that account is at work', async () => {
    const period_id = await agreeOnWrong()
    const owing = sql`kind = 'cash' and user_id = ${members[0]!.user_id}`
    await sql`update accounts set owed_satang = 1 where ${owing}`.execute(product.owner)
    await product.owner.transaction().execute(async (tx) => {
      await sql`select 1 from accounts where ${owing} for no key update`.execute(tx)
      await settleDuePeriods(product.db)
      const { rows } = await sql`select outcome from periods where period_id = ${period_id}`.execute(product.owner)
      expect(rows).toEqual([{ outcome: 'settled' }])
    })
    await settleDuePeriods(product.db)
    const { rows } = await sql`select owed_satang from accounts where ${owing}`.execute(product.owner)
    expect(rows).toEqual([{ owed_satang: 0 }])
  })

  test('cannot be made up, changed or hurried by the product’s own role', async () => {
    const period_id = await settleWrong()
    const asApp = (statement: ReturnType<typeof sql>) => statement.execute(product.db)
    await expect(
      asApp(sql`update periods set outcome = 'settling' where period_id = ${period_id}`),
    ).rejects.toMatchObject({ constraint: 'periods_go_forward' })
    await expect(
      asApp(sql`insert into award_corrections (period_id, round, state, old_result, new_result, reason, entered_by)
        values (${period_id}, 1, 'agreed', '{}', '{}', 'made up', ${office[0].user_id})`),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(asApp(sql`select give_way(${period_id}, '{1}', '{1000}')`)).rejects.toMatchObject({ code: '42501' })
    await agreeOnRight()
    await expect(
      asApp(sql`update award_corrections set repeated_by = entered_by where period_id = ${period_id}`),
    ).rejects.toMatchObject({ code: '42501' })
    await settlePeriod(product.db, period_id)
    await expect(
      asApp(sql`update award_corrections set paid_satang = 0 where period_id = ${period_id}`),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(asApp(sql`update level_periods set win_satang = 0`)).rejects.toMatchObject({ code: '42501' })
    await expect(asApp(sql`delete from member_wins`)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('settling that is killed in the middle', () => {
  test.each(['the first time', 'a correction'])('goes on where it was, and pays once: %s', async (which) => {
    const [member, other] = members as [TestCaller, TestCaller]
    const order_ids: number[] = []
    for (let each = 0; each < 15; each += 1)
      order_ids.push(await place(member, '895'), await place(other, each % 2 === 0 ? '895' : '123'))
    let period_id: number
    if (which === 'the first time') period_id = await agreeOnWrong()
    else {
      period_id = await settleWrong()
      await agreeOnRight()
    }
    // Nodes die one after the other, each in another moment, with a ticket a step.
    for (let death = 0; death < 6; death += 1) {
      const node = openNode(product.url)
      await runTicketStep(node.db, period_id, settlementJob(period_id), 1)
      const dying = settlePeriod(node.db, period_id, 1).catch(() => {})
      for (let turns = death * 7; turns > 0; turns -= 1) await new Promise(setImmediate)
      await node.kill()
      await dying
    }
    await settlePeriod(product.db, period_id)
    const result = which === 'the first time' ? wrong : right
    for (const order_id of order_ids) {
      const { rows } = await sql<{ number: string; won: number }>`
        select number, coalesce((select sum(case kind when 'win' then amount_satang else -amount_satang end)
          from entries where order_id = ${order_id} and kind in ('win', 'reversal')), 0)::bigint as won
        from order_items where order_id = ${order_id}`.execute(product.owner)
      expect(rows[0]).toEqual({ number: rows[0]!.number, won: rows[0]!.number === result.top3 ? PRIZE : 0 })
    }
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })
})
