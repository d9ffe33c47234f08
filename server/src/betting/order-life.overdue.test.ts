// Each waiting ticket is confirmed once its deadline has passed, also if its period was moved or other tickets fail.

import { randomUUID } from 'node:crypto'
import type { Order } from '@megalot/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decideByTwo } from '../../test/approvals.ts'
import { changeByHand } from '../../test/auditor.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { limitNumbers, makeLine, makeTicket, openPeriod, placeWaitingTicket } from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { openDatabase } from '../postgres/db.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { confirmOverdueOrders, confirmWaitingOrders } from './life/confirm-overdue.ts'

const MINUTE = 60_000

/** Each may have at most ten waiting tickets per period. */
const members: TestCaller[] = []
const app = await startTestApp()
for (let each = 1; each <= 20; each += 1) members.push(await app.logIn(`member${String(each).padStart(2, '0')}`))
const member = members[0]!
for (const product_code of ['yeekee', 'egypt', 'malay', 'hanoi'])
  await limitNumbers(app.db, '3top', 0, 100_000_000, product_code)

const items = [makeLine('3top', '123', 10), makeLine('2top', '45', 10)]
const placeWaiting = (period_code: string, by = member): Promise<Order> =>
  placeWaitingTicket(by, makeTicket(period_code, { items, request_id: randomUUID() }))

const readStatus = async ({ order_id }: Order) => (await member.get(`/api/order/status/${order_id}`)).json.data

/** As if half an hour had passed since these tickets were placed. */
const makeOverdue = (order_ids: readonly number[]) =>
  app.asOwner`update orders set placed_at = placed_at - interval '31 min', confirm_deadline_at = confirm_deadline_at - interval '31 min'
    where order_id = any(${[...order_ids]})`

async function moveClose(period_code: string, minutes: number): Promise<void> {
  const at = Date.now() + minutes * MINUTE
  const [close_at, draw_at] = [new Date(at).toISOString(), new Date(at + MINUTE).toISOString()]
  const [first, second] = [await app.logIn('office01'), await app.logIn('office02')]
  expect((await decideByTwo(first, second, 'move_period', { period_code, close_at, draw_at })).http).toBe(200)
}

describe('a ticket of a period that is moved to a later close', () => {
  test('waits until the deadline of the new close, and shows it', async () => {
    const period_code = await openPeriod(app.owner, 'yeekee', 10 * MINUTE)
    const order = await placeWaiting(period_code)
    expect(order.confirm_deadline_at).toBe(order.period.close_at)
    await moveClose(period_code, 120)
    const placed_ms = Date.parse(order.steps[2]!.at)
    const shown = await readStatus(order)
    expect(Date.parse(shown.confirm_deadline_at!)).toBe(placed_ms + 30 * MINUTE)
    // As if the period's original close had passed.
    await app.asOwner`update orders set confirm_deadline_at = placed_at where order_id = ${order.order_id}`
    expect(await confirmOverdueOrders(app.db)).toBe(0)
    expect(await readStatus(order)).toMatchObject({ status: 'WAIT_CONFIRM', tag: 'manually_confirm' })
    await makeOverdue([order.order_id])
    expect(await confirmOverdueOrders(app.db)).toBe(1)
    expect(await readStatus(order)).toMatchObject({ status: 'CONFIRMED', tag: 'exceed_30_minutes' })
  })

  test('is confirmed at the new close if that is before the half hour is over', async () => {
    const period_code = await openPeriod(app.owner, 'yeekee', 10 * MINUTE)
    const order = await placeWaiting(period_code)
    await moveClose(period_code, 20)
    expect(await confirmOverdueOrders(app.db)).toBe(0)
    await changeByHand(
      app.owner,
      sql`update periods set close_at = clock_timestamp(), draw_at = clock_timestamp() where period_code = ${period_code}`,
    )
    expect(await confirmOverdueOrders(app.db)).toBe(1)
    expect(await readStatus(order)).toMatchObject({ status: 'CONFIRMED', tag: 'period_closed' })
  })
})

test('a ticket is confirmed after a noticed close even if the clock has stepped back', async () => {
  const period_code = await openPeriod(app.owner, 'egypt')
  const order = await placeWaiting(period_code)
  await changeByHand(
    app.owner,
    sql`update periods set closed_at = clock_timestamp() where period_code = ${period_code}`,
  )
  expect(await confirmOverdueOrders(app.db)).toBe(1)
  expect((await readStatus(order)).status).toBe('CONFIRMED')
})

