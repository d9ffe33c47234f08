// Goal: the slot index of a closed period names every ticket of each bet, also tickets that were in flight at the close,
// and settlement pays the same whether it finds the index built or not.

import { changeAs, closeEarly } from '../../test/changes.ts'
import { type BetTypeCode, slotOf } from '@megalot/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode, type TestUser } from '../../test/nodes.ts'
import { dayOf, holdDraw, toNewTicket, makeTicket, openPeriod, rates70 } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { Refusal } from '../lib/refusal.ts'
import { changeCreditLimit } from '../identity/accounts/index.ts'
import { reconcileExposure } from '../exposure/index.ts'
import { getPeriodRecord, lockPeriodShared } from '../markets/index.ts'
import { cancelOrder, confirmOrder, getOrder, placeTicket } from '../betting/index.ts'
import { setQuota } from '../markets/quotas/index.ts'
import { enterAward } from './awards.service.ts'
import { settlementJob, settlePeriod } from './settlement.service.ts'
import { listTicketsWithBets } from './settlement.store.ts'
import { buildSlotIndex, indexClosedPeriods } from './slot-index.ts'

const result = { first_prize: '000123', top3: '123', bottom2: '12', front3: ['111', '222'], back3: ['333', '444'] }

let period_code: string
let period_id: number

const app = await startTestApp()
const node = openNode(app.url)
const members: [TestUser, TestUser] = [await findCaller(app.db, 'member01'), await findCaller(app.db, 'member02')]
const offices: [TestUser, TestUser] = [await findCaller(app.db, 'office01'), await findCaller(app.db, 'office02')]
const agent = await findCaller(app.db, 'agent01')
for (const { user_id } of members)
  await changeAs(app.db, agent, changeCreditLimit, { user_id, credit_limit_satang: 100_000_000 })
for (const bet_type of ['3top', '2top'] as const) {
  const quota = { product_code: 'thai-government', bet_type, full_satang: 20_000, half_satang: 5_000 }
  await changeAs(app.db, offices[0].user_id, setQuota, quota)
}
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
  period_id = (await getPeriodRecord(app.db, period_code)).period_id
})

type Bet = readonly [bet_type: BetTypeCode, number: string, baht: number]

/** @returns the id of the ticket */
async function place(member: TestUser, bets: readonly Bet[], code = period_code): Promise<number> {
  const items = bets.map(([bet_type, number, baht]) => ({
    bet_type,
    number,
    bet_satang: baht * 100,
    rate: rates70[bet_type],
  }))
  const ticket = toNewTicket(member, makeTicket(code, { items }))
  return (await placeTicket(node.intake, ticket)).order_id
}

const close = (code = period_code) => closeEarly(app.db, code)

/** The index as stored: the tickets of each slot. */
async function readIndex(id = period_id): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ slot: number; order_ids: number[] }>`
    select slot, order_ids from period_slots where period_id = ${id}`.execute(app.db)
  return new Map(rows.map(({ slot, order_ids }) => [slot, order_ids]))
}

async function isIndexed(id = period_id): Promise<boolean> {
  const { rows } = await sql`select 1 from slot_indexes where period_id = ${id} and built_at is not null`.execute(
    app.db,
  )
  return rows.length > 0
}

const bet = fc.oneof(
  fc.tuple(
    fc.constant<BetTypeCode>('3top'),
    fc.constantFrom('000', '123', '321', '999'),
    fc.integer({ min: 5, max: 150 }),
  ),
  fc.tuple(fc.constant<BetTypeCode>('3roll'), fc.constantFrom('123', '321', '555'), fc.integer({ min: 5, max: 20 })),
  fc.tuple(fc.constant<BetTypeCode>('2top'), fc.constantFrom('00', '23', '99'), fc.integer({ min: 5, max: 150 })),
  fc.tuple(fc.constant<BetTypeCode>('1bottom'), fc.constantFrom('0', '2', '9'), fc.integer({ min: 5, max: 20 })),
)
const plan = fc.record({
  who: fc.nat({ max: 1 }),
  bets: fc.array(bet, { minLength: 1, maxLength: 6 }),
  outcome: fc.constantFrom('stays', 'stays', 'is cancelled', 'returns a line'),
})

const pieceSize = fc.constantFrom(1, 2, 7, 100_000)

