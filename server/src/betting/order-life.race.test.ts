// Of several concurrent changes to a ticket exactly one succeeds, whichever starts first and on whichever node. Each
// race runs many times, and every side must have won some.

import { closeEarly } from '../../test/changes.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, type Node, openNode, repeat, type TestUser } from '../../test/nodes.ts'
import { limitNumbers, numberOf, openPeriod, ticketOn, toNewTicket } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { approveVoid, findVoid, proposeVoid } from '../../test/voids.ts'
import { Refusal } from '../lib/refusal.ts'
import { cancelOrder } from './life/cancel.ts'
import { confirmOrder } from './life/confirm.ts'
import { deleteOrder } from './life/delete.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'
import { placeTicket } from './intake/place-order.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** `RACE_REPEATS` for more. */
const REPEATS = Number(process.env.RACE_REPEATS ?? 8)
/** Concurrent races, each with its own ticket. */
const LANES = 3

const app = await startTestApp()
const nodes: [Node, Node] = [openNode(app.url), openNode(app.url)]
const callerOf = (username: string) => findCaller(app.db, username)
const members: TestUser[] = await Promise.all(
  ['member01', 'member02', 'member03', 'member04', 'member05'].map(callerOf),
)
const agent: TestUser = await callerOf('agent01')
const offices: [TestUser, TestUser] = [await callerOf('office01'), await callerOf('office02')]
await limitNumbers(app.db, '3top', 10_000, 5_000)

/** A ticket of which 100 of 120 Baht are accepted. */
async function placeWaiting(member: TestUser, period_code: string, number: string): Promise<number> {
  const ticket = ticketOn(period_code, [[number, 120]])
  return (await placeTicket(nodes[0].intake, toNewTicket(member, ticket))).order_id
}

/**
 * Runs all changes concurrently, starting with a different one each round. A change that does not succeed must be
 * refused, not fail.
 */
async function race(round: number, runs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const first = round % runs.length
  const turned = [...runs.slice(first), ...runs.slice(0, first)]
  for (const result of await Promise.allSettled(turned.map((run) => run())))
    if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason
}

/** Requests the void, or approves the other user's request. */
async function voidIt({ db }: Node, caller: TestUser, order_id: number): Promise<void> {
  const approval_id = await findVoid(app.owner, `order:${order_id}`)
  await (approval_id === undefined
    ? proposeVoid(db, caller, `order:${order_id}`)
    : approveVoid(db, caller, approval_id))
}

interface TicketOutcome {
  status: string
  /** The events of the ticket, in order. */
  events: string
  /** When each event happened, in ms after the deadline and after the close. */
  after_deadline_ms: number[]
  after_close_ms: number[]
}

async function outcomeOf(order_id: number): Promise<TicketOutcome> {
  const { rows } = await app.asOwner<TicketOutcome>`
    select orders.status, string_agg(event, ' ' order by event_id) as events,
      array_agg(extract(epoch from at - confirm_deadline_at)::float8 * 1000 order by event_id) as after_deadline_ms,
      array_agg(extract(epoch from at - close_at)::float8 * 1000 order by event_id) as after_close_ms
    from orders join periods using (period_id) left join order_events using (order_id)
    where order_id = ${order_id} group by order_id, period_id`
  return rows[0]!
}

/** Counts the outcome, and expects the status that the last event leads to. */
function count(outcomes: Record<string, number>, { status, events }: TicketOutcome): void {
  const last = events.split(' ').at(-1)!
  const statuses: Record<string, string> = {
    ...{ confirm: 'CONFIRMED', expire: 'CONFIRMED', return_all: 'CANCELLED', cancel: 'CANCELLED' },
    ...{ delete: 'DELETED', void: 'DELETED' },
  }
  expect(status).toBe(statuses[last])
  outcomes[events] = (outcomes[events] ?? 0) + 1
}

/** Whether each of these was the first event of some ticket. */
function haveOccurred(outcomes: Record<string, number>, firsts: readonly string[]): boolean {
  return firsts.every((first) => Object.keys(outcomes).some((events) => events.startsWith(first)))
}

