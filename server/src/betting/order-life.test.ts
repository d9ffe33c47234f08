// A partly accepted ticket waits for its member. Confirming it, returning items and the deadline each change status,
// money and quota together, once.

import { closeEarly } from '../../test/changes.ts'
import { refusals, type Transaction } from '@megalot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  agreeOnResult,
  codeOf,
  limitNumbers,
  makeResult,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  readAccepted,
  readCredit,
  settleWith,
  ticketOn,
  waitForLock,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { settleDuePeriods } from '../results/index.ts'
import { lockCashAccounts } from './ledger/index.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const office01 = await app.logIn('office01')
await limitNumbers(app.db, '3top', 10_000, 5_000)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

/** 100 of 120 Baht are accepted on the first item, all on the second. */
const placeWaiting = () =>
  placeWaitingTicket(
    member,
    ticketOn(period_code, [
      ['123', 120],
      ['456', 50],
    ]),
  )

async function readStatement(ipp: number, before?: number): Promise<Transaction[]> {
  const part = before === undefined ? '' : `&before=${before}`
  return (await member.get(`/mgluser/profit/transaction_list?ipp=${ipp}${part}`)).json.data
}

describe('a waiting ticket', () => {
  test('holds credit and quota until its deadline, which it shows', async () => {
    const before = await readCredit(member)
    const order = await placeWaiting()
    const net = 15_000 * 0.67
    expect(await readCredit(member)).toMatchObject({
      held_satang: before.held_satang + net,
      credit_remain_satang: before.credit_remain_satang - net,
    })
    expect(await readAccepted(app.owner, period_code, '123')).toBe(10_000)
    expect(order.tag).toBe('manually_confirm')
    expect(Date.parse(order.confirm_deadline_at!) - Date.parse(order.steps[2]!.at)).toBeGreaterThan(29 * 60_000)
    const [latest] = await readStatement(1)
    // The balance does not change while money is held: it is the sum of cash and held.
    expect(latest).toMatchObject({ kind: 'bet_hold', order_id: order.order_id, amount_satang: 0 })
    expect(latest).toMatchObject({ held_satang: net, held_balance_satang: before.held_satang + net })
  })

  test('is confirmed as a whole', async () => {
    const order = await placeWaiting()
    const before = await readCredit(member)
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items: [] })).json
    expect([data.status, data.tag, data.received_satang]).toEqual(['CONFIRMED', null, 15_000])
    expect(data.events).toMatchObject([
      { event: 'confirm', actor: 'member01', from_status: 'WAIT_CONFIRM', to_status: 'CONFIRMED' },
    ])
    const { held_satang, credit_remain_satang } = before
    expect(await readCredit(member)).toMatchObject({ held_satang: held_satang - 10_050, credit_remain_satang })
  })

  test('is confirmed item by item: a returned item gets bet 0 and is refunded', async () => {
    const before = await readCredit(member)
    const order = await placeWaiting()
    const items = [
      { line_no: 1, bet_satang: 0 },
      { line_no: 2, bet_satang: 5_000 },
    ]
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items })).json
    expect(data).toMatchObject({ status: 'CONFIRMED', bet_satang: 5_000, received_satang: 5_000, net_satang: 3_350 })
    expect(data.items[0]).toMatchObject({ status: 'returned', asked_satang: 12_000, bet_satang: 0, received_satang: 0 })
    expect(await readCredit(member)).toMatchObject({
      held_satang: before.held_satang,
      credit_remain_satang: before.credit_remain_satang - 3_350,
    })
    const entries = await readStatement(10)
    const ofTicket = entries.filter(({ order_id }) => order_id === order.order_id)
    const held = before.held_satang
    expect(
      ofTicket.map(({ kind, amount_satang, held_satang, held_balance_satang }) => [
        kind,
        amount_satang,
        held_satang,
        held_balance_satang - held,
      ]),
    ).toEqual([
      ['bet', -3_350, -3_350, 0],
      ['bet_release', 0, -6_700, 3_350],
      ['bet_hold', 0, 10_050, 10_050],
    ])
    // A page that begins further down counts back over the later entries.
    const [hold] = await readStatement(1, ofTicket[1]!.entry_id)
    expect(hold).toEqual(ofTicket[2])
    expect([
      await readAccepted(app.owner, period_code, '123'),
      await readAccepted(app.owner, period_code, '456'),
    ]).toEqual([0, 5_000])
  })

  test('of which every item is returned is cancelled', async () => {
    const before = await readCredit(member)
    const order = await placeWaiting()
    const items = [1, 2].map((line_no) => ({ line_no, bet_satang: 0 }))
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items })).json
    expect([data.status, data.cancelled_by]).toEqual(['CANCELLED', 'member01'])
    expect(data).toMatchObject({ bet_satang: 0, received_satang: 0, net_satang: 0 })
    expect(data.items).toMatchObject([1, 2].map(() => ({ bet_satang: 0, received_satang: 0, status: 'returned' })))
    expect(await readCredit(member)).toEqual(before)
    expect(await readAccepted(app.owner, period_code, '123')).toBe(0)
  })

  test.each([
    ['another amount', [{ line_no: 1, bet_satang: 11_000 }]],
    ['an unknown line', [{ line_no: 3, bet_satang: 0 }]],
    [
      'a line twice',
      [
        { line_no: 1, bet_satang: 0 },
        { line_no: 1, bet_satang: 0 },
      ],
    ],
    ['a negative amount', [{ line_no: 1, bet_satang: -1 }]],
  ])('is not confirmed with %s', async (_name, items) => {
    const order = await placeWaiting()
    const before = await readCredit(member)
    expect(codeOf(await member.post(`/api/order/${order.order_id}/confirm`, { items }))).toBe('bad_input')
    expect(await readCredit(member)).toEqual(before)
  })

  test('is confirmed after 30 minutes; then it cannot be confirmed or cancelled by hand', async () => {
    const order = await placeWaiting()
    await app.asOwner`update orders set placed_at = placed_at - interval '31 min', confirm_deadline_at = confirm_deadline_at - interval '31 min'
      where order_id = ${order.order_id}`
    const late = await member.post(`/api/order/${order.order_id}/confirm`, { items: [] }, 'en')
    expect([late.http, late.json.error.code, late.json.status.message]).toEqual([
      409,
      'confirm_over',
      refusals.confirm_over.en,
    ])
    expect(codeOf(await member.post(`/api/order/${order.order_id}/cancel`, order))).toBe('confirm_over')
    expect(await confirmOverdueOrders(app.db)).toBe(1)
    expect(await confirmOverdueOrders(app.db)).toBe(0)
    const status = (await member.get(`/api/order/status/${order.order_id}`)).json.data
    expect(status).toMatchObject({
      status: 'CONFIRMED',
      tag: 'exceed_30_minutes',
      events: [{ event: 'expire', actor: null }],
    })
  })

  test('is confirmed at the close, early or not, and settled like any other', async () => {
    const order = await placeWaiting()
    await settleWith(app, period_code, makeResult('123'))
    const { data } = (await member.get(`/api/order/${order.order_id}`)).json
    expect(data).toMatchObject({ status: 'CONFIRMED', tag: 'period_closed', win_satang: 100 * 55_000 })
  })
})

