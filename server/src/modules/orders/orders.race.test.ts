// Goal: whatever comes at once, credit is never overspent, a request_id is one ticket, and nothing is taken after the close.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { makeTicket, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, type Reply, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { closePeriod } from '../markets/markets.service.ts'
import { createIntake } from './orders.intake.ts'

const REPEATS = 20

let product: TestApp
let member: TestCaller

beforeAll(async () => {
  product = await startTestApp()
  member = await product.logIn('member01')
})

/** Leaves the member exactly this much to spend. */
async function leaveCredit(user_id: number, satang: number): Promise<void> {
  await sql`update accounts set floor_satang = least(0, balance_satang - ${satang}) where kind = 'cash' and user_id = ${user_id}`.execute(
    product.owner,
  )
}

function countByCode(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { json } of replies) {
    const code = json.error?.code ?? 'ok'
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

describe('credit', () => {
  test(`for 10 tickets takes exactly 10 of 50 that come at once, ${REPEATS} times over`, async () => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const period_code = await openPeriod(product.db)
      // 10.00 at 33 % discount is 6.70 net.
      await leaveCredit(member.user_id, 10 * 670 + 669)
      const tickets = Array.from({ length: 50 }, () => member.post('/api/order/create', makeTicket(period_code)))
      expect(countByCode(await Promise.all(tickets))).toEqual({ ok: 10, not_enough_credit: 40 })
    }
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })

  test('is shared exactly by two nodes and several periods', async () => {
    const nodes = [createIntake(product.db), createIntake(product.db)]
    const periods = [await openPeriod(product.db), await openPeriod(product.db, 'gsb')]
    await leaveCredit(member.user_id, 7 * 670)
    const placed = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        nodes[index % 2]!.placeTicket({
          ...makeTicket(periods[(index >> 1) % 2]!),
          user_id: member.user_id,
          content_hash: Buffer.alloc(32),
        }),
      ),
    )
    expect(placed.filter((each) => each.status === 'fulfilled')).toHaveLength(7)
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })
})

describe('a request_id', () => {
  test(`sent 20 times at once to two nodes is one ticket, ${REPEATS} times over`, async () => {
    await leaveCredit(member.user_id, 1_000_000)
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const period_code = await openPeriod(product.db)
      const nodes = [createIntake(product.db), createIntake(product.db)]
      const ticket = { ...makeTicket(period_code), user_id: member.user_id, content_hash: Buffer.alloc(32, repeat) }
      const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => nodes[index % 2]!.placeTicket(ticket)))
      expect(new Set(ids).size).toBe(1)
      const { rows } = await sql`select 1 from orders where request_id = ${ticket.request_id}`.execute(product.owner)
      expect(rows).toHaveLength(1)
    }
  })

  test('with two contents at once is one ticket and one refusal', async () => {
    const period_code = await openPeriod(product.db)
    const body = makeTicket(period_code)
    const other = { ...body, note: 'other' }
    const replies = await Promise.all([member.post('/api/order/create', body), member.post('/api/order/create', other)])
    expect(countByCode(replies)).toEqual({ ok: 1, request_id_reused: 1 })
  })
})

describe('the close', () => {
  test('lets nothing in from its instant on', async () => {
    const period_code = await openPeriod(product.db, 'thai-government', 400)
    await leaveCredit(member.user_id, 10_000_000)
    const replies: Promise<Reply>[] = []
    for (let burst = 0; burst < 80; burst += 1) {
      for (let each = 0; each < 5; each += 1) replies.push(member.post('/api/order/create', makeTicket(period_code)))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const counts = countByCode(await Promise.all(replies))
    expect(Object.keys(counts).toSorted()).toEqual(['ok', 'period_closed'])
    const { rows } = await sql<{ late: number; placed: number }>`
      select count(*) filter (where placed_at >= close_at) as late, count(*) as placed
      from orders join periods using (period_id) where period_code = ${period_code}`.execute(product.owner)
    expect(rows[0]).toEqual({ late: 0, placed: counts.ok })
  })

  test('ahead of time waits for the batch in flight and stops the next', async () => {
    const period_code = await openPeriod(product.db)
    const replies = Array.from({ length: 100 }, () => member.post('/api/order/create', makeTicket(period_code)))
    const closed = closePeriod(product.db, null, period_code, 'race')
    const counts = countByCode(await Promise.all(replies))
    await closed
    expect((counts.ok ?? 0) + (counts.period_closed ?? 0)).toBe(100)
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })
})

test('an early close comes to its turn under the load of four nodes', async () => {
  const period_code = await openPeriod(product.db)
  await leaveCredit(member.user_id, 100_000_000)
  let isClosed = false
  const nodes = Array.from({ length: 4 }, () => createIntake(product.db))
  const place = (node: (typeof nodes)[number]) =>
    node.placeTicket({ ...makeTicket(period_code), user_id: member.user_id, content_hash: Buffer.alloc(32) })
  const loops = nodes.flatMap((node) =>
    Array.from({ length: 4 }, async () => {
      let placed = 0
      while (!isClosed) {
        await place(node).then(
          () => (placed += 1),
          () => (isClosed = true),
        )
      }
      return placed
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  const before = await countTickets(period_code)
  await closePeriod(product.db, null, period_code, 'race')
  const during = (await countTickets(period_code)) - before
  const placed = (await Promise.all(loops)).reduce((sum, count) => sum + count, 0)
  expect(placed).toBe(await countTickets(period_code))
  expect(before).toBeGreaterThan(0)
  // At most what was in line before it: a batch of each node, and one that was on its way.
  expect(during).toBeLessThanOrEqual(32)
})

async function countTickets(period_code: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from orders join periods using (period_id) where period_code = ${period_code}`.execute(
    product.owner,
  )
  return rows[0]!.count
}

test('one ticket that the database refuses does not take the others of its batch with it', async () => {
  const period_code = await openPeriod(product.db)
  const intake = createIntake(product.db)
  const place = (note: string) =>
    intake.placeTicket({
      ...makeTicket(period_code, { note }),
      user_id: member.user_id,
      content_hash: Buffer.alloc(32),
    })
  const first = place('first')
  // PostgreSQL text cannot hold a NUL: this ticket breaks the statement of the whole batch.
  const results = await Promise.allSettled([first, place('good'), place('bad\u0000'), place('also good')])
  expect(results.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
