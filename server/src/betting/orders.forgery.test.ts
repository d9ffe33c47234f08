// Money, rates, discounts and states come from the server. Values that a client sends for them are only compared. Other
// fields are ignored by the specification's calls and refused by our own, which then write nothing.

import { isDeepStrictEqual } from 'node:util'
import { type Order, refusals } from '@megalot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  countWrites,
  limitNumbers,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  readCredit,
  readOrder,
  settleWith,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const agent = await app.logIn('agent01')
await limitNumbers(app.db, '3top', 10_000, 0)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

const line = { bet_type: '3top', number: '123', bet_satang: 1_000, rate: 55_000 } as const
const remaining = async (): Promise<number> => (await readCredit(member)).credit_remain_satang

const placeWhole = (): Promise<Order> => placeTicket(member, makeTicket(period_code))
/** 100 of 120 Baht are accepted. */
const placeWaiting = (): Promise<Order> => placeWaitingTicket(member, ticketOn(period_code, [['123', 120]]))

const refusedWithoutTrace = { http: refusals.bad_input.http as number, code: 'bad_input', isUnchanged: true }

/** The result of a call, and whether no row and no satang has changed. */
async function attempt(caller: TestCaller, url: string, body: object): Promise<typeof refusedWithoutTrace> {
  const before = await countWrites(app.owner)
  const { http, json } = await caller.post(url, body)
  return { http, code: json.error?.code, isUnchanged: isDeepStrictEqual(await countWrites(app.owner), before) }
}

/** Fields that only the server sets, as a client might try to send them. */
const forgedFields: [string, unknown][] = [
  ['status', 'CONFIRMED'],
  ['order_id', 1],
  ['user_id', 2],
  ['member', 'member02'],
  ['bet_satang', 1],
  ['received_satang', 100_000],
  ['net_satang', 1],
  ['total_satang', -1],
  ['discount_seen_satang', 100_000],
  ['discount_rate', 10_000],
  ['win_satang', 1_000_000],
  ['placed_at', '2020-01-01T00:00:00.000Z'],
  ['confirm_deadline_at', '2099-01-01T00:00:00.000Z'],
  ['credit_limit_satang', 1_000_000_000],
  ['constructor', { name: 'x' }],
]

/** Fields that differ between tickets of the same content. */
const ownOfEach = { id: 0, order_id: 0, request_id: '', created_at: '', steps: [], confirm_deadline_at: null }

// Defect: an unknown field is stored or paid; a member writes its own win or status.
describe('fields that only the server sets', () => {
  test.each(forgedFields)('%s changes nothing in a new ticket and its lines', async (name, value) => {
    const place = async (forged: object, ofLine: object = {}): Promise<object> => {
      const ticket = makeTicket(period_code, { items: [{ ...line, ...ofLine }] })
      return { ...(await placeTicket(member, { ...ticket, ...forged })), ...ownOfEach }
    }
    const honest = await place({})
    expect(await place({ [name]: value })).toEqual(honest)
    expect(await place({}, { [name in line ? `${name}_paid` : name]: value })).toEqual(honest)
  })

  test.each(forgedFields)('%s changes nothing in a confirmation', async (name, value) => {
    const before = await remaining()
    const order = await placeWaiting()
    const forged = name in order.items[0]! ? {} : { [name]: value }
    const items = [{ line_no: 1, bet_satang: 10_000, ...forged }]
    const { json } = await member.post(`/api/order/${order.order_id}/confirm`, { items, [name]: value })
    expect(json.data).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000, net_satang: 6_700, win_satang: 0 })
    expect(before - (await remaining())).toBe(6_700)
  })

  test.each(forgedFields)('%s is refused in a delete', async (name, value) => {
    const { order_id } = await placeWaiting()
    const forged = { reason: 'forged', [name]: value }
    expect(await attempt(agent, `/api/order/${order_id}/delete`, forged)).toEqual(refusedWithoutTrace)
  })

  test('a prototype is refused everywhere', async () => {
    const before = await countWrites(app.owner)
    const { user_id: _, ...rest } = { ...makeTicket(period_code), user_id: 0 }
    const payload = JSON.stringify(rest).replace('{', '{"__proto__":{"status":"CONFIRMED"},')
    const headers = { authorization: `Bearer ${member.sessionToken}`, 'content-type': 'application/json' }
    const response = await app.server.inject({ method: 'POST', url: '/api/order/create', headers, payload })
    expect(response.statusCode).toBe(400)
    expect(await countWrites(app.owner)).toEqual(before)
  })
})

