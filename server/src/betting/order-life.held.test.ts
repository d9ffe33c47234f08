// A transaction that writes a ticket or a removal before the close, but commits once the result is known, is reported,
// although all its recorded times are in order. Legitimate changes to tickets after the close are not.

import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkEverything, changeByHand, openAuditor, passOverCommits, removeSeededPeriods } from '../../test/auditor.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import {
  agreeOnResult,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  ticketOn,
  toNewTicket,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { voidByTwo } from '../../test/voids.ts'
import { settleDuePeriods } from '../results/index.ts'
import { followExposure } from '../exposure/index.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'
import { applyChange, type Change, changeOrder, type LockedTicket } from './life/apply-change.ts'
import { cancelOrder } from './life/cancel.ts'
import { confirmOrder } from './life/confirm.ts'
import { createIntake } from './intake/intake.ts'
import { placeTogether } from './intake/place-by-reading.ts'
import { type IntegrityChecker, checkChanges } from '../oversight/invariants/index.ts'

const app = await startTestApp()
await removeSeededPeriods(app.owner)
const auditor: IntegrityChecker = openAuditor(app)
const member = await app.logIn('member01')
await limitNumbers(app.db, '3top', 10_000, 5_000)
await checkChanges(auditor)

const place = (period_code: string) => placeTicket(member, makeTicket(period_code))
const waitingTicket = (period_code: string) =>
  makeTicket(period_code, { items: [makeLine('3top', '123', 120), makeLine('3top', '777', 10)] })
const placeWaiting = (period_code: string) => placeWaitingTicket(member, waitingTicket(period_code))

const ofPeriod = (period_code: string): RawBuilder<unknown> =>
  sql`period_id = (select period_id from periods where period_code = ${period_code})`

/** As if the period had closed half a minute ago. */
const closeInThePast = (period_code: string) =>
  changeByHand(
    app.owner,
    sql`update periods set open_at = open_at - interval '2 days', close_at = clock_timestamp() - interval '30 seconds',
      draw_at = clock_timestamp() - interval '30 seconds' where period_code = ${period_code}`,
  )

/** As if a period's tickets had been placed an hour ago. */
const placeInThePast = (period_code: string) =>
  changeByHand(
    app.owner,
    sql`update orders set placed_at = placed_at - interval '1 hour', created_at = created_at - interval '1 hour',
      confirm_deadline_at = confirm_deadline_at - interval '1 hour' where ${ofPeriod(period_code)}`,
  )

/**
 * Tickets that violate this invariant, and only this one, in the incremental and in the full check. Afterwards all
 * violations are resolved.
 */
async function listReported(): Promise<(number | undefined)[]> {
  expect((await checkChanges(auditor))!.broken).toEqual(['committed_in_time'])
  const { committed_in_time: findings, ...others } = await findViolatedInvariants(app.owner)
  expect(others).toEqual({})
  await passOverCommits(app.owner)
  expect((await checkChanges(auditor))!.whole).toEqual(['committed_in_time'])
  expect(await findViolatedInvariants(app.owner)).toEqual({})
  return findings!.map(({ order_id }) => order_id)
}

describe('what is committed after the close is reported', () => {
  test.each([
    ['a ticket', makeTicket, 'read'],
    ['a waiting ticket', waitingTicket, 'readLocked'],
  ] as const)('%s', async (_name, make, attempt) => {
    const period_code = await openPeriod(app.owner)
    const node = openNode(app.url)
    // Delays the intake's commit, as anyone with the application's log-in can.
    const pool = node.batches as unknown as { connect: () => Promise<{ query: (...given: unknown[]) => unknown }> }
    const connect = pool.connect.bind(pool)
    let isHeld = true
    pool.connect = async () => {
      const client = await connect()
      const query = client.query.bind(client)
      client.query = (text: unknown, ...rest: unknown[]) => {
        if (text !== 'commit' || !isHeld) return query(text, ...rest)
        isHeld = false
        return closeInThePast(period_code).then(() => query(text))
      }
      return client
    }
    const ticket = toNewTicket(member, make(period_code))
    const [outcome] = await placeTogether(createIntake(node.batches), attempt, period_code, [ticket])
    expect(isHeld).toBe(false)
    await placeInThePast(period_code)
    expect(await listReported()).toEqual([(outcome as { value: { order_id: number } }).value.order_id])
  })

  const cancel = ({ items }: LockedTicket) => ({ event: 'cancel', released: items }) as const
  const returnFirst = ({ items }: LockedTicket) => ({ event: 'confirm', released: items.slice(0, 1) }) as const

  test.each<[string, typeof place, (locked: LockedTicket) => Omit<Change, 'actor_id'>]>([
    ['the cancel of a ticket', place, cancel],
    ['the cancel of a waiting ticket', placeWaiting, cancel],
    ['the return of a line', placeWaiting, returnFirst],
  ])('%s', async (_name, placeOne, change) => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await placeOne(period_code)
    await placeInThePast(period_code)
    await passOverCommits(app.owner)
    await changeOrder(app.db, order_id, null, async (locked) => {
      await applyChange(locked, { actor_id: member.user_id, ...change(locked) })
      await closeInThePast(period_code)
    })
    expect(await listReported()).toEqual([order_id])
  })
})