test('a ticket waiting in a period that is closed early waits until the close, and shows it', async () => {
  const order = await placeWaiting()
  const period = (await office01.post(`/api/admin/period/${period_code}/close`, { reason: 'early' })).json.data
  const now = (await member.get(`/api/order/status/${order.order_id}`)).json.data
  expect(now).toMatchObject({ tag: 'period_closed', confirm_deadline_at: period.close_at })
  expect(app.deadlines.at(-1)?.toISOString()).toBe(period.close_at)
})

// Defect: settlement locks accounts in ticket order, a batch in account order, and they deadlock.
test('settling a period does not deadlock with a batch that has two of its members', async () => {
  // The member whose ticket waits has the account with the higher id; the winner has the lower one.
  const later = await app.logIn('member02')
  expect((await placeTicket(member, ticketOn(period_code, [['123', 10]]))).status).toBe('CONFIRMED')
  await placeWaitingTicket(later, ticketOn(period_code, [['456', 120]]))
  await closeEarly(app.db, period_code)
  await agreeOnResult(app, period_code, makeResult('123'))
  const settling: Promise<number>[] = []
  await app.db.transaction().execute(async (tx) => {
    await lockCashAccounts(tx, [member.user_id])
    settling.push(settleDuePeriods(app.db))
    await waitForLock(app.owner)
    await lockCashAccounts(tx, [later.user_id])
  })
  expect(await settling[0]).toBe(1)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
