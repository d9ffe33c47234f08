// Goal: of everything that can happen to a ticket at the same time exactly one wins, and quotas are never oversold.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { makeTicket, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import type { Caller } from '../../platform/caller.ts'
import { Refusal } from '../../platform/refusal.ts'
import { closePeriod } from '../markets/markets.service.ts'
import { setQuota } from '../quotas/quotas.service.ts'
import { cancelOrder, confirmOrder, deleteOrder, expireDueOrders, voidOrder } from './order-life.service.ts'
import { createIntake, type Intake } from './orders.intake.ts'

const REPEATS = 200

let product: TestApp
let member: TestCaller
let intake: Intake
let asMember: Caller
let asAgent: Caller
let offices: Caller[]

beforeAll(async () => {
  product = await startTestApp()
  member = await product.logIn('member01')
  intake = createIntake(product.db)
  const callerOf = async (username: string, changes: Partial<Caller>): Promise<Caller> => {
    const { user_id } = await product.logIn(username)
    return { user_id, session_id: 0, username, level: 'member', is_office: false, status: 'NORMAL', ...changes }
  }
  asMember = { ...(await callerOf('member02', {})), user_id: member.user_id }
  asAgent = await callerOf('agent01', { level: 'agent' })
  offices = [await callerOf('office01', { is_office: true }), await callerOf('office02', { is_office: true })]
  const quota = { product_code: 'thai-government', bet_type: '3top' as const, full_satang: 10_000, half_satang: 5_000 }
  await setQuota(product.db, offices[0]!.user_id, quota)
})

/** A ticket of which 100 of 120 Baht are taken. */
function placeWaiting(period_code: string): Promise<number> {
  const items = [{ bet_type: '3top' as const, number: '123', bet_satang: 12_000, rate: 55_000 }]
  return intake.placeTicket({
    ...makeTicket(period_code, { items }),
    user_id: member.user_id,
    content_hash: Buffer.alloc(32),
  })
}

/** Runs all at once. @returns the names of those that went through; the others must have been refused, not failed */
async function race(runs: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
  const names = Object.keys(runs)
  const results = await Promise.allSettled(names.map((name) => runs[name]!()))
  return names.filter((_name, index) => {
    const result = results[index]!
    if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason
    return result.status === 'fulfilled'
  })
}

async function statusOf(order_id: number): Promise<{ status: string; events: string[] }> {
  const { rows } = await sql<{ status: string; events: string[] }>`
    select status, array(select event from order_events where order_events.order_id = orders.order_id order by event_id) as events
    from orders where order_id = ${order_id}`.execute(product.owner)
  return rows[0]!
}

describe('a waiting ticket', () => {
  test(`that is confirmed, returned, cancelled and deleted at once gets one of them, ${REPEATS} times over`, async () => {
    const winners: Record<string, number> = {}
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const period_code = await openPeriod(product.db)
      const order_id = await placeWaiting(period_code)
      const won = await race({
        confirm: () => confirmOrder(product.db, asMember, order_id, []),
        return_all: () => confirmOrder(product.db, asMember, order_id, [{ line_no: 1, bet_satang: 0 }]),
        cancel: () => cancelOrder(product.db, asMember, order_id, 'WAIT_CONFIRM'),
        delete: () => deleteOrder(product.db, asAgent, order_id, 'race'),
      })
      const { status, events } = await statusOf(order_id)
      // A delete may still follow a confirmation: that is no contradiction but the next thing that happened.
      expect(events).toEqual(won.length === 2 ? ['confirm', 'delete'] : won)
      expect(status).toBe(
        { confirm: 'CONFIRMED', return_all: 'CANCELLED', cancel: 'CANCELLED', delete: 'DELETED' }[events.at(-1)!],
      )
      winners[events[0]!] = (winners[events[0]!] ?? 0) + 1
    }
    expect(Object.values(winners).reduce((sum, count) => sum + count, 0)).toBe(REPEATS)
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })

  test(`whose deadline passes while it is confirmed and cancelled gets one of them, ${REPEATS} times over`, async () => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const period_code = await openPeriod(product.db)
      const order_id = await placeWaiting(period_code)
      // The deadline falls about now, a little before or after.
      await sql`update orders set placed_at = clock_timestamp() - interval '30 min' + ${repeat % 5} * interval '1 ms',
        confirm_deadline_at = clock_timestamp() + ${repeat % 5} * interval '1 ms' where order_id = ${order_id}`.execute(
        product.owner,
      )
      await race({
        confirm: () => confirmOrder(product.db, asMember, order_id, []),
        cancel: () => cancelOrder(product.db, asMember, order_id, 'WAIT_CONFIRM'),
        expire: () => expireDueOrders(product.db),
        expire_on_another_node: () => expireDueOrders(product.db),
      })
      await new Promise((resolve) => setTimeout(resolve, 5))
      await expireDueOrders(product.db)
      const { status, events } = await statusOf(order_id)
      expect(events).toHaveLength(1)
      expect(status).toBe(events[0] === 'cancel' ? 'CANCELLED' : 'CONFIRMED')
    }
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })

  test(`whose period closes while it is cancelled, deleted and voided gets one of them, ${REPEATS} times over`, async () => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const period_code = await openPeriod(product.db)
      const order_id = await placeWaiting(period_code)
      await race({
        cancel: () => cancelOrder(product.db, asMember, order_id, 'WAIT_CONFIRM'),
        close: () => closePeriod(product.db, null, period_code, 'race'),
        void_by_one: () => voidOrder(product.db, offices[0]!, order_id, 'race'),
        void_by_other: () => voidOrder(product.db, offices[1]!, order_id, 'race'),
        delete: () => deleteOrder(product.db, asAgent, order_id, 'race'),
      })
      await expireDueOrders(product.db)
      const { status, events } = await statusOf(order_id)
      expect(['cancel', 'delete', 'void', 'expire']).toContain(events[0])
      expect(events).toHaveLength(1)
      expect(status).toBe({ cancel: 'CANCELLED', delete: 'DELETED', void: 'DELETED', expire: 'CONFIRMED' }[events[0]!])
    }
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })
})

describe('a quota', () => {
  test(`for 10 tickets at the full rate and 10 at half takes exactly those of 50 at once, on two nodes, ${REPEATS / 10} times over`, async () => {
    const user_ids = [member.user_id, await findMemberId('member03'), await findMemberId('member04')]
    const nodes = [createIntake(product.db), createIntake(product.db)]
    for (let repeat = 0; repeat < REPEATS / 10; repeat += 1) {
      const period_code = await openPeriod(product.db)
      const items = [{ bet_type: '3top' as const, number: '777', bet_satang: 1_000, rate: 55_000 }]
      await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) =>
          nodes[index % 2]!.placeTicket({
            ...makeTicket(period_code, { items, on_change: 'accept' }),
            user_id: user_ids[index % 3]!,
            content_hash: Buffer.alloc(32),
          }),
        ),
      )
      const { rows } = await sql<{ is_half_pay: boolean; tickets: number; received: number }>`
        select is_half_pay, count(*) as tickets, sum(items.received_satang)::bigint as received
        from order_items items join periods using (period_id)
        where period_code = ${period_code} group by 1 order by 1`.execute(product.owner)
      expect(rows).toEqual([
        { is_half_pay: false, tickets: 10, received: 10_000 },
        { is_half_pay: true, tickets: 5, received: 5_000 },
      ])
    }
    expect(await findBrokenInvariants(product.owner)).toEqual({})
  })
})

async function findMemberId(username: string): Promise<number> {
  return (await product.logIn(username)).user_id
}
