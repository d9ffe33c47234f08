// Goal: a win that did not happen, or a value that no statement can read, is found by its invariant at once and stops no other check.

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkEverything, changeByHand, openAuditor, removeSeededPeriods } from '../../../test/auditor.ts'
import { makeLine, makeResult, makeTicket, openPeriod, placeTicket, settleWith } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { type IntegrityChecker, checkChanges } from './auditor.service.ts'
import { findViolatedInvariants } from './invariants.ts'

const ofCash = () =>
  sql`account_id = (select account_id from accounts where user_id = ${member.user_id} and kind = 'cash')`

async function idsOf(order_id: number): Promise<{ period_id: number }> {
  return app.owner.selectFrom('orders').select('period_id').where('order_id', '=', order_id).executeTakeFirstOrThrow()
}

const app = await startTestApp()
await removeSeededPeriods(app.owner)
const auditor: IntegrityChecker = openAuditor(app)
const member = await app.logIn('member01')
const first = await openPeriod(app.owner)
/** Tickets of member01 with one line of 10 Baht on 3top 123: in a settled period, where it won, and in an open one. */
const settled: { order_id: number } = await placeTicket(member, makeTicket(first))
await settleWith(app, first, makeResult('123'))
const open: { order_id: number } = await placeTicket(member, makeTicket(await openPeriod(app.owner)))
await checkChanges(auditor)