// Defect: the rate of the request pays: a member gets any rate it likes.
describe('a rate', () => {
  test.each([-1, 0.5, 10_000_001, 1e21, '55000', null, true, [55_000]])('of %j is refused', async (rate) => {
    expect(
      await attempt(member, '/api/order/create', { ...makeTicket(period_code), items: [{ ...line, rate }] }),
    ).toEqual(refusedWithoutTrace)
  })

  test.each([0, 1, 54_999, 55_001, 99_999, 10_000_000])('of %i, never offered, is refused', async (rate) => {
    const before = await countWrites(app.owner)
    const { json } = await member.post('/api/order/create', {
      ...makeTicket(period_code),
      items: [{ ...line, rate }],
    })
    expect(json.error.code).toBe('rate_changed')
    expect(await countWrites(app.owner)).toEqual(before)
  })

  test.each([54_000, 56_000])(
    'of %i, offered before, is recorded as seen, and the house’s own rate pays',
    async (rate) => {
      for (const each of [rate, 55_000])
        await app.asOwner`update package_terms set rate = ${each} where bet_type = '3top' and package_id = (
        select package_id from packages where product_code = 'thai-government' and package_code = '70')`
      const before = await remaining()
      const order = await placeTicket(member, makeTicket(period_code, { items: [{ ...line, rate }] }))
      expect(order).toMatchObject({
        status: rate > 55_000 ? 'WAIT_CONFIRM' : 'CONFIRMED',
        net_satang: 670,
        items: [{ rate: 55_000, rate_seen: rate, discount_rate: 3_300, discount_satang: 330 }],
      })
      if (order.status === 'WAIT_CONFIRM') await member.post(`/api/order/${order.order_id}/confirm`, { items: [] })
      expect(before - (await remaining())).toBe(670)
      await settleWith(app, period_code, makeResult('123'))
      expect((await readOrder(member, order)).win_satang).toBe(10 * 55_000)
      expect((await remaining()) - before).toBe(10 * 55_000 - 670)
    },
  )
})

// Defect: the discount of the request is given: a member pays what it likes.
describe('a discount', () => {
  test.each([-1, -330, 0.5, 330.5, 2 ** 53, 1e21, '330', null, true, [330], { satang: 330 }])(
    'of %j is refused',
    async (discount_satang) => {
      expect(await attempt(member, '/api/order/create', { ...makeTicket(period_code), discount_satang })).toEqual(
        refusedWithoutTrace,
      )
    },
  )

  test('with wrong stakes does not change their refusal', async () => {
    for (const bet_satang of [-1, 0.5, 1e300, 1]) {
      const body = { ...makeTicket(period_code), discount_satang: 1, items: [{ ...line, bet_satang }] }
      const { discount_satang: _, ...without } = body
      const { http, json } = await member.post('/api/order/create', { ...body, items: [{ ...line, bet_satang }] })
      const { json: same } = await member.post('/api/order/create', without)
      expect(http).toBe(422)
      expect(json.error).toEqual(same.error)
    }
  })

  test('is compared, and the house’s own is given', async () => {
    const before = await remaining()
    expect(await placeTicket(member, makeTicket(period_code, { discount_satang: 330 }))).toMatchObject({
      status: 'CONFIRMED',
      discount_satang: 330,
      discount_seen_satang: null,
    })
    expect(before - (await remaining())).toBe(670)
  })

  test.each([0, 329, 331, 1_000, 1_001])('of %i, never offered, is refused', async (discount_satang) => {
    const before = await countWrites(app.owner)
    const { json } = await member.post('/api/order/create', makeTicket(period_code, { discount_satang }))
    expect(json.error.code).toBe('rate_changed')
    expect(await countWrites(app.owner)).toEqual(before)
  })
})