test('legitimate changes after the close are not reported', async () => {
  const period_code = await openPeriod(app.owner)
  const caller = await findCaller(app.db, 'member01')
  const winner = await placeTicket(member, ticketOn(period_code, [['777', 10]]))
  const [cancelled, returned, voided] = [
    await place(period_code),
    await placeWaiting(period_code),
    await place(period_code),
  ]
  await placeWaiting(period_code)
  await cancelOrder(app.db, caller, cancelled.order_id, 'CONFIRMED')
  await confirmOrder(app.db, caller, returned.order_id, [{ line_no: 1, bet_satang: 0 }])
  await placeInThePast(period_code)
  await changeByHand(
    app.owner,
    sql`update order_events set at = at - interval '50 minutes' where order_id in (${cancelled.order_id}, ${returned.order_id})`,
  )
  await followExposure(app.db)
  await passOverCommits(app.owner)
  await closeInThePast(period_code)
  await confirmOverdueOrders(app.db)
  const office = await Promise.all(['office01', 'office02'].map((username) => findCaller(app.db, username)))
  await voidByTwo(app.db, office, `order:${voided.order_id}`)
  // Of the returned one, the remaining item wins.
  await agreeOnResult(app, period_code, makeResult('777'))
  await settleDuePeriods(app.db)
  const { rows } = await app.asOwner<{ order_id: number }>`
    select order_id from orders where win_satang > 0 and ${ofPeriod(period_code)} order by order_id`
  const won = rows.map(({ order_id }) => order_id)
  expect(won).toEqual(expect.arrayContaining([winner.order_id, returned.order_id]))
  expect((await checkChanges(auditor))!.broken).toEqual([])
  expect((await checkEverything(auditor)).broken).toEqual([])
})

/** An event committed before the change that it reports, as the application's log-in can write it. */
async function writeEarlyEvent(order_id: number, event: string, from_status: string, to_status: string): Promise<void> {
  await sql`
    insert into order_events (order_id, event, from_status, to_status, details)
    values (${order_id}, ${event}, ${from_status}, ${to_status}, '{}')`.execute(app.db)
  await passOverCommits(app.owner)
}

test('the end of a ticket is reported even if its event was committed before', async () => {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await place(period_code)
  await placeInThePast(period_code)
  await writeEarlyEvent(order_id, 'cancel', 'CONFIRMED', 'CANCELLED')
  await app.db.transaction().execute(async (tx) => {
    await sql`update orders set status = 'CANCELLED' where order_id = ${order_id}`.execute(tx)
    await closeInThePast(period_code)
  })
  expect((await checkChanges(auditor))!.broken).toContain('committed_in_time')
})

test('refunds of a waiting ticket are reported even if the event was committed before', async () => {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeWaiting(period_code)
  await placeInThePast(period_code)
  await writeEarlyEvent(order_id, 'confirm', 'WAIT_CONFIRM', 'CONFIRMED')
  await app.db.transaction().execute(async (tx) => {
    await sql`update orders set status = 'CONFIRMED', returned_lines = '{2}' where order_id = ${order_id}`.execute(tx)
    await sql`
      insert into entries (kind, order_id, actor_id, from_account_id, to_account_id, amount_satang)
      select 'bet_release', ${order_id}, user_id, held.account_id, cash.account_id, 100
      from accounts held join accounts cash using (user_id)
      where user_id = ${member.user_id} and held.kind = 'held' and cash.kind = 'cash'`.execute(tx)
    await closeInThePast(period_code)
  })
  const { committed_in_time: findings } = await findViolatedInvariants(app.owner)
  expect(findings?.map((finding) => finding.order_id)).toContain(order_id)
})
