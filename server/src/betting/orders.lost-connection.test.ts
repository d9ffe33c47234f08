// After a lost connection to the member or the database, a ticket has one definite outcome: it can be found by its
// request_id, and sending it again returns the same ticket.

import { randomUUID } from 'node:crypto'
import { type Order, type PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CuttingProxy, type Cut, startCuttingProxy } from '../../test/cutting-proxy.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  countWrites,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  readCredit,
  readOrder,
} from '../../test/scenes.ts'
import { type Reply, startTestApp } from '../../test/test-app.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
await app.server.listen({ host: '127.0.0.1', port: 0 })
const [address] = app.server.addresses()
const line: CuttingProxy = await startCuttingProxy(typeof address === 'object' ? address.port : 0)
afterAll(() => line.close())
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** Sends a ticket through the proxy that cuts connections. @returns the reply, if one arrived */
async function sendOverCutLine(body: PlaceOrderBody, cut: Cut): Promise<Order | undefined> {
  line.cut = cut
  try {
    const response = await fetch(`${line.url}/api/order/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${member.sessionToken}` },
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { data: Order }).data
  } catch {
    return undefined
  }
}

const find = (body: PlaceOrderBody): Promise<Reply> => member.get(`/api/order/request_id/${body.request_id}`)

async function countTickets(body: PlaceOrderBody): Promise<number> {
  const { rows } = await app.asOwner<{ count: number }>`
    select count(*) as count from orders where request_id = ${body.request_id}`
  return rows[0]!.count
}

// Defect: the member cannot learn whether a ticket exists whose reply was lost, and buys it again.
describe('a connection that is cut', () => {
  test('during the reply: the ticket exists, is found by its request_id, and sending it again returns it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const body = makeTicket(period_code)
      expect(await sendOverCutLine(body, 'in_reply')).toBeUndefined()
      const found = await find(body)
      expect(found.http).toBe(200)
      const before = await countWrites(app.owner)
      expect(await sendOverCutLine(body, 'none')).toEqual(found.json.data)
      expect(await countWrites(app.owner)).toEqual(before)
      expect(await countTickets(body)).toBe(1)
    }
  })

  test('after the request, repeatedly: one ticket', async () => {
    for (let round = 0; round < 20; round += 1) {
      const body = makeTicket(period_code)
      for (let each = 0; each < 1 + (round % 4); each += 1)
        expect(await sendOverCutLine(body, 'after_request')).toBeUndefined()
      const order = await sendOverCutLine(body, 'none')
      expect(order?.status).toBe('CONFIRMED')
      expect((await find(body)).json.data).toEqual(order)
      expect(await countTickets(body)).toBe(1)
    }
  })

  test('during the request: no ticket, and the look-up says so', async () => {
    const before = await countWrites(app.owner)
    for (let round = 0; round < 20; round += 1) {
      const body = makeTicket(period_code)
      expect(await sendOverCutLine(body, 'in_request')).toBeUndefined()
      expect((await find(body)).json.error.code).toBe('not_found')
    }
    expect(await countWrites(app.owner)).toEqual(before)
  })
})

// Defect: part of a change is committed without the rest, or a rolled-back change is reported as done.
describe('a connection to the database that is cut in the middle of a transaction', () => {
  beforeAll(async () => {
    await limitNumbers(app.db, '3roll', 10_000, 0)
  })

  /** Locks a row, waits until a transaction waits for it, cuts that transaction's connection, and releases the lock. */
  async function cutWhileWaitingFor(row: ReturnType<typeof sql>, run: () => Promise<Reply>): Promise<Reply> {
    return app.owner.transaction().execute(async (tx) => {
      await row.execute(tx)
      const running = run()
      for (;;) {
        const { rows } = await app.asOwner<{ cut: boolean }>`
          select pg_terminate_backend(pid) as cut from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        if (rows.length > 0) return running
      }
    })
  }
  const cash = () => sql`select 1 from accounts where user_id = ${member.user_id} and kind = 'cash' for update`
  // Entries update it last, so tickets and entries are written by then.
  const period = () => sql`
    select 1 from accounts join periods using (period_id) where period_code = ${period_code} for update of accounts`

  test.each([
    ['before anything is written', cash],
    ['after the ticket is written', period],
  ])('%s: nothing of the ticket is written, and sending it again places it', async (_name, row) => {
    const body = makeTicket(period_code)
    const before = await countWrites(app.owner)
    const { http, json } = await cutWhileWaitingFor(row(), () => member.post('/api/order/create', body))
    expect([http, json.error.code]).toEqual([503, 'unavailable'])
    expect(await countWrites(app.owner)).toEqual(before)
    expect((await find(body)).json.error.code).toBe('not_found')
    expect((await placeTicket(member, body)).status).toBe('CONFIRMED')
    expect(await countTickets(body)).toBe(1)
  })

  test.each([
    ['confirm', () => ({ items: [{ line_no: 2, bet_satang: 0 }] }), 'CONFIRMED'],
    ['cancel', (order: Order) => order, 'CANCELLED'],
  ] as const)('a %s whose connection is cut changes nothing, and can be repeated', async (name, bodyOf, status) => {
    const items = ['101', '102'].map((number) => makeLine('3roll', number, 120))
    const order = await placeWaitingTicket(member, makeTicket(period_code, { items }))
    const [before, credit] = [await countWrites(app.owner), await readCredit(member)]
    const call = () => member.post(`/api/order/${order.order_id}/${name}`, bodyOf(order))
    // Moving the accepted part to the period comes last; a cancelled ticket only moves cash.
    expect((await cutWhileWaitingFor(name === 'confirm' ? period() : cash(), call)).http).toBe(503)
    expect(await countWrites(app.owner)).toEqual(before)
    expect(await readCredit(member)).toEqual(credit)
    expect(await readOrder(member, order)).toEqual(order)
    expect((await call()).json.data.status).toBe(status)
  })
})

test('an unused request_id has no ticket', async () => {
  expect((await find({ ...makeTicket(period_code), request_id: randomUUID() })).http).toBe(404)
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
