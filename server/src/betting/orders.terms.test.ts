// A bet keeps the rules in force when it was accepted. Whatever the house changes during a period, old tickets keep
// their display, cost and wins; new ones follow the new rules.

import { closeEarly } from '../../test/changes.ts'
import type { Order, Transaction } from '@megalot/contract'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  readCredit,
  readOrder,
  settleWith,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { callVoid } from '../../test/voids.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const offices: TestCaller[] = [await app.logIn('office01'), await app.logIn('office02')]
beforeEach(async () => {
  await changeTerms({ rate: 55_000, discount_rate: 3_300, max_satang: 300_000 })
  await limitNumbers(app.db, '3top', 10_000, 5_000)
  period_code = await openPeriod(app.owner)
})

/** Of 3top in package "70". */
async function changeTerms(terms: { rate: number; discount_rate: number; max_satang: number }): Promise<void> {
  await app.owner
    .updateTable('package_terms')
    .set(terms)
    .where('bet_type', '=', '3top')
    .where('package_id', 'in', (from) =>
      from
        .selectFrom('packages')
        .select('package_id')
        .where('package_code', '=', '70')
        .where('product_code', '=', 'thai-government'),
    )
    .execute()
}

function place(number: string, baht: number, rate = 55_000): Promise<Order> {
  return placeTicket(member, makeTicket(period_code, { items: [makeLine('3top', number, baht, rate)] }))
}

const see = (order: Order): Promise<Order> => readOrder(member, order)
const balance = async (): Promise<number> => (await readCredit(member)).balance_satang
const listStatement = async () => (await member.get('/mgluser/profit/transaction_list?ipp=50')).json.data

/** Everything that the house may change: prices up and down, limits, quotas, numbers, packages, the bet type itself. */
async function changeEverything(): Promise<void> {
  await changeTerms({ rate: 10_000, discount_rate: 0, max_satang: 500 })
  await limitNumbers(app.db, '3top', 100_000, 100_000)
  const body = { bet_type: '3top', number: '123', set_to: 'half' }
  await offices[0]!.post(`/api/admin/game_config/limit_number/${period_code}`, body)
}

test('a ticket shows and wins at its own rate and discount, full or half', async () => {
  const before = await balance()
  const old = [await place('123', 100), await place('123', 30, 27_500)]
  expect(old.map(({ status, items: [item] }) => [status, item!.rate, item!.is_half_pay])).toEqual([
    ['CONFIRMED', 55_000, false],
    ['CONFIRMED', 27_500, true],
  ])
  const statement = await listStatement()
  await changeEverything()
  expect(await Promise.all(old.map(see))).toEqual(old)
  expect(await listStatement()).toEqual(statement)

  const fresh = await place('123', 5, 10_000)
  expect(fresh).toMatchObject({ discount_satang: 0, items: [{ rate: 5_000, is_half_pay: true }] })
  const kept = await see(fresh)
  await changeTerms({ rate: 90_000, discount_rate: 5_000, max_satang: 300_000 })
  expect(await see(fresh)).toEqual(kept)

  await settleWith(app, period_code, makeResult('123'))
  const wins = [100 * 55_000, 30 * 27_500, 5 * 5_000]
  for (const [index, order] of [...old, fresh].entries()) {
    const settled = await see(order)
    expect([settled.win_satang, settled.net_satang]).toEqual([wins[index], order.net_satang])
  }
  const nets = 10_000 * 0.67 + 3_000 * 0.67 + 500
  expect((await balance()) - before).toBe(wins.reduce((sum, win) => sum + win, 0) - nets)
  const paid = (await listStatement()).filter((row) => row.kind === 'win')
  const paidOn = new Map(paid.map((row) => [row.order_id, row.amount_satang]))
  expect([...old, fresh].map((order) => paidOn.get(order.order_id))).toEqual(wins)
  expect(
    (await listStatement()).filter((row) => statement.some((each) => each.entry_id === row.entry_id)).map(amountOf),
  ).toEqual(statement.map(amountOf))
})

const amountOf = ({ entry_id, kind, amount_satang }: Transaction) => `${entry_id} ${kind} ${amount_satang}`

test('a waiting ticket is confirmed, also in part, on the terms at which it was accepted', async () => {
  const before = await balance()
  const waiting = await place('456', 120)
  expect(waiting).toMatchObject({ status: 'WAIT_CONFIRM', received_satang: 10_000 })
  await changeEverything()
  await member.post(`/api/order/${waiting.order_id}/confirm`, { items: [] })
  const confirmed = await see(waiting)
  expect(confirmed.items).toEqual([{ ...waiting.items[0], status: 'awaiting_result' }])
  await settleWith(app, period_code, makeResult('456'))
  expect((await see(waiting)).win_satang).toBe(100 * 55_000)
  expect((await balance()) - before).toBe(100 * 55_000 - 6_700)
})

test('a ticket that is cancelled, deleted or voided refunds its price', async () => {
  const before = await balance()
  const [cancelled, deleted, voided] = [await place('701', 10), await place('702', 20), await place('703', 30)]
  await changeEverything()
  expect((await member.post(`/api/order/${cancelled.order_id}/cancel`, cancelled)).http).toBe(200)
  expect((await offices[0]!.post(`/api/order/${deleted.order_id}/delete`, { reason: 'wrong member' })).http).toBe(200)
  await closeEarly(app.db, period_code)
  for (const office of offices) expect((await callVoid(app.owner, office, `order:${voided.order_id}`)).http).toBe(200)
  expect(await balance()).toBe(before)
})

test('a bet type removed from the market still wins for existing tickets', async () => {
  const other = await app.logIn('member02')
  const ticket = await placeTicket(other, ticketOn(period_code, [['789', 10]]))
  const { rows } = await app.asOwner<{ bet_types: string[] }>`
    select bet_types from products where product_code = 'thai-government'`
  onTestFinished(async () => {
    await app.asOwner`update products set bet_types = ${rows[0]!.bet_types}, bottom3_set = 'back'
      where product_code = 'thai-government'`
  })
  await app.asOwner`update products set bet_types = array_remove(bet_types, '3top'), bottom3_set = 'front+back'
    where product_code = 'thai-government'`
  await app.asOwner`delete from user_packages where user_id = ${other.user_id}`
  expect(await readOrder(other, ticket)).toEqual(ticket)
  await settleWith(app, period_code, makeResult('789'))
  expect((await readOrder(other, ticket)).win_satang).toBe(10 * 55_000)
})

test('afterwards every invariant of money holds', async () => {
  await limitNumbers(app.db, '3top', 100_000, 100_000)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
