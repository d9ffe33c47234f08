// Under concurrency, credit is never overspent, a quota is never oversold, a request_id is one ticket, and nothing is
// accepted after a close. Two nodes with their own connections race many times.

import { closeEarly } from '../../test/changes.ts'
import type { Order } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ENTRY_CAUSES, findViolatedInvariants } from '../../test/invariants.ts'
import { countOutcomes, findCaller, type Node, openNode, repeat, type TestUser } from '../../test/nodes.ts'
import {
  leaveCredit,
  limitNumbers,
  makeTicket,
  numberOf,
  openPeriod,
  statusOf,
  ticketOn,
  toNewTicket,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import type { NewTicket } from './ticket.ts'
import { createIntake, type Intake } from './intake/intake.ts'
import { placeOrder, placeTicket } from './intake/place-order.ts'
import { getOrder, type PlacedReply } from './read/present-order.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** `RACE_REPEATS` for more. */
const REPEATS = Number(process.env.RACE_REPEATS ?? 8)
/** Concurrent repeats. */
const LANES = 5
/** 10 Baht at 33 % discount. */
const NET_SATANG = 670

const app = await startTestApp()
const nodes: Node[] = [openNode(app.url), openNode(app.url)]
const members: TestUser[] = []
for (let number = 1; number <= 20; number += 1)
  members.push(await findCaller(app.db, `member${String(number).padStart(2, '0')}`))

/** 10 Baht on one number. */
function tenBahtOn(user_id: number, period_code: string, number: string): NewTicket {
  return toNewTicket({ user_id }, ticketOn(period_code, [[number, 10]]))
}

async function placeOn({ intake }: { intake: Intake }, ticket: NewTicket): Promise<number> {
  return (await placeTicket(intake, ticket)).order_id
}

/** Places this many concurrently, alternating between the nodes. */
function placeAtOnce(count: number, ticket: (index: number) => NewTicket): Promise<PromiseSettledResult<number>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => placeOn(nodes[index % 2]!, ticket(index))))
}

