// Goal: a node places from its cache what the attempt that reads would place, and leaves to that attempt what it cannot know, without
// delaying the other tickets of a batch.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ENTRY_CAUSES, findViolatedInvariants } from '../../../test/invariants.ts'
import { leaveCredit, makeLine, openPeriod } from '../../../test/scenes.ts'
import type { NewTicket } from '../ticket.ts'
import { createIntake } from './intake.ts'
import { betOn, CachingNode, fillCache, type PlacedOutcome } from './testing/caching-node.ts'
import { placeTicket } from './place-order.ts'

const node: CachingNode = await CachingNode.start()
const { database, member, other } = node
beforeEach(() => node.begin())

// Defect: the fast path writes other rows than the ordinary one, or is never used, which no other test would notice.
describe('unchanged state', () => {
  test('places from the cache as the attempt that reads would', async () => {
    await fillCache(node)
    await node.readAgain(other)
    const tickets = [
      node.newTicket(member, betOn('123', 5)),
      node.newTicket(other, betOn('124', 7)),
      node.newTicket(member),
    ]
    const placed = await node.placeCached(...tickets)
    expect([...placed.keys()]).toEqual(tickets)
    const { rows } = await sql<{ request_id: string; order_id: number; status: string; received_satang: number }>`
      select request_id, order_id, status, received_satang from orders
      where request_id = any(${tickets.map((each) => each.request_id)}::text[]) order by order_id`.execute(database.db)
    expect(rows).toEqual(
      tickets.map((ticket, index) => ({
        request_id: ticket.request_id,
        order_id: placed.get(ticket)!.order_id,
        status: 'CONFIRMED',
        received_satang: [500, 700, 1_000][index],
      })),
    )
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('places batch after batch, each with ids above the ones before', async () => {
    await fillCache(node)
    const order_ids: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const placed = await node.placeCached(node.newTicket(member), node.newTicket(other))
      order_ids.push(...[...placed.values()].map((each) => each.order_id))
    }
    expect(order_ids).toHaveLength(10)
    expect(order_ids).toEqual([...new Set(order_ids)].toSorted((a, b) => a - b))
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('places after a batch that was read, with higher ids', async () => {
    await fillCache(node)
    for (const who of [member, other]) {
      const before = (await node.readAgain(who)).map((outcome) => (outcome as PlacedOutcome).value.order_id)
      const [placed] = (await node.placeCached(node.newTicket(member))).values()
      expect(placed!.order_id).toBeGreaterThan(Math.max(...before))
    }
  })

  test('stays cached while bets arrive', async () => {
    await fillCache(node)
    for (let round = 0; round < 10; round += 1) {
      node.nowMs += 90
      expect((await node.placeCached(node.newTicket(member))).size).toBe(1)
    }
  })
})

// Defect: the cached attempt decides what it cannot know, and refuses a ticket on outdated state, or one ticket that it
// leaves delays the rest of the batch.
describe('the cached attempt leaves undecided', () => {
  test('unknown members', async () => {
    for (let batch = 0; batch < 2; batch += 1) await node.readAgain(member)
    const plain = node.newTicket(member)
    const placed = await node.placeCached(plain, node.newTicket(other))
    expect([...placed.keys()]).toEqual([plain])
  })

  test('numbers whose block is not cached', async () => {
    await fillCache(node)
    expect((await node.placeCached(node.newTicket(member, betOn('987', 1)))).size).toBe(0)
  })

  test('a ticket that would be refused or need a confirmation, and no other ticket of the batch', async () => {
    await fillCache(node)
    const asked = node.newTicket(member, {
      items: [makeLine('3top', '123', 10, 54_000)],
      on_change: 'ask',
    })
    const plain = node.newTicket(other)
    expect([...(await node.placeCached(asked, plain)).keys()]).toEqual([plain])
    await fillCache(node)
    const tooMuch = node.newTicket(member, betOn('123', 1_000_000))
    const alsoPlain = node.newTicket(other)
    expect([...(await node.placeCached(tooMuch, alsoPlain)).keys()]).toEqual([alsoPlain])
    expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
  })

  test.each<[string, () => Promise<unknown>]>([
    [
      'who owes',
      () =>
        node.changeForNow(
          sql`update accounts set overdraft_satang = 100 where kind = 'cash' and user_id = ${member.user_id}`,
          sql`update accounts set overdraft_satang = 0 where kind = 'cash' and user_id = ${member.user_id}`,
        ),
    ],
    [
      'who has set itself a limit',
      () =>
        node.changeForNow(
          sql`update users set has_play_limits = true where user_id = ${member.user_id}`,
          sql`update users set has_play_limits = false where user_id = ${member.user_id}`,
        ),
    ],
    [
      'who comes near the limit per number with all it has bet',
      async () => {
        await node.lowerLimitPerNumber()
        await node.readAndPlace([node.newTicket(member, betOn('124', 30))])
      },
    ],
  ])('%s, according to the cache, and no other ticket of the batch', async (_name, changeState) => {
    await changeState()
    for (const who of [member, other, member, other]) await node.readAgain(who)
    expect(new Set(node.intake.cache.get(node.period_code)!.members.keys())).toEqual(
      new Set([member.user_id, other.user_id]),
    )
    const plain = node.newTicket(other)
    expect([...(await node.placeCached(node.newTicket(member), plain)).keys()]).toEqual([plain])
  })

  test('a number that is nearly full, and no other number of its block', async () => {
    await node.changeForNow(
      sql`insert into quotas (product_code, bet_type, full_satang, half_satang)
        values ('thai-government', '3top', 100000, 0)`,
      sql`delete from quotas where product_code = 'thai-government' and bet_type = '3top'`,
    )
    const bets = (): [NewTicket, NewTicket] => [
      node.newTicket(member, betOn('123', 10)),
      node.newTicket(other, betOn('187', 10)),
    ]
    await node.readAndPlace([node.newTicket(other, betOn('123', 770)), ...bets()])
    await node.readAndPlace(bets())
    expect((await node.placeCached(...bets())).size).toBe(2)
    await node.readAndPlace(bets())
    await node.readAndPlace(bets())
    const [full, far] = bets()
    expect([...(await node.placeCached(full, far)).keys()]).toEqual([far])
  })

  test('quotas that have expired', async () => {
    await fillCache(node)
    node.nowMs += 1_000
    expect((await node.placeCached(node.newTicket(member))).size).toBe(0)
  })

  test('a member whose precondition failed, until a ticket of this member is placed', async () => {
    const { rows } = await database.asOwner<{ session_id: number }>`
      insert into sessions (user_id, token_hash, ended_at, end_reason)
      values (${member.user_id}, ${Buffer.from(randomUUID())}, clock_timestamp(), 'logged_off')
      returning session_id`
    await fillCache(node)
    const sizes: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const ended = node.newTicket(member, { session_to_verify: rows[0]!.session_id })
      const tickets = [node.newTicket(other), ended, node.newTicket(other)]
      sizes.push((await node.placeCached(...tickets)).size)
      await node.readAndPlace([ended, node.newTicket(other), node.newTicket(other), node.newTicket(other)])
    }
    // The first batch finds the limit; the others leave the member out.
    expect(sizes).toEqual([0, 2, 2])
  })

  describe('every ticket of a member for a minute, once its ticket has failed a batch and was not placed then', () => {
    const setStatus = (status: string) =>
      node.change(sql`update users set own_status = ${status} where user_id = ${member.user_id}`)
    const repeatOfAnotherNode = async () => {
      const ticket = node.newTicket(member)
      await placeTicket(createIntake(database.batches), { ...ticket })
      await node.readAndPlace([node.newTicket(member)])
      return ticket
    }

    test.each<[string, () => Promise<NewTicket>]>([
      ['it repeats what another node has placed', repeatOfAnotherNode],
      [
        'it has spent its credit in another period',
        async () => {
          await leaveCredit(database.owner, member.user_id, 100_00)
          await node.readAndPlace([node.newTicket(member)])
          await placeTicket(
            createIntake(database.batches),
            node.newTicket(member, { ...betOn('123', 130), period_code: await openPeriod(database.owner) }),
          )
          return node.newTicket(member, betOn('123', 100))
        },
      ],
      [
        'it uses a session that has ended',
        async () => {
          const { rows } = await database.asOwner<{ session_id: number }>`
            insert into sessions (user_id, token_hash, ended_at, end_reason)
            values (${member.user_id}, ${Buffer.from(randomUUID())}, clock_timestamp(), 'logged_off')
            returning session_id`
          await node.readAndPlace([node.newTicket(member)])
          return node.newTicket(member, { session_to_verify: rows[0]!.session_id })
        },
      ],
      [
        'its agent forbids and permits it to bet',
        async () => {
          await setStatus('NORMAL')
          await node.readAndPlace([node.newTicket(member)])
          await setStatus('DISABLED_BET')
          return node.newTicket(member)
        },
      ],
    ])('%s', async (_name, prepare) => {
      onTestFinished(async () => {
        await setStatus('NORMAL')
        await leaveCredit(database.owner, member.user_id, 100_000_00)
      })
      await fillCache(node)
      const sizes: number[] = []
      for (let round = 0; round < 3; round += 1) {
        const failing = await prepare()
        const [before, after] = [node.newTicket(other), node.newTicket(other)]
        const placed = await node.placeCached(before, failing, after)
        sizes.push(placed.size)
        await node.readAndPlace([before, failing, after].filter((each) => !placed.has(each)))
      }
      expect(sizes).toEqual([0, 2, 2])
      expect(await findViolatedInvariants(database.owner, ENTRY_CAUSES)).toEqual({})
    })

    test('and no longer', async () => {
      await fillCache(node)
      const [repeated, plain] = [await repeatOfAnotherNode(), node.newTicket(other)]
      expect((await node.placeCached(repeated, plain)).size).toBe(0)
      await node.readAndPlace([repeated, plain])
      for (const [waitMs, count] of [
        [59_000, 0],
        [1_001, 1],
      ] as const) {
        node.nowMs += waitMs
        await node.readAndPlace([node.newTicket(member)])
        expect((await node.placeCached(node.newTicket(member))).size).toBe(count)
      }
    })

    // Defect: a batch that fails for one of its members keeps the others from the cache as well.
    test('and none of the other members, nor for what the house has changed', async () => {
      await fillCache(node)
      await node.lowerLimitPerNumber()
      const tooMuch = node.newTicket(member, betOn('123', 500))
      expect((await node.placeCached(tooMuch, node.newTicket(other))).size).toBe(0)
      await node.readAndPlace([tooMuch, node.newTicket(other)])
      await node.readAndPlace([node.newTicket(member)])
      expect((await node.placeCached(node.newTicket(member), node.newTicket(other))).size).toBe(2)
    })
  })

  test('no member or period because of refusals elsewhere', async () => {
    await fillCache(node)
    await node.readAgain(other)
    const here = node.period_code
    for (let round = 0; round < 25; round += 1) {
      node.period_code = await openPeriod(database.owner)
      if (round % 2 === 1)
        await node.change(sql`update periods set close_at = clock_timestamp() where period_code = ${node.period_code}`)
      await node.readAndPlace([node.newTicket(member, { package_code: 'none' })])
      node.period_code = here
    }
    expect((await node.placeCached(node.newTicket(other), node.newTicket(other))).size).toBe(2)
  })

  test('no ticket in flight, even if its entries are evicted meanwhile', async () => {
    await fillCache(node)
    const placing = node.placeCached(node.newTicket(member), node.newTicket(other))
    node.intake.cache.get(node.period_code)!.members.clear()
    expect((await placing).size).toBe(2)
  })

  test('every ticket of a period that is not cached', async () => {
    expect((await node.placeCached(node.newTicket(member))).size).toBe(0)
  })
})