describe('a forged win is found at once, whatever else was written so that it fits', () => {
  interface Win {
    slot?: number
    rate?: number
    line_no?: number
    round?: number
    received?: number
    amount?: number
  }

  // Defect: wins, the sum of the ticket and the ledger agreed with each other, and nothing compared them with the result.
  const forge = (order_id: number, { slot, rate = RATE, line_no = 1, round = 0, received = STAKE, amount }: Win) => {
    const win = amount ?? (received * rate) / 100
    const move = (sign: 1 | -1) => [
      sql`update orders set win_satang = win_satang + ${sign * win} where order_id = ${order_id}`,
      sql`update accounts set balance_satang = balance_satang + ${sign * win} where ${ofCash()}`,
      sql`update accounts set balance_satang = balance_satang - ${sign * win}
        where period_id = (select period_id from orders where order_id = ${order_id})`,
      sql`update member_periods set win_satang = win_satang + ${sign * win}
        where (user_id, period_id) = (select user_id, period_id from orders where order_id = ${order_id})`,
    ]
    return {
      breaks: [
        sql`insert into order_wins (order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang,
            discount_satang, rate, win_satang)
          select order_id, ${line_no}, ${round}, period_id, user_id, coalesce(${slot ?? null}, line.slot), line.bet_satang,
            ${received}, line.discount_satang, ${rate}, ${win}
          from orders cross join lateral unpack_lines(slots, lines, differences) line
          where order_id = ${order_id} and line.line_no = 1`,
        sql`insert into entries (kind, order_id, idempotency_key, from_account_id, to_account_id, amount_satang)
          select 'win', order_id, 'forged', house.account_id, cash.account_id, ${win}
          from orders join accounts house on house.period_id = orders.period_id
            join accounts cash on cash.user_id = orders.user_id and cash.kind = 'cash'
          where order_id = ${order_id}`,
        ...move(1),
      ],
      repairs: [
        sql`delete from order_wins where order_id = ${order_id} and (line_no, round) = (${line_no}, ${round})`,
        sql`delete from entries where idempotency_key = 'forged'`,
        ...move(-1),
      ],
    }
  }
  /** Of the line on 3top that is forged. */
  const RATE = 55_000
  const STAKE = 1_000

  // Each differs in one point from a win that there could be.
  test.each<[string, () => Promise<number>, Win]>([
    ['in a period without a result', async () => open.order_id, {}],
    ['of a number that did not win', () => settledTicket('456'), {}],
    ['on another number than its line has', () => settledTicket('456'), { slot: 123 }],
    ['at another rate', () => settledTicket('123'), { rate: 90_000, round: 1 }],
    ['of a line that is not there', () => settledTicket('123'), { line_no: 7 }],
    ['of a correction that there was not', () => settledTicket('123'), { round: 1 }],
    ['of a larger stake', () => settledTicket('123'), { received: 900_000, round: 1 }],
    ['of another amount', () => settledTicket('123'), { amount: 1, round: 1 }],
  ])('%s', async (_name, findTicket, win) => {
    const order_id = await findTicket()
    await checkChanges(auditor)
    const { breaks, repairs } = forge(order_id, win)
    await changeByHand(app.owner, ...breaks)
    expect((await checkChanges(auditor))!.broken).toContain('wins_follow_result')
    const { keys } = await app.owner
      .selectFrom('invariant_breaks')
      .select('keys')
      .where('invariant', '=', 'wins_follow_result')
      .where('whole_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(keys).toEqual([order_id])
    await changeByHand(app.owner, ...repairs)
    expect((await checkChanges(auditor))!.whole).toContain('wins_follow_result')
    expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
  })

  test.each([
    ['of a line that was returned', 'orders', "returned_lines = '{1}'", 'returned_lines = null'],
    ['at another rate than the line has', 'order_wins', 'rate = rate + 1', 'rate = rate - 1'],
    ['of another amount than the line won', 'order_wins', 'win_satang = win_satang + 1', 'win_satang = win_satang - 1'],
    [
      'of another stake',
      'order_wins',
      'received_satang = received_satang + 1',
      'received_satang = received_satang - 1',
    ],
  ])('%s, where the line did win', async (_name, table, breaks, repairs) => {
    const set = (change: string) =>
      changeByHand(
        app.owner,
        sql`update ${sql.table(table)} set ${sql.raw(change)} where order_id = ${settled.order_id}`,
      )
    await set(breaks)
    expect((await findViolatedInvariants(app.owner))['wins_follow_result']).toMatchObject([{ key: settled.order_id }])
    await set(repairs)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: the check threw, and the auditor noted nothing of any invariant.
  test.each([
    ['an amount beyond exact numbers', settledWins('win_satang = 9100000000000000000')],
    ['amounts that overflow when they are added', settledWins('win_satang = 9223372036854775807', true)],
    ['a result that is none', forgedResult('{"top3":"x","bottom2":null,"front3":null,"back3":"7"}')],
    ['numbers with other digits', forgedResult('{"top3":"2147483647","bottom2":"07","front3":["-1877"]}')],
  ])('%s stops no check', async (_name, statements) => {
    const order_id = await settledTicket('123')
    const { period_id } = await idsOf(order_id)
    await checkChanges(auditor)
    const { rows } = await app.asOwner<{ award: string; wins: string }>`
      select (select to_json(a)::text from awards a where period_id = ${period_id}) as award,
        (select json_agg(w)::text from order_wins w where order_id = ${order_id}) as wins`
    const where = (statement: string) =>
      `${statement} where ${statement.startsWith('insert') || statement.includes('order_wins') ? `order_id = ${order_id}` : `period_id = ${period_id}`}`
    await changeByHand(
      app.owner,
      sql`alter table order_wins drop constraint if exists order_wins_have_a_sign`,
      sql`alter table awards drop constraint if exists awards_are_results`,
      ...statements.map((statement) => sql.raw(where(statement))),
      sql`update accounts set balance_satang = balance_satang + 5 where ${ofCash()}`,
    )
    const found = [...(await checkChanges(auditor))!.broken, ...(await checkEverything(auditor)).broken]
    expect(found).toContain('wins_follow_result')
    expect(found).toContain('balance_follows_mark')
    await changeByHand(
      app.owner,
      sql`delete from order_wins where order_id = ${order_id}`,
      sql`insert into order_wins select * from json_populate_recordset(null::order_wins, ${rows[0]!.wins}::json)`,
      sql`update awards set (result, repeated_result) = (select result, repeated_result
        from json_populate_record(null::awards, ${rows[0]!.award}::json)) where period_id = ${period_id}`,
      sql`update accounts set balance_satang = balance_satang - 5 where ${ofCash()}`,
    )
    await checkChanges(auditor)
    expect(await checkEverything(auditor)).toEqual({ broken: [], whole: [] })
  })

  function forgedResult(result: string): string[] {
    return [`update awards set (result, repeated_result) = ('${result}', '${result}')`]
  }

  /** Statements that change the wins of a ticket; `isTwice`: and write each of them a second time, for another line. */
  function settledWins(change: string, isTwice = false): string[] {
    const columns =
      'round, sign, win_satang, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate'
    const copy = `insert into order_wins (order_id, line_no, ${columns}) select order_id, 2, ${columns} from order_wins`
    return [`update order_wins set ${change}`, ...(isTwice ? [copy] : [])]
  }

  test('a win that is missing in a settled period is found', async () => {
    const order_id = await settledTicket('123')
    await changeByHand(app.owner, sql`update order_wins set order_id = -order_id where order_id = ${order_id}`)
    expect((await findViolatedInvariants(app.owner))['wins_are_complete']).toMatchObject([
      { order_id, stored: 0, computed: (STAKE * RATE) / 100 },
    ])
    await changeByHand(app.owner, sql`update order_wins set order_id = -order_id where order_id = ${-order_id}`)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  /** A ticket of member01 on one number, in a period that was settled with 123. */
  async function settledTicket(number: string): Promise<number> {
    const period_code = await openPeriod(app.owner)
    const items = [makeLine('3top', number, STAKE / 100)]
    const { order_id } = await placeTicket(member, makeTicket(period_code, { items }))
    await settleWith(app, period_code, makeResult('123'))
    return order_id
  }
})
