// Goal: the report of changed tickets lists every return of received lines.

import type { Order } from '@megalot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
} from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'

let app: TestApp
let member: TestCaller
let agent: TestCaller
let period: string

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member01')
  agent = await app.logIn('agent01')
  period = await openPeriod(app.owner)
  await limitNumbers(app.db, '2top', 100_00, 0)
})

let number = 10
/** A ticket that waits: of the first line 100 Baht of 200 are received, of the others all. */
async function placeThree(): Promise<Order> {
  number += 1
  const items = [makeLine('2top', String(number), 200), makeLine('3top', '123', 1_000), makeLine('3top', '456', 20)]
  return placeWaitingTicket(member, makeTicket(period, { items }))
}

const returnLines = ({ order_id }: Order, line_nos: readonly number[]) =>
  member.post(`/api/order/${order_id}/confirm`, { items: line_nos.map((line_no) => ({ line_no, bet_satang: 0 })) })

/** The changes of a ticket. */
async function listChangesOf({ order_id }: Order) {
  const { json } = await agent.get('/api/report/changed_tickets?ipp=100')
  return json.data.filter((row) => row.order_id === order_id).map(({ event }) => event)
}

describe('which returns are listed', () => {
  // Defect: only a line that was received in full, at the rate that was seen, made its return a change.
  test('a line that was received in part is returned', async () => {
    const order = await placeThree()
    expect((await returnLines(order, [1])).http).toBe(200)
    expect(await listChangesOf(order)).toEqual(['confirm'])
  })

  test('a line of which nothing was received is returned, or nothing is: no change', async () => {
    number += 1
    const full = makeLine('2top', String(number), 100)
    await placeTicket(member, makeTicket(period, { items: [full] }))
    const items = [full, makeLine('3top', '456', 20)]
    for (const line_nos of [[1], []]) {
      const order = await placeWaitingTicket(member, makeTicket(period, { items }))
      expect((await returnLines(order, line_nos)).http).toBe(200)
      expect(await listChangesOf(order)).toEqual([])
    }
  })
})
