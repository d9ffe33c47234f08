// Goal: the cache never decides a ticket alone. Whatever changed since it was filled violates a precondition when the
// batch is written; then nothing of the batch is committed, and the next attempt reads the present state.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ENTRY_CAUSES, findViolatedInvariants } from '../../../test/invariants.ts'
import type { TestUser } from '../../../test/nodes.ts'
import { makeLine, makeTicket } from '../../../test/scenes.ts'
import type { NewTicket } from '../ticket.ts'
import { placeOrder, placeTicket } from './place-order.ts'
import { createIntake } from './intake.ts'
import {
  betOn,
  CachingNode,
  fillCache,
  placeAfterCache,
  type PlacedOutcome,
  refusalOf,
} from './testing/caching-node.ts'
import { attempts } from './testing/attempts.ts'

const node: CachingNode = await CachingNode.start()
const { database, member, other } = node
beforeEach(() => node.begin())

// Defect: the unique key failed the batch of everybody else.
test('two tickets of one request id in a batch leave the others to the cache', async () => {
  await fillCache(node)
  const request_id = randomUUID()
  const pair = [node.newTicket(member, { request_id }), node.newTicket(member, { request_id })]
  expect((await node.placeCached(node.newTicket(other), ...pair)).size).toBe(2)
})

// Defect: the cache is believed: a change since it was filled (a limit, a rate, a close, a suspension) is ignored.
describe('a concurrent change violates a precondition', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a member may not bet any more',
      () =>
        node.changeForNow(
          sql`update users set own_status = 'DISABLED_BET' where user_id = ${member.user_id}`,
          sql`update users set own_status = 'NORMAL' where user_id = ${member.user_id}`,
        ),
      'bet_disabled',
    ],
    [
      'its package was taken from a member',
      () =>
        node.changeForNow(
          sql`delete from user_packages where user_id = ${member.user_id} and package_id in (
            select package_id from packages where product_code = 'thai-government' and package_code = '70')`,
          sql`insert into user_packages (user_id, package_id) select ${member.user_id}, package_id from packages
            where product_code = 'thai-government' and package_code = '70'`,
        ),
      'no_package',
    ],
    [
      'a member has nothing left to spend',
      () =>
        node.changeForNow(
          sql`update accounts set floor_satang = balance_satang - 100
            where kind = 'cash' and user_id = ${member.user_id}`,
          sql`update accounts set floor_satang = balance_satang - 10000000
            where kind = 'cash' and user_id = ${member.user_id}`,
        ),
      'not_enough_credit',
    ],
    [
      'the market is off',
      () =>
        node.changeForNow(
          sql`update products set is_enabled = false where product_code = 'thai-government'`,
          sql`update products set is_enabled = true where product_code = 'thai-government'`,
        ),
      'product_disabled',
    ],
    [
      'the period was closed early',
      () => node.change(sql`update periods set close_at = clock_timestamp() where period_code = ${node.period_code}`),
      'period_closed',
    ],
    [
      'the most on a line was lowered',
      () =>
        node.changeForNow(
          sql`update package_terms set min_satang = 100, max_satang = 500 where bet_type = '3top'`,
          sql`update package_terms set max_satang = 500000 where bet_type = '3top'`,
        ),
      'over_max',
    ],
    [
      'the office has closed the number',
      () =>
        node.change(sql`insert into number_settings (period_id, bet_type, quota_key, set_to)
        select period_id, '3top', '123', 'closed' from periods where period_code = ${node.period_code}`),
      'all_numbers_closed',
    ],
  ])('%s', async (_name, changeState, code) => {
    await fillCache(node)
    await changeState()
    expect(refusalOf(await placeAfterCache(node, node.newTicket(member)))).toBe(code)
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('another rate is in force', async () => {
    await fillCache(node)
    await node.changeForNow(
      sql`update package_terms set rate = 50000 where bet_type = '3top'`,
      sql`update package_terms set rate = 55000 where bet_type = '3top'`,
    )
    const outcome = (await placeAfterCache(node, node.newTicket(member, { on_change: 'accept' }))) as PlacedOutcome
    expect(outcome.value.placed!.differences).toMatchObject([{ rate: 50_000 }])
  })

  test('a session has ended', async () => {
    const { rows } = await database.asOwner<{ session_id: number }>`
      insert into sessions (user_id, token_hash) values (${member.user_id}, ${Buffer.from(randomUUID())})
      returning session_id`
    const session_to_verify = rows[0]!.session_id
    await fillCache(node)
    expect((await node.placeCached(node.newTicket(member, { session_to_verify }))).size).toBe(1)
    await node.change(
      sql`update sessions set ended_at = clock_timestamp(), end_reason = 'logged_off' where session_id = ${session_to_verify}`,
    )
    const outcome = await placeAfterCache(node, node.newTicket(member, { session_to_verify }))
    expect(refusalOf(outcome)).toBe('not_signed_in')
  })

  test('a session has ended that was verified with the call itself', async () => {
    const { rows } = await database.asOwner<{ session_id: number }>`
      insert into sessions (user_id, token_hash) values (${other.user_id}, ${Buffer.from(randomUUID())})
      returning session_id`
    const { session_id } = rows[0]!
    const placed = () => {
      const intake = createIntake(database.batches)
      return placeOrder(database.db, intake, { ...other, session_id }, makeTicket(node.period_code))
    }
    expect((await placed()).status).toBe('CONFIRMED')
    await node.change(
      sql`update sessions set ended_at = clock_timestamp(), end_reason = 'logged_off' where session_id = ${session_id}`,
    )
    await expect(placed()).rejects.toMatchObject({ code: 'not_signed_in' })
  })

  test('a member has set itself a limit', async () => {
    await fillCache(node)
    await node.changeForNow(
      sql`insert into play_limits (user_id, kind, span, amount_satang) values (${member.user_id}, 'stake', 'day', 100)`,
      sql`delete from play_limits where user_id = ${member.user_id}`,
    )
    await node.changeForNow(
      sql`update users set has_play_limits = true where user_id = ${member.user_id}`,
      sql`update users set has_play_limits = false where user_id = ${member.user_id}`,
    )
    expect(refusalOf(await placeAfterCache(node, node.newTicket(member)))).toBe('play_limit_reached')
  })

  test('another node has brought a member near its limit per number', async () => {
    await node.lowerLimitPerNumber()
    await fillCache(node)
    const elsewhere = createIntake(database.batches)
    await placeTicket(elsewhere, node.newTicket(member, betOn('123', 45)))
    // Packages that the member gained elsewhere violate the precondition; the state that is read then is enough for the
    // next ticket.
    expect(await placeAfterCache(node, node.newTicket(member, betOn('124', 10)))).toHaveProperty('value')
    expect(refusalOf(await placeAfterCache(node, node.newTicket(member)))).toBe('over_max_per_number')
  })

  test.each([
    ['', 0],
    [', and there is some left at half the rate', 1_000],
  ])('another node has filled a number%s', async (_name, half_satang) => {
    await node.changeForNow(
      sql`insert into quotas (product_code, bet_type, full_satang, half_satang)
        values ('thai-government', '3top', 100000, ${half_satang})`,
      sql`delete from quotas where product_code = 'thai-government' and bet_type = '3top'`,
    )
    await fillCache(node)
    const elsewhere = createIntake(database.batches)
    await placeTicket(elsewhere, node.newTicket(other, betOn('123', 895)))
    const outcome = (await placeAfterCache(node, node.newTicket(member, { on_change: 'accept' }))) as PlacedOutcome
    expect(outcome.value.placed!.differences![0]).toMatchObject({
      received_satang: 500,
      is_half_pay: false,
    })
    // The number is not decided from the cache again, which would send other tickets to the next attempt with it.
    // Numbers of its block are.
    const tickets = () => Array.from({ length: 4 }, () => node.newTicket(other, betOn('187', 10)))
    for (let batch = 0; batch < 2; batch += 1) await node.readAndPlace(tickets())
    const [plain] = tickets() as [NewTicket]
    expect([...(await node.placeCached(plain, node.newTicket(member))).keys()]).toEqual([plain])
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  describe('beside a ticket of a package with a quota of its own', () => {
    const plainBet = (who: TestUser, number: string, baht: number) =>
      node.newTicket(who, { items: [makeLine('2top', number, baht)] })
    const limitedBet = (who: TestUser, number: string, baht: number) =>
      node.newTicket(who, { package_code: '90', items: [makeLine('2top', number, baht, 9_000)] })

    /** Places what was bet before, and has both members and the numbers in the cache. */
    async function beginAfter(...tickets: NewTicket[]): Promise<void> {
      await node.changeForNow(
        sql`insert into quotas (product_code, package_code, bet_type, full_satang, half_satang)
          values ('thai-government', '90', '2top', 100000, 0)`,
        sql`delete from quotas`,
      )
      for (const each of [tickets, [plainBet(member, '00', 10), plainBet(other, '00', 10)]])
        await node.readAndPlace(each)
    }

    // Defect: one such ticket fails every batch with a number of its block that has passed that quota.
    test.each(['cached', 'read'] as const)('numbers that have passed it are placed (%s)', async (name) => {
      await beginAfter(plainBet(other, '87', 2_000))
      // The last one goes beyond the quota on the number of the first.
      const tickets = [limitedBet(member, '23', 10), plainBet(other, '87', 10), plainBet(other, '23', 1_500)]
      const outcomes = await attempts[name](node.intake, node.period_code, tickets)
      expect(outcomes.map((outcome) => outcome && 'value' in outcome)).toEqual([true, true, true])
      expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
    })

    test('a number that another node has filled violates its quota', async () => {
      await beginAfter(plainBet(other, '23', 5))
      await placeTicket(createIntake(database.batches), plainBet(other, '23', 990))
      const outcome = (await placeAfterCache(node, limitedBet(member, '23', 6))) as PlacedOutcome
      expect(outcome.value.placed!.differences).toMatchObject([{ received_satang: 500 }])
    })

    // Defect: two nodes that sell the rest of the quota at once fail each other's batches.
    test('a number that has nearly reached it is left to be read, for that package alone', async () => {
      await beginAfter(plainBet(other, '23', 850))
      const plain = plainBet(other, '23', 10)
      expect([...(await node.placeCached(limitedBet(member, '23', 10), plain)).keys()]).toEqual([plain])
    })
  })

  test('a ticket that a quota cuts waits for locked quotas, with the later ones of its member and no other', async () => {
    await node.changeForNow(
      sql`insert into quotas (product_code, bet_type, full_satang, half_satang)
        values ('thai-government', '3top', 100000, 0)`,
      sql`delete from quotas where product_code = 'thai-government' and bet_type = '3top'`,
    )
    await node.readAndPlace([node.newTicket(other, betOn('123', 995))])
    const cut = node.newTicket(member, { ...betOn('123', 10), on_change: 'accept' })
    const [later, plain] = [node.newTicket(member, betOn('987', 10)), node.newTicket(other, betOn('987', 10))]
    const read = await attempts.read(node.intake, node.period_code, [cut, later, plain])
    expect(read.map((outcome) => outcome && 'value' in outcome)).toEqual([undefined, undefined, true])
    const locked = (await attempts.readLocked(node.intake, node.period_code, [cut, later])) as PlacedOutcome[]
    expect(locked.map(({ value }) => value.placed!.differences?.[0]!.received_satang)).toEqual([500, undefined])
    expect(locked[0]!.value.order_id).toBeLessThan(locked[1]!.value.order_id)
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test.each<[string, ReturnType<typeof sql>]>([
    ['', sql`floor_satang`],
    [', and its limit was raised to cover it', sql`balance_satang`],
  ])('a member owes since a result was corrected%s: nothing more is lent', async (_name, floor_satang) => {
    await fillCache(node)
    const { rows } = await database.asOwner<{ account_id: number; left_satang: number }>`
      select account_id, balance_satang - floor_satang as left_satang from accounts
      where kind = 'cash' and user_id = ${member.user_id}`
    const { account_id, left_satang } = rows[0]!
    await node.change(sql`update accounts set overdraft_satang = 500000 where account_id = ${account_id}`)
    const move = (from: unknown, to: unknown, satang: number) =>
      node.change(sql`
        insert into entries (kind, idempotency_key, from_account_id, to_account_id, amount_satang)
        select 'reversal', ${randomUUID()}, ${from}, ${to}, ${satang} from accounts
        join periods using (period_id) where period_code = ${node.period_code}`)
    await move(account_id, sql`account_id`, left_satang + 400_000)
    await node.change(sql`update accounts set floor_satang = ${floor_satang} where account_id = ${account_id}`)
    try {
      expect(refusalOf(await placeAfterCache(node, node.newTicket(member)))).toBe('not_enough_credit')
    } finally {
      await move(sql`account_id`, account_id, left_satang + 400_000)
      await node.change(sql`update accounts set overdraft_satang = 0, floor_satang = balance_satang - 10000000
        where account_id = ${account_id}`)
    }
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('another node has placed the ticket', async () => {
    await fillCache(node)
    const ticket = node.newTicket(member)
    const { order_id } = await placeTicket(createIntake(database.batches), ticket)
    expect(await placeAfterCache(node, ticket)).toEqual({ value: { order_id } })
  })

  test('one violated precondition sends the whole batch to the next attempt, and no ticket is lost', async () => {
    await fillCache(node)
    await node.changeForNow(
      sql`update users set own_status = 'DISABLED_BET' where user_id = ${member.user_id}`,
      sql`update users set own_status = 'NORMAL' where user_id = ${member.user_id}`,
    )
    const tickets = [node.newTicket(other), node.newTicket(member), node.newTicket(other)]
    expect((await node.placeCached(...tickets)).size).toBe(0)
    const outcomes = await node.readAndPlace(tickets)
    expect(outcomes.map((each) => (each && 'error' in each ? 'refused' : 'placed'))).toEqual([
      'placed',
      'refused',
      'placed',
    ])
  })
})
