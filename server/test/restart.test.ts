// Whenever the application is killed, every ticket has a definite state as soon as it is back: found by its request_id
// or not existing. No ticket waits beyond its deadline, and the machine's clock has no influence.

import type { Order, PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startCuttingProxy } from './cutting-proxy.ts'
import { findViolatedInvariants } from './invariants.ts'
import { limitNumbers, openPeriod, placeWaitingTicket, ticketOn, waitForLock } from './scenes.ts'
import { type AppReply, type RunningApp, startApp } from './start-app.ts'
import { startTestApp } from './test-app.ts'

// No time limit, for busy machines.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const MINUTE = 60_000

/** The application, kept between tests. */
let node: RunningApp

const app = await startTestApp()
const member = await app.logIn('member01')
await limitNumbers(app.db, '3top', 5_000, 0)
const period_code = await openPeriod(app.owner)
node = await startApp(app.url)

const find = (node: RunningApp, body: PlaceOrderBody) =>
  node.get(`/api/order/request_id/${body.request_id}`, member.sessionToken)

const placeOn = (node: RunningApp, body: PlaceOrderBody) => node.post('/api/order/create', member.sessionToken, body)

async function countTickets(body: PlaceOrderBody): Promise<number> {
  const { rows } = await app.asOwner<{ count: number }>`
    select count(*) as count from orders where request_id = ${body.request_id}`
  return rows[0]!.count
}

// Regression: a restarted node has lost its memory of requests, and places the repeated ticket a second time.
test('a ticket whose reply was lost in a crash is found after the restart, and sending it again returns it', async () => {
  const line = await startCuttingProxy(Number(new URL(node.url).port))
  line.cut = 'in_reply'
  const body = ticketOn(period_code, [['001', 10]])
  await expect(
    placeOn({ ...node, post: (path, sessionToken, body) => postTo(line.url, path, sessionToken, body) }, body),
  ).rejects.toThrow('fetch failed')
  await node.kill()
  await line.close()

  node = await startApp(app.url)
  const found = await find(node, body)
  expect(found.json.data).toMatchObject({ status: 'CONFIRMED', request_id: body.request_id })
  expect((await placeOn(node, body)).json.data).toEqual(found.json.data)
  expect((await placeOn(node, { ...body, note: 'other' })).json.error.code).toBe('request_id_reused')
  expect(await countTickets(body)).toBe(1)
})

// Regression: the ticket is committed without its entries, or its entries without the ticket.
test('a ticket whose node dies during its transaction exists fully or not at all, and sending it again gives one ticket', async () => {
  const body = ticketOn(period_code, [['002', 10]])
  await app.owner.transaction().execute(async (tx) => {
    // `place_batch` updates the period's account last, so the ticket and its entries are written by then.
    await sql`select 1 from accounts join periods using (period_id) where period_code = ${period_code}
      for update of accounts`.execute(tx)
    const sent = placeOn(node, body).catch((error: Error) => error.message)
    await waitForLock(app.owner)
    await node.kill()
    expect(await sent).toBe('fetch failed')
  })
  node = await startApp(app.url)
  // The call is its own transaction, which the database may have finished without the node.
  const found = (await find(node, body)).json
  expect(found.data?.status ?? found.error.code).toMatch(/^(CONFIRMED|not_found)$/)
  expect((await placeOn(node, body)).json.data.status).toBe('CONFIRMED')
  expect(await countTickets(body)).toBe(1)
})

// Regression: deadlines that passed while no node ran are never processed, or the node's own clock decides which
// passed.
test.each([
  ['ten minutes behind', -10],
  ['ten minutes ahead', 10],
])('expired deadlines are processed after the restart, and nothing else, with a clock %s', async (_name, minutes) => {
  const placeWaiting = (number: string): Promise<Order> =>
    placeWaitingTicket(member, ticketOn(period_code, [[number, 60]]))
  const [over, still] = [
    await placeWaiting(`1${minutes + 10}`.padEnd(3, '0')),
    await placeWaiting(`2${minutes + 10}`.padEnd(3, '0')),
  ]
  await placeBack(over, 35)
  await placeBack(still, 25)
  await node.kill()
  node = await startApp(app.url, minutes * MINUTE)
  const statusOf = async (order: Order) =>
    (await node.get(`/api/order/status/${order.order_id}`, member.sessionToken)).json.data
  expect(await statusOf(over)).toMatchObject({
    status: 'CONFIRMED',
    tag: 'exceed_30_minutes',
    events: [{ event: 'expire', actor: null }],
  })
  expect(await statusOf(still)).toMatchObject({ status: 'WAIT_CONFIRM', tag: 'manually_confirm', events: [] })
  const { json } = await node.post(`/api/order/${still.order_id}/confirm`, member.sessionToken, { items: [] })
  expect(json.data.status).toBe('CONFIRMED')
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

async function placeBack({ order_id }: Order, minutes: number): Promise<void> {
  await app.asOwner`update orders set placed_at = placed_at - ${minutes} * interval '1 min',
    confirm_deadline_at = confirm_deadline_at - ${minutes} * interval '1 min' where order_id = ${order_id}`
}

async function postTo<Url extends string>(
  url: string,
  path: Url,
  sessionToken: string,
  body: object,
): Promise<AppReply<'POST', Url>> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { http: response.status, json: (await response.json()) as AppReply<'POST', Url>['json'] }
}