// Defect: the amount of the request replaces what was accepted: a member raises its stake past the quota.
describe('a confirmation', () => {
  test.each([-1, 1, 9_999, 10_001, 11_999, 12_001, 0.5, 1e21, '10000', null])(
    'of %j where 100 of 120 Baht were accepted is refused',
    async (bet_satang) => {
      const { order_id } = await placeWaiting()
      expect(await attempt(member, `/api/order/${order_id}/confirm`, { items: [{ line_no: 1, bet_satang }] })).toEqual(
        refusedWithoutTrace,
      )
      expect((await member.get(`/api/order/${order_id}`)).json.data.status).toBe('WAIT_CONFIRM')
    },
  )

  test.each([0, 9_999, 10_001, 12_000])(
    'of %i received, although 100 Baht were, is refused',
    async (received_satang) => {
      const order = await placeWaiting()
      const items = [{ ...order.confirmList[0], received_satang }]
      expect(await attempt(member, `/api/order/${order.order_id}/confirm`, { items })).toEqual(refusedWithoutTrace)
    },
  )

  test('by the items that the ticket shows takes what was accepted, and no more', async () => {
    const before = await remaining()
    const order = await placeWaiting()
    expect(order.confirmList).toMatchObject([{ bet_satang: 12_000, received_satang: 10_000 }])
    const { json } = await member.post(`/api/order/${order.order_id}/confirm`, { items: order.confirmList })
    expect(json.data).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000 })
    expect(before - (await remaining())).toBe(6_700)
  })
})

// Defect: the refund is computed from the body of the request: a member is refunded more than it paid, or another's.
describe('the ticket in the body of a cancel', () => {
  const forgeries: [string, (order: Order) => object][] = [
    ['more received', (order) => ({ ...order, received_satang: 100_000_000, net_satang: 100_000_000 })],
    ['no discount', (order) => ({ ...order, discount_satang: 0, net_satang: order.bet_satang })],
    ['a win', (order) => ({ ...order, win_satang: 100_000_000 })],
    ['another owner', (order) => ({ ...order, username: 'member02' })],
    ['another request', (order) => ({ ...order, request_id: '00000000-0000-4000-8000-000000000000' })],
    ['a later deadline and placing', (order) => ({ ...order, confirm_deadline_at: '2099-01-01T00:00:00.000Z' })],
    [
      'dearer lines',
      (order) => ({
        ...order,
        items: order.items.map((item) => ({ ...item, received_satang: 100_000_000, net_satang: 100_000_000, rate: 1 })),
      }),
    ],
    ['no lines', (order) => ({ ...order, items: [] })],
    ['a negative amount', (order) => ({ ...order, received_satang: -1 })],
    ['an unknown key', (order) => ({ ...order, refund_satang: 100_000_000 })],
    ['no amounts', ({ order_id, status }) => ({ order_id, status })],
  ]

  test.each(forgeries)('may claim any %s: the paid amount goes back to whoever paid it', async (_name, forge) => {
    for (const placing of [placeWhole, placeWaiting]) {
      const before = await remaining()
      const order = await placing()
      const { json } = await member.post(`/api/order/${order.order_id}/cancel`, forge(order))
      expect(json.data).toMatchObject({
        status: 'CANCELLED',
        username: 'member01',
        received_satang: order.received_satang,
        discount_satang: order.discount_satang,
        win_satang: 0,
      })
      expect(await remaining()).toBe(before)
    }
  })

  test.each([
    ['an unknown status', (order: Order) => ({ ...order, status: 'PAID' })],
    ['no status', (order: Order) => ({ ...order, status: undefined })],
    ['another ticket’s id', (order: Order) => ({ ...order, order_id: order.order_id + 1 })],
    ['another ticket’s id, by its other name', (order: Order) => ({ ...order, id: order.order_id + 1 })],
  ])('with %s is refused', async (_name, forge) => {
    const order = await placeWhole()
    expect(await attempt(member, `/api/order/${order.order_id}/cancel`, forge(order))).toEqual(refusedWithoutTrace)
  })
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
