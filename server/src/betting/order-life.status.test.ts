// A ticket changes status only by the transition table: every stored status meets every event, and the database has the
// same table.

import { closeEarly } from '../../test/changes.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Order } from '@megalot/contract'
import {
  isLiveStatus,
  type OrderEvent,
  orderEvents,
  type OrderStatus,
  orderStatuses,
  orderTransitions,
} from '@megalot/rules'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeByHand } from '../../test/auditor.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller } from '../../test/nodes.ts'
import {
  countWrites,
  limitNumbers,
  makeTicket,
  openPeriod,
  placeTicket,
  readOrder,
  ticketOn,
} from '../../test/scenes.ts'
import { type Reply, startTestApp } from '../../test/test-app.ts'
import { callVoid } from '../../test/voids.ts'
import type { Db } from '../postgres/db.ts'
import type { Refusal } from '../lib/refusal.ts'
import { cancelOrder } from './life/cancel.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'
import { confirmOrder } from './life/confirm.ts'

let period_code: string

const app = await startTestApp()
const callers = {
  owner: await app.logIn('member01'),
  agent: await app.logIn('agent01'),
  office: await app.logIn('office01'),
}
const office02 = await app.logIn('office02')
await limitNumbers(app.db, '3top', 10_000, 0)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** A confirmed ticket of 10 Baht, or a waiting one of 120 of which 100 are accepted. */
async function place(status: 'CONFIRMED' | 'WAIT_CONFIRM'): Promise<Order> {
  const ticket = ticketOn(period_code, [['123', status === 'CONFIRMED' ? 10 : 120]])
  const order = await placeTicket(callers.owner, ticket)
  expect(order.status).toBe(status)
  return order
}

const see = (order: Order): Promise<Order> => readOrder(callers.owner, order)

/** Statuses within placing, and of a refused ticket, are never stored. */
const storedStatuses = ['WAIT_CONFIRM', 'CONFIRMED', 'CANCELLED', 'DELETED'] as const
type StoredStatus = (typeof storedStatuses)[number]

async function makeOrder(status: StoredStatus): Promise<Order> {
  if (status === 'CONFIRMED' || status === 'WAIT_CONFIRM') return place(status)
  const order = await place('WAIT_CONFIRM')
  const url = `/api/order/${order.order_id}`
  if (status === 'CANCELLED') await callers.owner.post(`${url}/cancel`, order)
  else await callers.agent.post(`${url}/delete`, { reason: 'status' })
  return see(order)
}

type Attempt = (order: Order) => Promise<Reply | void>

/** How each event is triggered from outside. Events within placing have no call. */
const attempts: Record<OrderEvent, Attempt | 'inside of placing'> = {
  create: ({ request_id, items }) =>
    callers.owner.post('/api/order/create', {
      ...makeTicket(period_code, { request_id }),
      items: items.map(({ bet_type, number, asked_satang, rate_seen }) => ({
        bet_type,
        number,
        bet_satang: asked_satang,
        rate: rate_seen,
      })),
    }),
  refuse: 'inside of placing',
  validate: 'inside of placing',
  process: 'inside of placing',
  accept: 'inside of placing',
  ask: 'inside of placing',
  confirm: ({ order_id }) => callers.owner.post(`/api/order/${order_id}/confirm`, { items: [] }),
  return_all: ({ order_id }) =>
    callers.owner.post(`/api/order/${order_id}/confirm`, { items: [{ line_no: 1, bet_satang: 0 }] }),
  cancel: (order) => callers.owner.post(`/api/order/${order.order_id}/cancel`, order),
  delete: ({ order_id }) => callers.agent.post(`/api/order/${order_id}/delete`, { reason: 'status' }),
  expire: async ({ order_id }) => {
    await app.asOwner`update orders set placed_at = placed_at - interval '31 min',
      confirm_deadline_at = clock_timestamp() where order_id = ${order_id}`
    await confirmOverdueOrders(app.db)
  },
}

/** The transitions of the table; every other pair of status and event changes nothing. */
const leadsTo: Partial<Record<StoredStatus, Partial<Record<OrderEvent, StoredStatus>>>> = {
  WAIT_CONFIRM: {
    confirm: 'CONFIRMED',
    expire: 'CONFIRMED',
    return_all: 'CANCELLED',
    cancel: 'CANCELLED',
    delete: 'DELETED',
  },
  CONFIRMED: { cancel: 'CANCELLED', delete: 'DELETED' },
}

const pairs = storedStatuses.flatMap((status) =>
  orderEvents.filter((event) => attempts[event] !== 'inside of placing').map((event) => [status, event] as const),
)

describe('every status meets every event', () => {
  test.each(pairs)('%s, %s', async (status, event) => {
    const order = await makeOrder(status)
    const before = await countWrites(app.owner)
    const reply = await (attempts[event] as Attempt)(order)
    const after = await see(order)
    const to = leadsTo[status]?.[event]
    // A repeated create returns the existing ticket, and an expiry of the others has no effect; all else is refused.
    const isVisible = to !== undefined || event === 'create' || event === 'expire'
    expect(reply?.json.error?.code).toBe(isVisible ? undefined : 'invalid_status')
    expect(after.status).toBe(to ?? status)
    expect(after.events.slice(order.events.length)).toMatchObject(
      to ? [{ event, from_status: status, to_status: to }] : [],
    )
    const isUnmoved = isDeepStrictEqual(await countWrites(app.owner), before)
    expect(isUnmoved).toBe(to === undefined)
  })

  test.each(storedStatuses.map((status) => [status]))('%s, voided after the close by two', async (status) => {
    const order = await makeOrder(status)
    await closeEarly(app.db, period_code)
    const codes = []
    for (const caller of [callers.office, office02])
      codes.push((await callVoid(app.owner, caller, `order:${order.order_id}`)).json.error?.code)
    const isLive = status === 'WAIT_CONFIRM' || status === 'CONFIRMED'
    expect(codes).toEqual(isLive ? [undefined, undefined] : ['invalid_status', 'invalid_status'])
    expect((await see(order)).status).toBe(isLive ? 'DELETED' : status)
  })
})

