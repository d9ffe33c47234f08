// Goal: whenever the application is killed, every ticket has a definite state as soon as it is back: found by its
// request_id or not existing, and no ticket waits beyond its deadline. The clock of the machine has no influence.

import type { Order, PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { setQuota } from '../src/modules/quotas/index.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { findBrokenInvariants } from './invariants.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { type RunningApp, startApp } from './start-app.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const MINUTE = 60_000

let app: TestApp
let member: TestCaller
let period_code: string
/** The application as it runs from one test to the next. */
let node: RunningApp

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member01')
  const quota = { product_code: 'thai-government', bet_type: '3top' as const, full_satang: 5_000, half_satang: 0 }
  await setQuota(app.db, member.user_id, quota)
  period_code = await openPeriod(app.db)
  node = await startApp(app.url)
})

const ticketOn = (number: string, bet_satang = 1_000): PlaceOrderBody =>
  makeTicket(period_code, { items: [{ bet_type: '3top', number, bet_satang, rate: 55_000 }] })

const find = (node: RunningApp, body: PlaceOrderBody) =>
  node.get(`/api/order/request_id/${body.request_id}`, member.sessionId)

const place = (node: RunningApp, body: PlaceOrderBody) => node.post('/api/order/create', member.sessionId, body)

async function countTickets(body: PlaceOrderBody): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from orders where request_id = ${body.request_id}`.execute(app.owner)
  return rows[0]!.count
}

test('a ticket whose reply was lost in a crash is found after the restart, and sending it again returns it', async () => {
  const line = await startCuttingProxy(Number(new URL(node.url).port))
  line.cut = 'in_reply'
  const body = ticketOn('001')
  await expect(place({ ...node, post: (...call) => post(line.url, ...call) }, body)).rejects.toThrow('fetch failed')
  await node.kill()
  await line.close()

  node = await startApp(app.url)
  const found = await find(node, body)
  expect(found.json.data).toMatchObject({ status: 'CONFIRMED', request_id: body.request_id })
  expect((await place(node, body)).json.data).toEqual(found.json.data)
  expect((await place(node, { ...body, note: 'other' })).json.error.code).toBe('request_id_reused')
  expect(await countTickets(body)).toBe(1)
})

test('a ticket whose node dies during its transaction exists fully or not at all, and sending it again gives one ticket', async () => {
  const body = ticketOn('002')
  await app.owner.transaction().execute(async (tx) => {
    // The entries update the period's account last: the ticket and its items are written by then.
    await sql`select 1 from accounts join periods using (period_id) where period_code = ${period_code}
      for update of accounts`.execute(tx)
    const sent = place(node, body).catch((error: Error) => error.message)
    await waitForLock()
    await node.kill()
    expect(await sent).toBe('fetch failed')
  })
  node = await startApp(app.url)
  // Its commit was sent together with its writes: the database may have continued without the node.
  const found = (await find(node, body)).json
  expect(found.data?.status ?? found.error.code).toMatch(/^(CONFIRMED|not_found)$/)
  expect((await place(node, body)).json.data.status).toBe('CONFIRMED')
  expect(await countTickets(body)).toBe(1)
})

test.each([
  ['ten minutes behind', -10],
  ['ten minutes ahead', 10],
])('expired deadlines are processed after the restart, and nothing else, with a clock %s', async (_name, minutes) => {
  const placeWaiting = async (number: string): Promise<Order> => {
    const { json } = await member.post('/api/order/create', ticketOn(number, 6_000))
    expect(json.data.status).toBe('WAIT_CONFIRM')
    return json.data
  }
  const [over, still] = [
    await placeWaiting(`1${minutes + 10}`.padEnd(3, '0')),
    await placeWaiting(`2${minutes + 10}`.padEnd(3, '0')),
  ]
  await placeBack(over, 35)
  await placeBack(still, 25)
  await node.kill()
  node = await startApp(app.url, minutes * MINUTE)
  const statusOf = async (order: Order) =>
    (await node.get(`/api/order/status/${order.order_id}`, member.sessionId)).json.data
  expect(await statusOf(over)).toMatchObject({
    status: 'CONFIRMED',
    tag: 'exceed_30_minutes',
    events: [{ event: 'expire', actor: null }],
  })
  expect(await statusOf(still)).toMatchObject({ status: 'WAIT_CONFIRM', tag: 'manually_confirm', events: [] })
  const { json } = await node.post(`/api/order/${still.order_id}/confirm`, member.sessionId, { items: [] })
  expect(json.data.status).toBe('CONFIRMED')
})

test('afterwards every invariant of money holds', async () => {
  expect(await findBrokenInvariants(app.owner)).toEqual({})
})

async function placeBack({ order_id }: Order, minutes: number): Promise<void> {
  await sql`update orders set placed_at = placed_at - ${minutes} * interval '1 min',
    confirm_deadline_at = confirm_deadline_at - ${minutes} * interval '1 min' where order_id = ${order_id}`.execute(
    app.owner,
  )
}

async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.owner)
    if (rows.length > 0) return
  }
}

async function post(url: string, path: string, sessionId: string, body: object) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionId}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { http: response.status, json: await response.json() }
}
