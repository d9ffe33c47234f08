// Goal: two people correct a wrong result; wrong wins are taken back once and right wins are paid once, even when a
// node dies in between; and every member who has bet gets a notice with the old and the new result.

import { closeEarly } from '../../test/changes.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ENTRY_CAUSES, findViolatedInvariants } from '../../test/invariants.ts'
import { openNode } from '../../test/nodes.ts'
import {
  addPerson,
  agreeOnResult,
  makeTicket,
  openPeriod,
  placeTicket,
  readCredit,
  readOrder,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { resetAward } from './awards.service.ts'
import { correctAward } from './corrections.service.ts'
import { settleDuePeriods, settlementJob, settlePeriod } from './settlement.service.ts'
import { runTicketStep } from './ticket-steps.ts'

const wrong = { first_prize: '763895', top3: '895', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }
const right = { ...wrong, first_prize: '763123', top3: '123' }

let period_code: string

const app = await startTestApp()
const office: [TestCaller, TestCaller] = [await app.logIn('office01'), await app.logIn('office02')]
await addPerson(app.owner, 'poor01', 'member', 'agent01', 20_000)
const members: TestCaller[] = await Promise.all(['member01', 'member02', 'poor01'].map((name) => app.logIn(name)))
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** Places 10 Baht on a number of 3top: 5,500 Baht where it wins, for 6.70. */
async function place(member: TestCaller, number: string): Promise<number> {
  return (await placeTicket(member, ticketOn(period_code, [[number, 10]]))).order_id
}
const PRIZE = 550_000

async function agreeOnWrong(): Promise<number> {
  await closeEarly(app.db, period_code)
  await agreeOnResult(app, period_code, wrong)
  return (await getPeriodRecord(app.db, period_code)).period_id
}

async function settleWrong(): Promise<number> {
  const period_id = await agreeOnWrong()
  await settlePeriod(app.db, period_id)
  return period_id
}

const enter = (by: TestCaller, result: object = right) =>
  by.post('/api/award/correct', { period_code, result, reason: 'read out wrongly' })

/** Both office users enter it, without the settlement that the server would start at once. */
async function agreeOnRight(): Promise<void> {
  for (const { user_id } of office)
    expect(
      await correctAward(app.db, { actor_id: user_id }, { period_code, result: right, reason: 'read out wrongly' }),
    ).toMatch(user_id === office[0].user_id ? 'entered' : 'agreed')
}

const balanceOf = async (member: TestCaller): Promise<number> => (await readCredit(member)).balance_satang

async function movesOf(order_id: number): Promise<string[]> {
  const { rows } = await app.asOwner<{ move: string }>`
    select kind || ' ' || amount_satang as move from entries where order_id = ${order_id} order by entry_id`
  return rows.map((row) => row.move)
}

describe('a correction', () => {
  test('takes two different office users who agree, and a settled result', async () => {
    expect((await enter(office[0])).json.error.code).toBe('award_not_settled')
    await settleWrong()
    expect((await enter(office[0], wrong)).json.error.code).toBe('award_same_result')
    expect((await enter(office[0], { ...right, top3: '12' })).json.error.code).toBe('award_bad_result')
    expect((await enter(office[0])).json.data).toEqual({ period_code, state: 'entered' })
    expect((await enter(office[0])).json.error.code).toBe('award_same_person')
    expect((await enter(office[1], { ...right, bottom2: '53' })).json.error.code).toBe('award_locked')
    expect((await enter(office[1])).json.error.code).toBe('award_locked')
    await resetAward(app.db, { actor_id: office[0].user_id }, period_code, 'typed wrongly')
    expect((await enter(office[1])).json.data.state).toBe('entered')
    // The order of front and back numbers does not matter.
    const repeated = { ...right, front3: right.front3.toReversed(), back3: right.back3.toReversed() }
    expect((await enter(office[0], repeated)).json.data.state).toBe('agreed')
  })

  test('reverses wrong wins and pays right ones, each once', async () => {
    const [winner, other] = [members[0]!, members[1]!]
    const before = [await balanceOf(winner), await balanceOf(other)]
    const [lost, won, neither] = [await place(winner, '895'), await place(other, '123'), await place(other, '777')]
    const eventsOf = async (order_id: number) =>
      (await readOrder(winner, { order_id })).events.map(({ event, actor }) => [event, actor])
    expect(await eventsOf(lost)).toEqual([])
    const period_id = await settleWrong()
    expect(await balanceOf(winner)).toBe(before[0]! - 670 + PRIZE)
    expect(await eventsOf(lost)).toEqual([['settle', null]])
    await agreeOnRight()
    expect(await eventsOf(lost)).toEqual([['settle', null]])
    // During the settlement no partial result is visible, and the old wins do not count as valid.
    expect((await readOrder(winner, { order_id: lost })).items[0]!.status).toBe('awaiting_result')
    await Promise.all([1, 3].map((tickets) => settlePeriod(app.db, period_id, tickets)))
    await settlePeriod(app.db, period_id)
    expect(await balanceOf(winner)).toBe(before[0]! - 670)
    expect(await balanceOf(other)).toBe(before[1]! - 2 * 670 + PRIZE)
    expect(await movesOf(lost)).toEqual(['bet 670', `win ${PRIZE}`, `reversal ${PRIZE}`])
    expect(await movesOf(won)).toEqual(['bet 670', `win ${PRIZE}`])
    expect(await movesOf(neither)).toEqual(['bet 670'])
    expect((await readOrder(winner, { order_id: lost })).items[0]!.status).toBe('lost')
    expect(await eventsOf(lost)).toEqual([
      ['settle', null],
      ['correct', null],
    ])
    expect((await readOrder(other, { order_id: won })).items[0]!.status).toBe('won')
    const [award] = (await winner.get('/api/award?product_code=thai-government')).json.data.filter(
      (one) => one.period.period_code === period_code,
    )
    expect([award?.result.top3, award?.corrected_from?.top3]).toEqual(['123', '895'])
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('notifies every member who has bet in the period, and nobody else', async () => {
    const [winner, other, third] = members as [TestCaller, TestCaller, TestCaller]
    const last = (await other.get('/api/notice/list')).json.data[0]
    if (last) await other.post('/api/notice/read', { up_to_notice_id: last.notice_id })
    await place(winner, '895')
    await place(other, '777')
    await settlePeriod(app.db, await settleWrong())
    await agreeOnRight()
    // Not before it is settled.
    expect((await other.get('/api/notice/list')).json.unread_count).toBe(0)
    await settlePeriod(app.db, (await getPeriodRecord(app.db, period_code)).period_id)
    const notice = (await winner.get('/api/notice/list')).json.data[0]
    expect(notice).toMatchObject({
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
    expect(unread_count).toBe(1)
    expect(data[0]).toMatchObject({ old_win_satang: 0, new_win_satang: 0 })
    expect((await other.post('/api/notice/read', { up_to_notice_id: data[0]!.notice_id })).json.data.unread_count).toBe(
      0,
    )
    expect((await other.get('/api/notice/list')).json.data[0]?.is_read).toBe(true)
    expect((await third.get('/api/notice/list')).json.data).toEqual([])
  })

  test('reverses wins that were spent meanwhile; the member cannot bet until the balance is restored', async () => {
    const poor = members[2]!
    await place(poor, '895')
    await settleWrong()
    const wronged = period_code
    // The whole win is spent on other numbers.
    period_code = await openPeriod(app.owner)
    const bets = Array.from({ length: 8 }, (_, at) => [String(200 + at), 1_000] as const)
    await placeTicket(poor, ticketOn(period_code, bets))
    const spent = await balanceOf(poor)
    const fresh = period_code
    period_code = wronged
    await agreeOnRight()
    await settlePeriod(app.db, (await getPeriodRecord(app.db, wronged)).period_id)
    expect(await balanceOf(poor)).toBe(spent - PRIZE)
    expect((await readCredit(poor)).credit_remain_satang).toBeLessThan(0)
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
    period_code = fresh
    const refused = await poor.post('/api/order/create', makeTicket(period_code))
    expect(refused.json.error.code).toBe('not_enough_credit')
    // No other way overspends either: the floor was lowered by exactly the amount taken back.
    const { rows } = await app.asOwner<{ account_id: number; upline_id: number }>`
      select cash.account_id, upline.account_id as upline_id from accounts cash, accounts upline join users using (user_id)
      where cash.user_id = ${poor.user_id} and cash.kind = 'cash' and upline.kind = 'cash' and username = 'agent01'`
    const { account_id, upline_id } = rows[0]!
    const take = sql`insert into entries (kind, from_account_id, to_account_id, amount_satang)
      values ('transfer', ${account_id}, ${upline_id}, 1)`
    await expect(take.execute(app.db)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    const give = sql`insert into entries (kind, from_account_id, to_account_id, amount_satang)
      values ('transfer', ${upline_id}, ${account_id}, 100000)`
    // By hand: nothing in the application transfers money.
    await give.execute(app.owner)
    await settleDuePeriods(app.db)
    await expect(take.execute(app.db)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  // Defect: settlement waits for the lock of one overdrawn member, and nobody is paid.
  test('does not block a period while an overdrawn account is locked', async () => {
    const period_id = await agreeOnWrong()
    const isOverdrawn = sql`kind = 'cash' and user_id = ${members[0]!.user_id}`
    await app.asOwner`update accounts set overdraft_satang = 1 where ${isOverdrawn}`
    await app.owner.transaction().execute(async (tx) => {
      await sql`select 1 from accounts where ${isOverdrawn} for no key update`.execute(tx)
      await settleDuePeriods(app.db)
      const { rows } = await app.asOwner`select outcome from periods where period_id = ${period_id}`
      expect(rows).toEqual([{ outcome: 'settled' }])
    })
    await settleDuePeriods(app.db)
    const { rows } = await app.asOwner`select overdraft_satang from accounts where ${isOverdrawn}`
    expect(rows).toEqual([{ overdraft_satang: 0 }])
  })

  describe('agreed with the application’s own log-in', () => {
    test('is refused where it changes nothing', async () => {
      const period_id = await settleWrong()
      await expect(
        sql`insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
          select period_id, 1, result, result, 'made up', ${office[0].user_id} from awards
          where period_id = ${period_id}`.execute(app.db),
      ).rejects.toMatchObject({ constraint: 'corrections_change_the_result' })
    })

    test('lets a member go below its floor by no more than it takes back from it', async () => {
      const [winner, other] = [members[0]!, members[1]!]
      const [lost] = [await place(winner, '895'), await place(other, '777')]
      const period_id = await settleWrong()
      await agreeOnRight()
      const allow = (of: TestCaller, beyond_satang: number) => sql`
        select allow_overdraft(${period_id}, array_agg(account_id), array_agg(balance_satang - floor_satang + ${beyond_satang}))
        from accounts where kind = 'cash' and user_id = ${of.user_id}`
      const refused = { constraint: 'overdrafts_are_taken_back' }
      await expect(allow(other, 1).execute(app.db)).rejects.toMatchObject(refused)
      // Nor before the wins are reversed.
      await expect(allow(winner, 1).execute(app.db)).rejects.toMatchObject(refused)
      const tried = app.owner.transaction().execute(async (tx) => {
        await sql`insert into order_wins (order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang,
            discount_satang, rate, sign, win_satang)
          select order_id, line_no, 1, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate, -1, -win_satang
          from order_wins where order_id = ${lost}`.execute(tx)
        await sql`set local role megalot_app`.execute(tx)
        await allow(winner, PRIZE).execute(tx)
        await sql`savepoint before_more`.execute(tx)
        // What was allowed counts, whatever was spent meanwhile.
        await expect(allow(winner, PRIZE + 1).execute(tx)).rejects.toMatchObject(refused)
        await sql`rollback to savepoint before_more`.execute(tx)
        await sql`reset role`.execute(tx)
        await sql`update accounts set overdraft_satang = 0 where kind = 'cash' and user_id = ${winner.user_id}`.execute(
          tx,
        )
        await sql`set local role megalot_app`.execute(tx)
        await expect(allow(winner, 1).execute(tx)).rejects.toMatchObject(refused)
        throw new Error('enough')
      })
      await expect(tried).rejects.toThrow('enough')
    })
  })

  test('cannot be forged, changed or hastened by the application’s own role', async () => {
    const period_id = await settleWrong()
    const asApp = (statement: ReturnType<typeof sql>) => statement.execute(app.db)
    await expect(
      asApp(sql`update periods set outcome = 'settling' where period_id = ${period_id}`),
    ).rejects.toMatchObject({ constraint: 'periods_go_forward' })
    await expect(
      asApp(sql`insert into award_corrections (period_id, round, state, old_result, new_result, reason, entered_by)
        values (${period_id}, 1, 'agreed', '{}', '{}', 'made up', ${office[0].user_id})`),
    ).rejects.toMatchObject({ code: '42501' })
    // What was paid is not rewritten by a correction that nobody agreed on.
    const begin = (old_result: string) =>
      asApp(sql`insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
        values (${period_id}, 1, ${old_result}::jsonb, '{}', 'made up', ${office[0].user_id})`)
    await expect(begin('{"top3":"999","bottom2":"99"}')).rejects.toMatchObject({ code: '42501' })
    await expect(
      app.db.transaction().execute(async (tx) => {
        await sql`insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
          select period_id, 1, result, ${JSON.stringify(right)}::jsonb, 'made up', ${office[0].user_id} from awards
          where period_id = ${period_id}`.execute(tx)
        await sql`update award_corrections set state = 'settled', settled_at = now(), repeated_by = ${office[1].user_id}
          where period_id = ${period_id}`.execute(tx)
      }),
    ).rejects.toThrow('after two people agreed')
    await expect(asApp(sql`select allow_overdraft(${period_id}, '{1}', '{1000}')`)).rejects.toMatchObject({
      code: '42501',
    })
    await agreeOnRight()
    await expect(
      asApp(sql`update award_corrections set repeated_by = entered_by where period_id = ${period_id}`),
    ).rejects.toMatchObject({ code: '42501' })
    await settlePeriod(app.db, period_id)
    await expect(
      asApp(sql`update award_corrections set paid_satang = 0 where period_id = ${period_id}`),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

// Defect: the next node starts over or skips a step: tickets are paid twice or never.
test.each(['the first time', 'a correction'])(
  'settlement that is killed halfway resumes, and pays once: %s',
  async (which) => {
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
    // Nodes die one after the other, each at another point, with steps of one ticket.
    for (let death = 0; death < 6; death += 1) {
      const node = openNode(app.url)
      await runTicketStep(node.db, period_id, settlementJob(period_id), 1)
      const dying = settlePeriod(node.db, period_id, 1).catch(() => {})
      for (let ticks = death * 7; ticks > 0; ticks -= 1) await new Promise(setImmediate)
      await node.kill()
      await dying
    }
    await settlePeriod(app.db, period_id)
    const result = which === 'the first time' ? wrong : right
    for (const order_id of order_ids) {
      const { rows } = await app.asOwner<{ number: string; won: number }>`
        select number, coalesce((select sum(case kind when 'win' then amount_satang else -amount_satang end)
          from entries where order_id = ${order_id} and kind in ('win', 'reversal')), 0)::bigint as won
        from order_items where order_id = ${order_id}`
      expect(rows[0]).toEqual({ number: rows[0]!.number, won: rows[0]!.number === result.top3 ? PRIZE : 0 })
    }
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  },
)