test('is a plain recount of the tickets, whatever became of them', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 20, maxLength: 40 }), pieceSize, async (plans, size) => {
      const code = await openPeriod(app.owner)
      const id = (await getPeriodRecord(app.db, code)).period_id
      const counted = new Map<number, Set<number>>()
      for (const { who, bets, outcome } of plans) {
        const member = members[who]!
        const order_id = await place(member, bets, code).catch(ignoreRefusal)
        if (order_id === undefined) continue
        for (const [bet_type, number] of bets) {
          const slot = slotOf(bet_type, number)
          counted.set(slot, (counted.get(slot) ?? new Set()).add(order_id))
        }
        const { status, items } = await getOrder(app.db, member, order_id)
        seen.add(status)
        if (outcome === 'is cancelled')
          await cancelOrder(app.db, member, order_id, status as never).catch(ignoreRefusal)
        if (outcome === 'returns a line' && status === 'WAIT_CONFIRM') {
          const decisions = items.map(({ line_no, received_satang }, at) => ({
            line_no,
            bet_satang: at === 0 ? 0 : received_satang,
          }))
          await confirmOrder(app.db, member, order_id, decisions)
        }
        seen.add((await getOrder(app.db, member, order_id)).status)
      }
      await close(code)
      await buildSlotIndex(app.db, id, size)
      const expected = new Map(
        [...counted].map(([slot, order_ids]) => [slot, [...order_ids].toSorted((one, next) => one - next)]),
      )
      expect(await readIndex(id)).toEqual(expected)
    }),
    { numRuns: 4 },
  )
  expect([...seen].toSorted()).toEqual(['CANCELLED', 'CONFIRMED', 'WAIT_CONFIRM'])
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

describe('building it', () => {
  test('is refused while the period accepts bets, and before it opens', async () => {
    await place(members[0], [['3top', '123', 10]])
    await expect(buildSlotIndex(app.db, period_id)).rejects.toMatchObject({ constraint: 'slot_index_after_close' })
    const future = await openPeriod(app.owner, 'thai-government', 86_400_000)
    const { period_id: future_id } = await getPeriodRecord(app.db, future)
    await expect(buildSlotIndex(app.db, future_id)).rejects.toMatchObject({ constraint: 'slot_index_after_close' })
    expect([await isIndexed(), (await readIndex()).size]).toEqual([false, 0])
    await close()
    await buildSlotIndex(app.db, period_id)
    expect([await isIndexed(), (await readIndex()).size]).toEqual([true, 1])
  })

  test('of a period without tickets counts as built', async () => {
    await close()
    await buildSlotIndex(app.db, period_id)
    expect([await isIndexed(), (await readIndex()).size]).toEqual([true, 0])
  })

  test('twice, and on two nodes at once, gives the same', async () => {
    for (const number of ['123', '456', '123']) await place(members[0], [['3top', number, 10]])
    await close()
    const other = openNode(app.url)
    await Promise.all([app, node, other].map(({ db }) => buildSlotIndex(db, period_id)))
    const first = await readIndex()
    expect(first.get(slotOf('3top', '123'))).toHaveLength(2)
    await buildSlotIndex(app.db, period_id)
    expect(await readIndex()).toEqual(first)
  })

  test('goes on after an interruption, and is not used before it is complete', async () => {
    const placed = []
    for (let count = 0; count < 5; count++) placed.push(await place(members[0], [['3top', '123', 10]]))
    await close()
    const buildPiece = sql<{ isBuilt: boolean }>`select build_slot_index(${period_id}, 2) as "isBuilt"`
    expect((await buildPiece.execute(app.db)).rows).toEqual([{ isBuilt: false }])
    expect([await isIndexed(), (await readIndex()).get(slotOf('3top', '123'))]).toEqual([false, placed.slice(0, 2)])
    const listing = app.db.transaction().execute((tx) => listTicketsWithBets(tx, period_id, [slotOf('3top', '123')], 0))
    await expect(listing).rejects.toThrow('without its slot index')
    expect(await indexClosedPeriods(app.db)).toBe(1)
    expect([await isIndexed(), (await readIndex()).get(slotOf('3top', '123'))]).toEqual([true, placed])
  })

  test('waits for a batch that is in flight at the close, and finds its tickets', async () => {
    const earlier = await place(members[0], [['3top', '123', 10]])
    let order_id = 0
    let building: Promise<void> | undefined
    await app.owner.transaction().execute(async (tx) => {
      // As a batch does: the shared lock, and then the tickets. This one has ended, because it has no ledger entries.
      await lockPeriodShared(tx, period_code)
      const { rows } = await sql<{ order_id: number }>`
        insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
          received_satang, discount_satang, slots, lines, created_at)
        select nextval('order_ids'), gen_random_uuid(), content_hash, user_id, period_id, package_id, 'DELETED', item_count,
          bet_satang, received_satang, discount_satang, slots, lines, clock_timestamp()
        from orders where order_id = ${earlier} returning order_id`.execute(tx)
      order_id = rows[0]!.order_id
      await app.asOwner`update periods set close_at = clock_timestamp() where period_id = ${period_id}`
      building = buildSlotIndex(app.db, period_id)
      await Promise.race([building, hasWaiter()])
    })
    await building
    expect((await readIndex()).get(slotOf('3top', '123'))).toEqual([earlier, order_id])
  })

  test('while nodes place tickets until the close finds every ticket that was placed', async () => {
    const nodes = [node, openNode(app.url)]
    for (let round = 0; round < 10; round += 1) {
      const code = await openPeriod(app.owner)
      const { period_id: id } = await getPeriodRecord(app.db, code)
      const placed: number[] = []
      const loops = nodes.flatMap(({ intake }, lane) =>
        [0, 1, 2].map(async () => {
          for (;;) {
            const { user_id } = members[lane]!
            const items = [{ bet_type: '1top' as const, number: '7', bet_satang: 1_000, rate: rates70['1top'] }]
            const ticket = toNewTicket({ user_id }, makeTicket(code, { items }))
            const order_id = await placeTicket(intake, ticket).then((made) => made.order_id, ignoreRefusal)
            if (order_id === undefined) return
            placed.push(order_id)
          }
        }),
      )
      while (placed.length < 20) await new Promise(setImmediate)
      // By the clock, and not by an early close, which waits for the batches itself.
      const soon = sql`update periods set close_at = clock_timestamp() + interval '100 ms' where period_id = ${id}`
      await soon.execute(app.owner)
      while (!(await isBuilt(id)));
      const indexed = (await readIndex(id)).get(slotOf('1top', '7'))
      await Promise.all(loops)
      expect(indexed).toEqual(placed.toSorted((one, next) => one - next))
    }
  })

  test('is refused in a transaction that reads by an older snapshot', async () => {
    await close()
    const building = app.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => buildSlotIndex(tx, period_id))
    await expect(building).rejects.toMatchObject({ code: '25000' })
  })

  test('is a job for every period that has closed and has no outcome', async () => {
    await indexClosedPeriods(app.db)
    const open_code = await openPeriod(app.owner)
    await place(members[0], [['3top', '123', 10]])
    await close()
    expect(await indexClosedPeriods(app.db)).toBe(1)
    expect(await isIndexed()).toBe(true)
    expect(await isIndexed((await getPeriodRecord(app.db, open_code)).period_id)).toBe(false)
    expect(await indexClosedPeriods(app.db)).toBe(0)
  })
})

