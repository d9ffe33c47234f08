// Goal: a node that has never seen a request_id returns its existing ticket exactly as the node that placed it would.

import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { findCaller } from '../../../test/nodes.ts'
import { countWrites, makeNewTicket, makeTicket, openPeriod } from '../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Caller } from '../../platform/caller.ts'
import { closePeriod } from '../markets/index.ts'
import { setQuota } from '../quotas/index.ts'
import type { NewTicket } from './ticket.ts'
import { createIntake } from './intake/queue.ts'

let database: TestDatabase
let members: Caller[]
let office: Caller
let period_code: string

beforeAll(async () => {
  database = await cloneDatabase()
  const callerOf = (username: string) => findCaller(database.db, username)
  members = await Promise.all(['member01', 'member02', 'member03'].map(callerOf))
  office = await callerOf('office01')
  const quota = { product_code: 'thai-government', full_satang: 2_000, half_satang: 0 }
  for (const bet_type of ['3top', '2top'] as const) await setQuota(database.db, office.user_id, { ...quota, bet_type })
})
beforeEach(async () => {
  period_code = await openPeriod(database.db)
})

function ticketOf({ user_id }: Caller, bet_satang: number, number = '123'): NewTicket {
  const items = [{ bet_type: '3top' as const, number, bet_satang, rate: 55_000 }]
  return makeNewTicket(user_id, makeTicket(period_code, { items }))
}

/** A node that has only just started. */
const newNode = () => createIntake(database.batches)

test('sent to another node it is the same ticket, and nothing is written', async () => {
  const ticket = ticketOf(members[0]!, 500)
  const { order_id } = await newNode().placeTicket(ticket)
  const before = await countWrites(database.db)
  expect(await newNode().placeTicket(ticket)).toEqual({ order_id })
  expect(await countWrites(database.db)).toEqual(before)
})

test('the same request_id with other content is refused, in whatever period', async () => {
  const ticket = ticketOf(members[0]!, 500)
  await newNode().placeTicket(ticket)
  const other = { ...ticketOf(members[0]!, 600), request_id: ticket.request_id }
  await expect(newNode().placeTicket(other)).rejects.toMatchObject({ code: 'request_id_reused' })
  const elsewhere = { ...other, period_code: await openPeriod(database.db) }
  await expect(newNode().placeTicket(elsewhere)).rejects.toMatchObject({ code: 'request_id_reused' })
})

test('a repeated ticket is not refused because its own first copy used up credit or quota', async () => {
  const ticket = ticketOf(members[0]!, 2_000)
  const { order_id } = await newNode().placeTicket(ticket)
  expect(await newNode().placeTicket(ticket)).toEqual({ order_id })
  await expect(newNode().placeTicket(ticketOf(members[1]!, 2_000))).rejects.toMatchObject({
    code: 'all_numbers_closed',
  })
})

test('an existing ticket is returned after its period has closed', async () => {
  const ticket = ticketOf(members[0]!, 500)
  const { order_id } = await newNode().placeTicket(ticket)
  await closePeriod(database.db, office.user_id, period_code, 'early')
  expect(await newNode().placeTicket(ticket)).toEqual({ order_id })
  await expect(newNode().placeTicket({ ...ticket, request_id: randomUUID() })).rejects.toMatchObject({
    code: 'period_closed',
  })
})

test('it does not affect the other tickets of its batch', async () => {
  const ticket = ticketOf(members[0]!, 500)
  const { order_id } = await newNode().placeTicket(ticket)
  const node = newNode()
  // The first is a batch of its own; the others wait for it together.
  const [first, again, reused, ...others] = await Promise.allSettled([
    node.placeTicket(ticketOf(members[1]!, 500, '001')),
    node.placeTicket(ticket),
    node.placeTicket({ ...ticketOf(members[0]!, 700), request_id: ticket.request_id }),
    node.placeTicket(ticketOf(members[1]!, 500, '002')),
    node.placeTicket(ticketOf(members[2]!, 500, '003')),
    node.placeTicket(ticketOf(members[2]!, 500, '004')),
  ])
  expect(again).toEqual({ status: 'fulfilled', value: { order_id } })
  expect(reused).toMatchObject({ status: 'rejected', reason: { code: 'request_id_reused' } })
  const ids = [first, ...others].map((each) => each.status === 'fulfilled' && each.value.order_id)
  expect(new Set(ids).size).toBe(4)
  expect(ids).not.toContain(false)
  expect(await findBrokenInvariants(database.owner)).toEqual({})
})