// Defect: a list that begins with unchanged tickets is read again for ever, and tickets after them are never confirmed.
test('any number of failing tickets does not prevent others from being confirmed, and they are reported', async () => {
  const [failing, other] = [await openPeriod(app.owner, 'malay'), await openPeriod(app.owner, 'hanoi')]
  const placed = await Promise.all(
    Array.from({ length: 50 }, (_, each) => placeWaiting(failing, members[each % members.length])),
  )
  const last = await placeWaiting(other)
  const order_ids = placed.map(({ order_id }) => order_id).toSorted((a, b) => a - b)
  expect(last.order_id).toBeGreaterThan(order_ids.at(-1)!)
  await makeOverdue([...order_ids, last.order_id])
  await app.asOwner`create function fail_for_test() returns trigger language plpgsql as
    $$ begin raise exception 'fails in a test' using errcode = 'check_violation'; end $$`
  await app.asOwner`create trigger fail_for_test before update on orders for each row
    when (new.status <> old.status and old.order_id <> ${sql.lit(last.order_id)}) execute function fail_for_test()`
  const confirmed: string[] = []
  await expect(confirmOverdueOrders(app.db, ({ period_code }) => confirmed.push(period_code))).rejects.toMatchObject({
    message: `50 overdue tickets were not confirmed, the first is ${order_ids[0]}`,
    cause: { message: 'fails in a test' },
  })
  expect(confirmed).toEqual([other])
  await app.asOwner`drop trigger fail_for_test on orders`
  expect(await confirmOverdueOrders(app.db)).toBe(50)
})

test('an unavailable database ends the run, so that no further ticket waits for it', async () => {
  const period_code = await openPeriod(app.owner, 'egypt')
  const placed = [await placeWaiting(period_code), await placeWaiting(period_code), await placeWaiting(period_code)]
  await makeOverdue(placed.map(({ order_id }) => order_id))
  const node = openDatabase({ url: app.url, role: 'megalot_app', maxConnections: 1 })
  const closing: Promise<void>[] = []
  const run = confirmOverdueOrders(node.db, () => closing.push(node.close()))
  const error: Error = await run.then(
    () => new Error('all were confirmed'),
    (thrown: Error) => thrown,
  )
  await Promise.all(closing)
  expect(closing).toHaveLength(1)
  expect(error.message).not.toMatch(/confirmed/)
  expect(await confirmOverdueOrders(app.db)).toBe(2)
})

// Defect: a settlement confirmed all waiting tickets of its period in one transaction, and delayed bets of their
// members.
test('tickets waiting at the settlement are confirmed in small batches', async () => {
  const period_code = await openPeriod(app.owner, 'egypt')
  for (let each = 0; each < 3; each += 1) await placeWaiting(period_code)
  const period = await getPeriodRecord(app.owner, period_code)
  const counts: number[] = []
  for (let step = 0; step < 3; step += 1)
    counts.push(await app.db.transaction().execute((tx) => confirmWaitingOrders(tx, period, 2)))
  expect(counts).toEqual([2, 1, 0])
})

// Defect: each of a hundred tickets of one period waited eight seconds for its lock, and delayed those of other
// periods.
test("after two lock timeouts a period's remaining tickets are left to the next run", async () => {
  const [held, other] = [await openPeriod(app.owner, 'malay'), await openPeriod(app.owner, 'hanoi')]
  const waiting = await Promise.all(Array.from({ length: 4 }, () => placeWaiting(held)))
  const last = await placeWaiting(other)
  await makeOverdue([...waiting, last].map(({ order_id }) => order_id))
  // Simulates the end of a lock wait.
  await app.asOwner`create function time_out_for_test() returns trigger language plpgsql as
    $$ begin raise exception 'in a test' using errcode = 'lock_not_available'; end $$`
  await app.asOwner`create trigger time_out_for_test before update on orders for each row
    when (new.status <> old.status and old.order_id <> ${sql.lit(last.order_id)}) execute function time_out_for_test()`
  await expect(confirmOverdueOrders(app.db)).rejects.toThrow('2 overdue tickets were not confirmed')
  expect((await readStatus(last)).status).toBe('CONFIRMED')
  await app.asOwner`drop trigger time_out_for_test on orders`
  expect(await confirmOverdueOrders(app.db)).toBe(4)
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