/** @returns false while the period accepts bets */
async function isBuilt(id: number): Promise<boolean> {
  return buildSlotIndex(app.db, id).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ constraint: 'slot_index_after_close' })
      return false
    },
  )
}

/** Ends when somebody waits for an advisory lock. */
async function hasWaiter(): Promise<void> {
  for (;;) {
    const { rows } = await app.asOwner`
      select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`
    if (rows.length > 0) return
  }
}

describe('settlement', () => {
  async function agree(code: string): Promise<void> {
    await holdDraw(app.owner, code)
    for (const { user_id } of offices)
      await enterAward(app.db, { actor_id: user_id }, { period_code: code, date: dayOf(code), result })
  }

  /** What was paid, ticket by ticket in the order of their ids. */
  async function listPaid(id: number): Promise<unknown[]> {
    const { rows } = await app.asOwner`
      select orders.user_id, status, win_satang, array(select amount_satang from entries
        where entries.order_id = orders.order_id and kind = 'win') as paid,
        array(select (line_no, win_satang)::text from order_wins w where w.order_id = orders.order_id order by line_no) as lines
      from orders where period_id = ${id} order by order_id`
    return rows
  }

  test('pays the same whether the job has built the index or not', async () => {
    const second_code = await openPeriod(app.owner)
    const second_id = (await getPeriodRecord(app.db, second_code)).period_id
    const tickets: readonly (readonly Bet[])[] = [
      [
        ['3top', '123', 30],
        ['2top', '99', 5],
      ],
      [
        ['3roll', '321', 5],
        ['2top', '23', 20],
        ['3roll', '321', 6],
      ],
      [['3top', '999', 10]],
      // Received in part, and paid half.
      [['3top', '123', 180]],
      [['3top', '123', 60]],
      [
        ['2bottom', '12', 7],
        ['1top', '1', 9],
        ['1bottom', '2', 5],
      ],
    ]
    const both = [
      [period_code, period_id],
      [second_code, second_id],
    ] as const
    for (const [code] of both) {
      for (const [at, bets] of tickets.entries()) await place(members[at % 2]!, bets, code)
      const last = await place(members[0], [['3roll', '123', 5]], code)
      await cancelOrder(app.db, members[0], last, 'CONFIRMED')
      await close(code)
    }
    await buildSlotIndex(app.db, period_id)
    for (const [code] of both) await agree(code)
    expect([await isIndexed(period_id), await isIndexed(second_id)]).toEqual([true, false])
    for (const [, id] of both) await settlePeriod(app.db, id, 2)
    expect(await isIndexed(second_id)).toBe(true)
    const paid = await listPaid(period_id)
    expect(paid.filter((row) => (row as { win_satang: number }).win_satang > 0)).toHaveLength(5)
    expect(await listPaid(second_id)).toEqual(paid)
    // The test of the batch in flight wrote a deleted ticket without the event of its removal.
    expect(await findViolatedInvariants(app.owner, ['accepted_is_in_book', 'removed_in_time'])).toEqual({})
  })

  test('fails without the index, and does not take every ticket as lost', async () => {
    await place(members[0], [['3top', '123', 10]])
    await close()
    await agree(period_code)
    await reconcileExposure(app.db, period_id)
    const planned = app.db.transaction().execute(async (tx) => {
      const job = settlementJob(period_id)
      return job.makePlan(tx, await job.lockProgress(tx))
    })
    await expect(planned).rejects.toThrow('without its slot index')
    await settlePeriod(app.db, period_id)
    expect((await listPaid(period_id))[0]).toMatchObject({ win_satang: 550_000 })
  })
})
