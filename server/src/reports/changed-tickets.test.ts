// Goal: the report of changed tickets says of each change what the member got back by it, and what the ticket has now; every return of
// received lines is in it.

import { closeEarly } from '../../test/changes.ts'
import type { Order } from '@megalot/contract'
import { describe, expect, test } from 'vitest'
import { findCaller } from '../../test/nodes.ts'
import { limitNumbers, makeLine, makeTicket, openPeriod, placeTicket, placeWaitingTicket } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { callVoid, voidByTwo } from '../../test/voids.ts'
import type { Cell } from '../lib/csv.ts'
import { refundPeriod } from '../results/index.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { openReportRows } from './files/report-rows.ts'

const app = await startTestApp()
const member = await app.logIn('member01')
const agent = await app.logIn('agent01')
const office: readonly [TestCaller, TestCaller] = [await app.logIn('office01'), await app.logIn('office02')]
const period = await openPeriod(app.owner)
await limitNumbers(app.db, '2top', 100_00, 0)

let number = 10
/** A ticket that waits: of the first line 100 Baht of 200 are received (net 72.00), of the others all (net 670.00 and 13.40). */
async function placeThree(period_code = period): Promise<Order> {
  number += 1
  const items = [makeLine('2top', String(number), 200), makeLine('3top', '123', 1_000), makeLine('3top', '456', 20)]
  return placeWaitingTicket(member, makeTicket(period_code, { items }))
}

const placeOne = () => placeTicket(member, makeTicket(period, { items: [makeLine('3top', '123', 1_000)] }))

const returnLines = ({ order_id }: Order, line_nos: readonly number[]) =>
  member.post(`/api/order/${order_id}/confirm`, { items: line_nos.map((line_no) => ({ line_no, bet_satang: 0 })) })

const cancel = (order: Order) => member.post(`/api/order/${order.order_id}/cancel`, order)
const remove = ({ order_id }: Order) => agent.post(`/api/order/${order_id}/delete`, { reason: 'asked for it' })

async function readCash(): Promise<number> {
  const { rows } = await app.asOwner<{ satang: number }>`
    select balance_satang as satang from accounts where user_id = ${member.user_id} and kind = 'cash'`
  return rows[0]!.satang
}

/** How much more cash the member has after a call that must succeed. */
async function gainOf(call: () => Promise<{ http: number }>): Promise<number> {
  const before = await readCash()
  expect((await call()).http).toBe(200)
  return (await readCash()) - before
}

/** The changes of a ticket, the earliest first: what happened, what was given back, what is left now. */
async function listChangesOf({ order_id }: Order) {
  const { json } = await agent.get('/api/report/changed_tickets?ipp=100')
  return json.data
    .filter((row) => row.order_id === order_id)
    .toReversed()
    .map(({ event, given_back_satang, net_left_satang }) => [event, given_back_satang, net_left_satang])
}

// Defect: one amount was what a deleted ticket had given back, and what was left of a returned one.
describe('what was given back, and what is left', () => {
  const ends = [
    ['a line is returned', placeThree, (order: Order) => returnLines(order, [2]), ['confirm', 670_00, 85_40]],
    ['all lines are returned', placeThree, (order: Order) => returnLines(order, [1, 2, 3]), ['return_all', 755_40, 0]],
    ['a waiting ticket is cancelled', placeThree, cancel, ['cancel', 755_40, 0]],
    ['a waiting ticket is deleted', placeThree, remove, ['delete', 755_40, 0]],
    ['a confirmed ticket is cancelled', placeOne, cancel, ['cancel', 670_00, 0]],
    ['a confirmed ticket is deleted', placeOne, remove, ['delete', 670_00, 0]],
  ] as const
  test.each(ends)('%s', async (_name, place, act, expected) => {
    const order = await place()
    expect(await gainOf(() => act(order))).toBe(expected[1])
    expect(await listChangesOf(order)).toEqual([expected])
  })

  test('a ticket that was returned in part is deleted: each change has given back its own, and nothing is left', async () => {
    const order = await placeThree()
    await returnLines(order, [2])
    expect(await gainOf(() => remove(order))).toBe(85_40)
    expect(await listChangesOf(order)).toEqual([
      ['confirm', 670_00, 0],
      ['delete', 85_40, 0],
    ])
  })

  test('a ticket that was returned in part is voided after the close, and another one of its period by the void of all', async () => {
    const period_code = await openPeriod(app.owner)
    const [one, other] = [await placeThree(period_code), await placeThree(period_code)]
    for (const order of [one, other]) await returnLines(order, [2])
    await closeEarly(app.db, period_code)
    await callVoid(app.owner, office[0], `order:${one.order_id}`)
    expect(await gainOf(() => callVoid(app.owner, office[1], `order:${one.order_id}`))).toBe(85_40)
    expect(await listChangesOf(one)).toEqual([
      ['confirm', 670_00, 0],
      ['void', 85_40, 0],
    ])
    expect(await listChangesOf(other)).toEqual([['confirm', 670_00, 85_40]])
    await voidByTwo(app.db, office, `period:${period_code}`)
    await refundPeriod(app.db, (await getPeriodRecord(app.db, period_code)).period_id)
    // What the void of a whole period has given back is in a report of its own.
    expect(await listChangesOf(other)).toEqual([['confirm', 670_00, 0]])
  })

  test('a file has both', async () => {
    const order = await placeThree()
    await returnLines(order, [2])
    const scope = await findCaller(app.db, 'agent01')
    const { columns, pieces } = await openReportRows(app.reports, scope, {
      report: 'changed_tickets',
      format: 'csv',
      language: 'en',
    })
    const rows: (readonly Cell[])[] = []
    for await (const piece of pieces) rows.push(...piece)
    const [ticket, given, left] = ['Ticket', 'Given back (Baht)', 'Net left (Baht)'].map((name) =>
      columns.findIndex(({ heading }) => heading === name),
    ) as [number, number, number]
    const row = rows.find((cells) => cells[ticket] === order.order_id)!
    expect([row[given], row[left]]).toEqual([{ satang: 670_00 }, { satang: 85_40 }])
  })
})

describe('which returns are listed', () => {
  // Defect: only a line that was received in full, at the rate that was seen, made its return a change.
  test('a line that was received in part is returned', async () => {
    const order = await placeThree()
    expect(await gainOf(() => returnLines(order, [1]))).toBe(72_00)
    expect(await listChangesOf(order)).toEqual([['confirm', 72_00, 683_40]])
  })

  test('a line of which nothing was received is returned, or nothing is: no change', async () => {
    number += 1
    const full = makeLine('2top', String(number), 100)
    await placeTicket(member, makeTicket(period, { items: [full] }))
    const items = [full, makeLine('3top', '456', 20)]
    for (const line_nos of [[1], []]) {
      const order = await placeWaitingTicket(member, makeTicket(period, { items }))
      expect(await gainOf(() => returnLines(order, line_nos))).toBe(0)
      expect(await listChangesOf(order)).toEqual([])
    }
  })
})