describe('a waiting ticket', () => {
  // Defect: two changes both read `WAIT_CONFIRM` and both succeed: the money of the ticket is refunded twice, or a
  // refunded ticket still wins.
  test(`that is confirmed, returned, cancelled and deleted at once gets exactly one change, ${REPEATS} times`, async () => {
    const period_code = await openPeriod(app.owner)
    const outcomes: Record<string, number> = {}
    const firsts = ['cancel', 'confirm', 'delete', 'return_all']
    const run = async (round: number) => {
      const member = members[round % members.length]!
      const order_id = await placeWaiting(member, period_code, numberOf(round))
      await race(round, [
        () => confirmOrder(nodes[0].db, member, order_id, []),
        () => confirmOrder(nodes[1].db, member, order_id, [{ line_no: 1, bet_satang: 0 }]),
        () => cancelOrder(nodes[0].db, member, order_id, 'WAIT_CONFIRM'),
        () => deleteOrder(nodes[1].db, agent, order_id, 'race'),
      ])
      count(outcomes, await outcomeOf(order_id))
    }
    await repeat(REPEATS, LANES, run, () => haveOccurred(outcomes, firsts))
    // A delete may follow a confirmation: those two changes do not exclude each other.
    const { 'confirm delete': _both, confirm: _confirm, ...others } = outcomes
    expect(Object.keys(others).toSorted()).toEqual(['cancel', 'delete', 'return_all'])
    expect(haveOccurred(outcomes, firsts)).toBe(true)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: the expiry and a cancel each see the other's ticket as still waiting: it is confirmed and refunded.
  test(`whose deadline passes while it is confirmed and cancelled gets exactly one change, ${REPEATS} times`, async () => {
    const period_code = await openPeriod(app.owner)
    const outcomes: Record<string, number> = {}
    const run = async (round: number) => {
      const member = members[round % members.length]!
      const order_id = await placeWaiting(member, period_code, numberOf(round))
      // The deadline falls about now, a little before or after.
      const afterMs = (round % 10) * 3 - 3
      await app.asOwner`update orders set placed_at = now.at - interval '30 min', confirm_deadline_at = now.at
        from (select clock_timestamp() + ${afterMs} * interval '1 ms' as at) now where order_id = ${order_id}`
      await race(round, [
        () => confirmOrder(nodes[0].db, member, order_id, []),
        () => confirmOverdueOrders(nodes[0].db),
        () => cancelOrder(nodes[1].db, member, order_id, 'WAIT_CONFIRM'),
        () => confirmOverdueOrders(nodes[1].db),
      ])
      while ((await outcomeOf(order_id)).status === 'WAIT_CONFIRM') await confirmOverdueOrders(nodes[round % 2]!.db)
      const outcome = await outcomeOf(order_id)
      count(outcomes, outcome)
      const isInTime = outcome.events !== 'expire' || outcome.after_deadline_ms[0]! >= 0
      expect(isInTime).toBe(true)
    }
    await repeat(REPEATS, LANES, run, () => haveOccurred(outcomes, ['cancel', 'confirm', 'expire']))
    expect(Object.keys(outcomes).toSorted()).toEqual(['cancel', 'confirm', 'expire'])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: a member cancels a ticket after the close, when the result may be known; or a void comes before it.
  test(`whose period closes during all of these gets exactly one change, ${REPEATS} times`, async () => {
    const outcomes: Record<string, number> = {}
    const firsts = ['cancel', 'confirm', 'delete', 'expire']
    const run = async (round: number) => {
      const member = members[round % members.length]!
      const period_code = await openPeriod(app.owner)
      const order_id = await placeWaiting(member, period_code, '123')
      await race(round, [
        () => cancelOrder(nodes[0].db, member, order_id, 'WAIT_CONFIRM'),
        async () => {
          // Started immediately, it would nearly always be first.
          await pause(round % 4)
          await closeEarly(nodes[1].db, period_code)
        },
        () => confirmOrder(nodes[0].db, member, order_id, []),
        () => voidIt(nodes[1], offices[0], order_id),
        () => confirmOverdueOrders(nodes[1].db),
        () => voidIt(nodes[0], offices[1], order_id),
        () => deleteOrder(nodes[1].db, agent, order_id, 'race'),
      ])
      await confirmOverdueOrders(nodes[0].db)
      const outcome = await outcomeOf(order_id)
      count(outcomes, outcome)
      // The close separates them: a void and the expiry come after it, all other changes before.
      const sides = outcome.events.split(' ').map((event) => event === 'expire' || event === 'void')
      expect(outcome.after_close_ms.map((ms) => ms >= 0)).toEqual(sides)
    }
    await repeat(REPEATS, LANES, run, () => haveOccurred(outcomes, firsts))
    const possible = ['cancel', 'confirm', 'confirm delete', 'confirm void', 'delete', 'expire', 'expire void', 'void']
    expect(Object.keys(outcomes).filter((events) => !possible.includes(events))).toEqual([])
    expect(haveOccurred(outcomes, firsts)).toBe(true)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })
})
