// A node that has never seen a request_id returns its existing ticket exactly as the node that placed it would.

import { closeEarly } from '../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, type TestUser } from '../../test/nodes.ts'
import { countWrites, limitNumbers, openPeriod, ticketOn, toNewTicket } from '../../test/scenes.ts'
import { cloneDatabase } from '../../test/test-database.ts'
import { violationsTotal } from '../lib/metrics.ts'
import type { NewTicket } from './ticket.ts'
import { createIntake } from './intake/intake.ts'
import { placeTicket } from './intake/place-order.ts'

let period_code: string

const database = await cloneDatabase()
const callerOf = (username: string) => findCaller(database.db, username)
const members: TestUser[] = await Promise.all(['member01', 'member02', 'member03'].map(callerOf))
for (const bet_type of ['3top', '2top'] as const) await limitNumbers(database.db, bet_type, 2_000, 0)
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
})

/** Tickets of different amounts have different contents. */
function newTicket(member: TestUser, baht: number, number = '123'): NewTicket {
  return { ...toNewTicket(member, ticketOn(period_code, [[number, baht]])), content_hash: Buffer.alloc(32, baht) }
}

/** A freshly started node. */
const newNode = () => createIntake(database.batches)

// Defect: a node knows only its own requests; a ticket repeated at another node is bought twice.
test('a repeat on another node returns the same ticket and writes nothing', async () => {
  const ticket = newTicket(members[0]!, 5)
  const { order_id } = await placeTicket(newNode(), ticket)
  const before = await countWrites(database.db)
  expect(await placeTicket(newNode(), ticket)).toEqual({ order_id })
  expect(await countWrites(database.db)).toEqual(before)
})

// Defect: the repeat is decided again on what its first copy left, and the reply says that nothing was placed.
test('a repeated ticket is not refused because its own first copy used up credit or quota', async () => {
  const ticket = newTicket(members[0]!, 20)
  const { order_id } = await placeTicket(newNode(), ticket)
  expect(await placeTicket(newNode(), ticket)).toEqual({ order_id })
  await expect(placeTicket(newNode(), newTicket(members[1]!, 20))).rejects.toMatchObject({
    code: 'all_numbers_closed',
  })
})

// Defect: the repeat meets the close first: a paid ticket looks refused.
test('an existing ticket is returned after its period has closed', async () => {
  const ticket = newTicket(members[0]!, 5)
  const { order_id } = await placeTicket(newNode(), ticket)
  await closeEarly(database.db, period_code)
  expect(await placeTicket(newNode(), ticket)).toEqual({ order_id })
  await expect(placeTicket(newNode(), { ...ticket, request_id: randomUUID() })).rejects.toMatchObject({
    code: 'period_closed',
  })
})

// Defect: a repeat violates the unique key, and the whole batch fails.
test('it does not affect the other tickets of its batch', async () => {
  const ticket = newTicket(members[0]!, 5)
  const { order_id } = await placeTicket(newNode(), ticket)
  const node = newNode()
  // The first is a batch by itself; the others wait for it together.
  const [first, again, reused, ...others] = await Promise.allSettled([
    placeTicket(node, newTicket(members[1]!, 5, '001')),
    placeTicket(node, ticket),
    placeTicket(node, { ...newTicket(members[0]!, 7), request_id: ticket.request_id }),
    placeTicket(node, newTicket(members[1]!, 5, '002')),
    placeTicket(node, newTicket(members[2]!, 5, '003')),
    placeTicket(node, newTicket(members[2]!, 5, '004')),
  ])
  expect(again).toEqual({ status: 'fulfilled', value: { order_id } })
  expect(reused).toMatchObject({ status: 'rejected', reason: { code: 'request_id_reused' } })
  const ids = [first, ...others].map((each) => each.status === 'fulfilled' && each.value.order_id)
  expect(new Set(ids).size).toBe(4)
  expect(ids).not.toContain(false)
  expect(await findViolatedInvariants(database.owner)).toEqual({})
})

// Defect: each repeat rolls back the others' batch, which is then decided again.
test("a member who repeats another node's tickets fails at most one batch", async () => {
  let number = 100
  const onNewNumber = (member: TestUser) => newTicket(member, 5, String((number += 1)))
  const [repeating, other, filling] = members as [TestUser, TestUser, TestUser]
  const [node, elsewhere] = [newNode(), newNode()]
  violationsTotal.reset()
  for (let round = 0; round < 6; round += 1) {
    const ticket = onNewNumber(repeating)
    const { order_id } = await placeTicket(elsewhere, { ...ticket })
    // Each member is in the node's cache.
    for (const member of members) await placeTicket(node, onNewNumber(member))
    // The first is a batch by itself; the others wait for it together.
    const [, again, ...others] = await Promise.all([
      placeTicket(node, onNewNumber(filling)),
      placeTicket(node, ticket),
      placeTicket(node, onNewNumber(other)),
      placeTicket(node, onNewNumber(filling)),
    ])
    expect(again).toEqual({ order_id })
    expect(others.filter(({ placed }) => placed)).toHaveLength(2)
  }
  const { values } = await violationsTotal.get()
  const failed = values.filter(({ labels }) => labels.constraint === 'orders_user_id_request_id_key')
  expect(failed.reduce((sum, { value }) => sum + value, 0)).toBe(1)
  expect(await findViolatedInvariants(database.owner)).toEqual({})
})