// Defect: a confirmation refused because of the status first locked the period and unpacked all items of the ticket.
describe('a confirmation that cannot be carried out', () => {
  /** A handle with the application's log-in, and the statements it sends. */
  function listStatements(): { db: Db; statements: string[] } {
    const statements: string[] = []
    const db = app.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        statements.push(app.db.getExecutor().compileQuery(node, queryId).sql)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    return { db, statements }
  }
  const byOwner = { principal: 'member01', stored: 'CANCELLED' } as const
  test.each([
    ['a confirmation of a ticket that does not wait', { ...byOwner, stored: 'CONFIRMED' }, confirmOrder, []],
    ['a confirmation of a cancelled ticket', byOwner, confirmOrder, []],
    ['a cancel of a cancelled ticket', byOwner, cancelOrder, 'CONFIRMED'],
    [
      'a cancel of a ticket that was seen with another status',
      { ...byOwner, stored: 'CONFIRMED' },
      cancelOrder,
      'WAIT_CONFIRM',
    ],
    ['a confirmation by an upline', { principal: 'agent01', stored: 'WAIT_CONFIRM' }, confirmOrder, []],
    ['a cancel by an upline', { principal: 'agent01', stored: 'WAIT_CONFIRM' }, cancelOrder, 'WAIT_CONFIRM'],
  ] as const)('is refused by one reading, before any lock: %s', async (_name, { principal, stored }, act, given) => {
    const { order_id } = await makeOrder(stored)
    const caller = await findCaller(app.owner, principal)
    const { db, statements } = listStatements()
    const code = principal === 'member01' ? 'invalid_status' : 'not_allowed'
    await expect(act(db, caller, order_id, given as never)).rejects.toMatchObject({ code })
    expect(statements).toEqual([expect.stringContaining('from "orders"')])
    expect(statements[0]).not.toContain('order_items')
  })

  test('because another was first reads no items either, although it waited for the ticket', async () => {
    const { order_id } = await makeOrder('WAIT_CONFIRM')
    const caller = await findCaller(app.owner, 'member01')
    const { db, statements } = listStatements()
    let answers: Promise<PromiseSettledResult<Order>[]>
    await app.owner.transaction().execute(async (tx) => {
      await sql`select from orders where order_id = ${order_id} for update`.execute(tx)
      answers = Promise.allSettled([confirmOrder(db, caller, order_id, []), confirmOrder(db, caller, order_id, [])])
      await expect.poll(() => statements.filter((text) => text.includes('for no key update of orders')).length).toBe(2)
    })
    const outcomes = (await answers!).map((each) => (each.status === 'rejected' ? (each.reason as Refusal).code : 'ok'))
    expect(outcomes.toSorted()).toEqual(['invalid_status', 'ok'])
    // The executed one reads them for the change and for its reply.
    expect(statements.filter((text) => text.includes('"order_items"'))).toHaveLength(2)
  })
})

describe('the database changes a status by the same table', () => {
  /** Whether a log-in's statement can change a ticket's status; rolled back. */
  async function canTake(db: Db, { order_id }: Order, to: OrderStatus): Promise<boolean> {
    const undone = new Error('undone')
    return db
      .transaction()
      .execute(async (tx) => {
        await sql`update orders set status = ${to} where order_id = ${order_id}`.execute(tx)
        throw undone
      })
      .catch((error: unknown) => error === undone)
  }

  const listReached = async (db: Db, order: Order): Promise<OrderStatus[]> => {
    const reached: OrderStatus[] = []
    for (const to of orderStatuses) if (to !== order.status && (await canTake(db, order, to))) reached.push(to)
    return reached
  }

  /** A ticket that has waited, so that no other constraint prevents it from waiting again. */
  async function makeWaited(status: StoredStatus): Promise<Order> {
    if (status !== 'CONFIRMED') return makeOrder(status)
    const order = await place('WAIT_CONFIRM')
    await callers.owner.post(`/api/order/${order.order_id}/confirm`, { items: [] })
    return see(order)
  }

  const inTable = (from: OrderStatus): OrderStatus[] =>
    orderStatuses.filter((to) => orderTransitions.some((row) => row.from === from && row.to === to))

  test.each(storedStatuses)('from %s before the close, for the application and for the owner', async (from) => {
    const order = await makeWaited(from)
    for (const db of [app.db, app.owner]) expect(await listReached(db, order)).toEqual(inTable(from))
  })

  test.each(storedStatuses)(
    'from %s after the close only from waiting to confirmed, for the application',
    async (from) => {
      const order = await makeWaited(from)
      await closeEarly(app.db, period_code)
      expect(await listReached(app.db, order)).toEqual(
        inTable(from).filter((to) => isLiveStatus(from) && isLiveStatus(to)),
      )
    },
  )

  test('and no other status can be stored, even by the owner', async () => {
    const { order_id } = await place('CONFIRMED')
    for (const status of orderStatuses.filter((each) => !storedStatuses.some((stored) => stored === each)))
      await expect(
        changeByHand(app.owner, sql`update orders set status = ${status} where order_id = ${order_id}`),
      ).rejects.toMatchObject({ constraint: 'orders_status_check' })
  })
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