// Defect: two tickets of one member both read the credit before either writes it, and the member spends it twice.
describe('credit', () => {
  test(`for 10 tickets accepts exactly 10 of 50 at once, ${REPEATS} times`, async () => {
    const period_code = await openPeriod(app.owner)
    await repeat(REPEATS, LANES, async (round) => {
      const { user_id } = members[round % members.length]!
      await leaveCredit(app.owner, user_id, 10 * NET_SATANG + NET_SATANG - 1)
      const placed = await placeAtOnce(50, () => tenBahtOn(user_id, period_code, numberOf(round)))
      expect(countOutcomes(placed)).toEqual({ ok: 10, not_enough_credit: 40 })
    })
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  test(`is shared exactly by several periods, ${REPEATS} times`, async () => {
    const periods = [await openPeriod(app.owner), await openPeriod(app.owner, 'gsb')]
    await repeat(REPEATS, LANES, async (round) => {
      const { user_id } = members[round % members.length]!
      await leaveCredit(app.owner, user_id, 7 * NET_SATANG)
      const placed = await placeAtOnce(20, (index) => tenBahtOn(user_id, periods[(index >> 1) % 2]!, numberOf(round)))
      expect(countOutcomes(placed)).toEqual({ ok: 7, not_enough_credit: 13 })
    })
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('is equally exact over HTTP', async () => {
    const member = await app.logIn('member01')
    const period_code = await openPeriod(app.owner)
    await leaveCredit(app.owner, member.user_id, 10 * NET_SATANG)
    const calls = Array.from({ length: 50 }, () => member.post('/api/order/create', makeTicket(period_code)))
    const codes = (await Promise.all(calls)).map(statusOf)
    expect(codes.toSorted()).toEqual([
      ...Array<string>(10).fill('CONFIRMED'),
      ...Array<string>(40).fill('not_enough_credit'),
    ])
  })
})

// Defect: tickets on one number both read what is left of its quota, and the house accepts more than it can pay.
test(`a quota for 10 tickets at the full rate and 5 at half accepts exactly those of 50 at once, ${REPEATS} times`, async () => {
  await limitNumbers(app.db, '3top', 10_000, 5_000, 'baac')
  const period_code = await openPeriod(app.owner, 'baac')
  for (const { user_id } of members) await leaveCredit(app.owner, user_id, 10_000_000)
  await repeat(REPEATS, LANES, async (round) => {
    const placed = await placeAtOnce(50, (index) => ({
      ...tenBahtOn(members[(round * 3 + (index % 3)) % members.length]!.user_id, period_code, numberOf(round)),
      on_change: 'accept',
    }))
    expect(countOutcomes(placed)).toEqual({ ok: 15, all_numbers_closed: 35 })
    const office = { ...members[0]!, is_office: true }
    const orders = await Promise.all(
      placed.flatMap((each) => (each.status === 'fulfilled' ? [getOrder(app.db, office, each.value)] : [])),
    )
    const accepted = orders.map(({ items: [item] }) => `${item!.received_satang} at ${item!.rate}`)
    expect(accepted.toSorted()).toEqual([
      ...Array<string>(5).fill('1000 at 27500'),
      ...Array<string>(10).fill('1000 at 55000'),
    ])
  })
  expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
})

// Defect: a statement that skips the services' checks writes an overspent balance or an oversold quota.
describe('the database itself', () => {
  // A block of quotas whose first number is full: 100 Baht at the full rate and 50 more at half.
  beforeAll(async () => {
    await limitNumbers(app.db, '3top', 10_000, 5_000, 'malay')
    const period_code = await openPeriod(app.owner, 'malay')
    await leaveCredit(app.owner, members[0]!.user_id, 10_000_000)
    for (const baht of [100, 50]) {
      const ticket = ticketOn(period_code, [['000', baht]], { on_change: 'accept' })
      await placeOn(nodes[0]!, toNewTicket(members[0]!, ticket))
    }
  })

  test.each(['megalot_app', 'owner'] as const)(
    'refuses %s to overspend credit, held money or a quota',
    async (role) => {
      const db = role === 'owner' ? app.owner : app.db
      const { user_id } = members[0]!
      await leaveCredit(app.owner, user_id, 1_000)
      const post = (kind: string, satang: number, by = db) =>
        sql`insert into entries (kind, from_account_id, to_account_id, amount_satang)
        select 'adjustment', own.account_id, other.account_id, ${satang} from accounts own, accounts other
        where own.kind = ${kind} and own.user_id = ${user_id} and other.kind = ${kind} and other.user_id = ${members[1]!.user_id}`.execute(
          by,
        )
      await expect(post('cash', 1_001)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
      await expect(post('held', 1)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
      const lower = sql`update accounts set floor_satang = balance_satang + 1 where kind = 'cash' and user_id = ${user_id}`
      await expect(lower.execute(db)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
      const oversell = sql`update quota_blocks set packed = array_replace(packed, 150::smallint, 151::smallint)
        where 150 = any(packed)`
      // Even the owner changes a block only through the function that checks its limits.
      await expect(oversell.execute(db)).rejects.toMatchObject(
        role === 'owner' ? { constraint: 'quotas_are_added_to' } : { code: '42501' },
      )
      const grow = (satang: number) => sql`
        select add_to_quotas(period_code, array[bet_type], array[block], array['{1}'], array[${`{${satang}}`}], false)
        from quota_blocks join periods using (period_id) where 150 = packed[1] limit 1`
      await expect(grow(1).execute(db)).rejects.toMatchObject({ constraint: 'quota_never_oversold' })
      await expect(grow(-15_001).execute(db)).rejects.toMatchObject({ constraint: 'quota_never_below_nothing' })
      // All of it is allowed, by hand: nothing in the application transfers money.
      await post('cash', 1_000, app.owner)
      await leaveCredit(app.owner, user_id, 1_000)
    },
  )

  test('refuses even the owner to write a balance below its floor', async () => {
    const write = sql`update accounts set balance_satang = floor_satang - 1 where kind = 'cash'`
    await expect(write.execute(app.owner)).rejects.toMatchObject({ constraint: 'credit_never_overspent' })
    await expect(write.execute(app.db)).rejects.toMatchObject({ code: '42501' })
  })
})

// Defect: a client that repeats a call whose reply was lost buys the ticket twice, or gets the ticket of other content.
describe('a request_id', () => {
  test(`sent 20 times at once is one ticket, ${REPEATS} times`, async () => {
    const { user_id } = members[2]!
    await leaveCredit(app.owner, user_id, 10_000_000)
    const period_code = await openPeriod(app.owner)
    await repeat(REPEATS, LANES, async (round) => {
      const ticket = tenBahtOn(user_id, period_code, numberOf(round))
      const ids = (await placeAtOnce(20, () => ticket)).map((each) => each.status === 'fulfilled' && each.value)
      expect(new Set(ids).size).toBe(1)
      expect(ids[0]).toBeTypeOf('number')
    })
    expect(await countTickets(period_code)).toBe(REPEATS)
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  test(`with two contents at once is one ticket and one refusal, ${REPEATS} times`, async () => {
    const member = members[3]!
    await leaveCredit(app.owner, member.user_id, 10_000_000)
    const period_code = await openPeriod(app.owner)
    const won = { first: 0, other: 0 }
    const run = async (round: number) => {
      const first = makeTicket(period_code, { note: 'first' })
      const other = { ...first, note: 'other' }
      const bodies = round % 2 === 0 ? [first, other, other, first] : [other, first, first, other]
      const placed = await Promise.allSettled(
        bodies.map((body, index) => placeOrder(nodes[index % 2]!.db, nodes[index % 2]!.intake, member, body)),
      )
      expect(countOutcomes(placed)).toEqual({ ok: 2, request_id_reused: 2 })
      const notes = placed.map((each, index) =>
        each.status === 'fulfilled' ? [noteOf(each.value), bodies[index]!.note] : [],
      )
      const [winner] = notes.flat()
      expect(notes.flat()).toEqual([winner, winner, winner, winner])
      won[winner as keyof typeof won] += 1
    }
    const haveBothWon = () => Math.min(won.first, won.other) > 0
    const rounds = await repeat(REPEATS, LANES, run, haveBothWon)
    expect(await countTickets(period_code)).toBe(rounds)
    expect(haveBothWon()).toBe(true)
  })
})

function noteOf({ json }: PlacedReply): string {
  return (JSON.parse(json) as Order).note
}

// Defect: a ticket that was checked before the close is written after it, when its result may be known. Or the close
// waits for ever behind new batches.
describe('an early close', () => {
  test(`waits for the batches in flight and refuses the next, ${REPEATS} times`, async () => {
    for (const { user_id } of members) await leaveCredit(app.owner, user_id, 100_000_000)
    const total = { ok: 0, overtaken: 0 }
    const run = async (round: number) => {
      const { user_id } = members[round % members.length]!
      const period_code = await openPeriod(app.owner)
      const ticket = () => tenBahtOn(user_id, period_code, numberOf(round))
      const early = placeAtOnce(6, ticket)
      for (let tick = 0; tick < round % 10; tick += 1) await new Promise(setImmediate)
      const closed = closeEarly(app.db, period_code)
      const placed = [...(await placeAtOnce(6, ticket)), ...(await early)]
      await closed
      placed.push(...(await placeAtOnce(2, ticket)))
      const { ok = 0, period_closed = 0, ...rest } = countOutcomes(placed)
      expect(rest).toEqual({})
      expect(period_closed).toBeGreaterThanOrEqual(2)
      expect(await countTickets(period_code)).toBe(ok)
      total.ok += ok
      // Two are sent after the close. All others were refused because the close overtook them.
      total.overtaken += period_closed - 2
    }
    const haveBothOccurred = () => total.ok > 0 && total.overtaken > 0
    await repeat(REPEATS, LANES, run, haveBothOccurred)
    expect(haveBothOccurred()).toBe(true)
    expect(await findViolatedInvariants(app.owner, ENTRY_CAUSES)).toEqual({})
  })

  test('does not starve under the load of four nodes', async () => {
    const { user_id } = members[5]!
    const period_code = await openPeriod(app.owner)
    await leaveCredit(app.owner, user_id, 100_000_000)
    let isClosed = false
    const four = [...nodes, openNode(app.url), openNode(app.url)]
    const loops = four.flatMap(({ intake }) =>
      Array.from({ length: 4 }, async () => {
        let placed = 0
        while (!isClosed) {
          await placeTicket(intake, tenBahtOn(user_id, period_code, '123')).then(
            () => (placed += 1),
            () => (isClosed = true),
          )
        }
        return placed
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect.poll(() => countTickets(period_code)).toBeGreaterThan(0)
    const before = await countTickets(period_code)
    await closeEarly(app.db, period_code)
    const during = (await countTickets(period_code)) - before
    const placed = (await Promise.all(loops)).reduce((sum, count) => sum + count, 0)
    expect(placed).toBe(await countTickets(period_code))
    // At most what was queued before it: a batch per node, and one in flight.
    expect(during).toBeLessThanOrEqual(32)
  })
})

async function countTickets(period_code: string): Promise<number> {
  const { rows } = await app.asOwner<{ count: number }>`
    select count(*) as count from orders join periods using (period_id) where period_code = ${period_code}`
  return rows[0]!.count
}

// Defect: one bad ticket fails the statement of its batch, and the tickets of other members with it.
test('one ticket that the database refuses does not affect the others of its batch', async () => {
  const period_code = await openPeriod(app.owner)
  const { user_id } = members[6]!
  const intake = createIntake(app.batches)
  const place = (note: string) => placeTicket(intake, { ...tenBahtOn(user_id, period_code, '123'), note })
  const first = place('first')
  // PostgreSQL text cannot hold a NUL, so this ticket fails the statement of the whole batch.
  const results = await Promise.allSettled([first, place('good'), place('bad\u0000'), place('also good')])
  expect(results.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

// Defect: a ticket that needs a reading attempt, such as a refused one, delays all tickets of its period.
test('a ticket that is not decided from the cache does not delay others of its period', async () => {
  const period_code = await openPeriod(app.owner)
  const intake = createIntake(app.batches)
  const [slow, quick] = [members[6]!, members[7]!]
  const place = ({ user_id }: TestUser, baht: number) =>
    placeTicket(intake, toNewTicket({ user_id }, ticketOn(period_code, [['123', baht]])))
  for (const member of [slow, quick]) {
    await leaveCredit(app.owner, member.user_id, 10 * NET_SATANG)
    await place(member, 10)
  }
  const refused = await app.owner.transaction().execute(async (tx) => {
    await sql`select 1 from accounts where user_id = ${slow.user_id} and kind = 'cash' for update`.execute(tx)
    // More than its credit, so it is decided by a reading attempt and waits for the account.
    const outcome = place(slow, 1_000).catch((error: unknown) => error)
    await hasWaiter()
    expect(await place(quick, 10)).toHaveProperty('placed')
    return { outcome }
  })
  expect(await refused.outcome).toMatchObject({ code: 'not_enough_credit' })
})

/** Resolves once a transaction waits for another. */
async function hasWaiter(): Promise<void> {
  for (;;) {
    const { rows } = await app.asOwner`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`
    if (rows.length > 0) return
  }
}
