// From the close on, only two people can remove anything from a period: the database refuses it to the application,
// whatever its code decided, and the integrity check reports what was written bypassing the database's checks.

import { closeEarly } from '../../test/changes.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changeByHand, openAuditor, removeSeededPeriods } from '../../test/auditor.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller } from '../../test/nodes.ts'
import {
  agreeOnResult,
  holdDraw,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { proposeVoid, voidByTwo } from '../../test/voids.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { settleDuePeriods } from '../results/index.ts'
import { followExposure, reconcileExposure } from '../exposure/index.ts'
import { type IntegrityChecker, checkChanges } from '../oversight/invariants/index.ts'
import { applyChange, type Change, changeOrder, type LockedTicket } from './life/apply-change.ts'
import { cancelOrder } from './life/cancel.ts'
import { confirmOrder } from './life/confirm.ts'
import { deleteOrder } from './life/delete.ts'

const app = await startTestApp()
await removeSeededPeriods(app.owner)
const auditor: IntegrityChecker = openAuditor(app)
const member = await app.logIn('member01')
await limitNumbers(app.db, '3top', 10_000, 5_000)

const place = (period_code: string) => placeTicket(member, makeTicket(period_code))
const placeWaiting = (period_code: string) =>
  placeWaitingTicket(member, makeTicket(period_code, { items: [makeLine('3top', '123', 120)] }))

/** A change's statements, bypassing every check in code. */
function write(db: Db, order_id: number, change: (locked: LockedTicket) => Omit<Change, 'actor_id'>): Promise<void> {
  return changeOrder(db, order_id, null, (locked) =>
    applyChange(locked, { actor_id: member.user_id, ...change(locked) }),
  )
}

const cancel = ({ items }: LockedTicket) => ({ event: 'cancel', released: items }) as const
const remove = ({ items }: LockedTicket) => ({ event: 'delete', released: items }) as const
const returnAll = ({ items }: LockedTicket) => ({ event: 'return_all', released: items }) as const
const returnFirst = ({ items }: LockedTicket) => ({ event: 'confirm', released: items.slice(0, 1) }) as const

/** A single statement with the application's log-in. */
const takeStatus = (db: Db | Tx, order_id: number, status: string) =>
  sql`update orders set status = ${status} where order_id = ${order_id}`.execute(db)

async function statusOf(order_id: number): Promise<string> {
  const { status } = await app.owner
    .selectFrom('orders')
    .select('status')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  return status
}

describe('the application cannot take a ticket out of a period', () => {
  // Defect: a lost ticket was cancelled with every sum in order, and no invariant was broken.
  test('after the draw, before it is settled', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    await followExposure(app.db)
    await closeEarly(app.db, period_code)
    await holdDraw(app.owner, period_code)
    await expect(write(app.db, order_id, cancel)).rejects.toMatchObject({ code: 'too_close_to_close' })
    await expect(write(app.db, order_id, remove)).rejects.toMatchObject({ code: 'use_void' })
    expect(await statusOf(order_id)).toBe('CONFIRMED')
  })

  test('after the settlement', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, makeResult('777'))
    await settleDuePeriods(app.db)
    await expect(write(app.db, order_id, cancel)).rejects.toMatchObject({ code: 'too_close_to_close' })
    expect(await statusOf(order_id)).toBe('CONFIRMED')
  })

  test('nor items out of a waiting one', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await placeWaiting(period_code)
    await closeEarly(app.db, period_code)
    for (const change of [cancel, returnAll, returnFirst])
      await expect(write(app.db, order_id, change)).rejects.toMatchObject({ code: 'confirm_over' })
    expect(await statusOf(order_id)).toBe('WAIT_CONFIRM')
  })

  test("with one person's proposal", async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    await closeEarly(app.db, period_code)
    await proposeVoid(app.db, await findCaller(app.db, 'office01'), `order:${order_id}`)
    await expect(write(app.db, order_id, remove)).rejects.toMatchObject({ code: 'use_void' })
  })

  test('by the status alone, without an event', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    await closeEarly(app.db, period_code)
    await expect(takeStatus(app.db, order_id, 'CANCELLED')).rejects.toMatchObject({ constraint: 'removals_in_time' })
  })

  // Defect: a status that the product never stores took a lost ticket out, with every sum in order.
  test.each(['INVALID', 'PROCESSING', 'VALIDATED', 'CREATED'])('by the status %s', async (status) => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    await closeEarly(app.db, period_code)
    await expect(takeStatus(app.db, order_id, status)).rejects.toMatchObject({ constraint: 'removals_in_time' })
    expect(await statusOf(order_id)).toBe('CONFIRMED')
  })

  // Defect: the snapshot still showed the period open.
  test('by a snapshot from before an early close', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    const taking = app.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await sql`select from periods`.execute(tx)
        await closeEarly(app.db, period_code)
        await holdDraw(app.owner, period_code)
        await takeStatus(tx, order_id, 'CANCELLED')
      })
    await expect(taking).rejects.toThrow('read committed')
    expect(await statusOf(order_id)).toBe('CONFIRMED')
  })
})

describe('an uncommitted removal', () => {
  /** Resolves when a session waits for an advisory lock. */
  async function hasWaiter(): Promise<void> {
    for (;;) {
      const { rows } = await app.asOwner`
        select 1 from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`
      if (rows.length > 0) return
    }
  }

  // Defect: the removal was written before the close, and committed once the result was known and the book sealed.
  test.each([
    ['the close', (period_code: string) => closeEarly(app.db, period_code)],
    ['the seal', (_code: string, period_id: number) => reconcileExposure(app.db, period_id)],
    [
      'the slot index',
      (_code: string, period_id: number) => sql`select build_slot_index(${period_id}, 1000)`.execute(app.db),
    ],
  ] as const)('is waited for by %s', async (_name, act) => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await place(period_code)
    const { period_id } = await app.owner
      .selectFrom('periods')
      .select('period_id')
      .where('period_code', '=', period_code)
      .executeTakeFirstOrThrow()
    let hasEnded = false
    let acting: Promise<unknown> | undefined
    const undone = new Error('undone')
    const removing = app.db.transaction().execute(async (tx) => {
      await takeStatus(tx, order_id, 'CANCELLED')
      acting = act(period_code, period_id)
        .catch((error: unknown) => error)
        .then(() => (hasEnded = true))
      await Promise.race([hasWaiter(), acting])
      expect(hasEnded).toBe(false)
      // The status alone would leave sums that differ.
      throw undone
    })
    await expect(removing).rejects.toBe(undone)
    await acting
  })
})

test('a removal in time, or a void by two people, is no violation', async () => {
  const period_code = await openPeriod(app.owner)
  const caller = await findCaller(app.db, 'member01')
  const [cancelled, deleted, returned, voided] = [
    await place(period_code),
    await place(period_code),
    await placeWaiting(period_code),
    await place(period_code),
  ]
  await cancelOrder(app.db, caller, cancelled.order_id, 'CONFIRMED')
  await deleteOrder(app.db, await findCaller(app.db, 'agent01'), deleted.order_id, 'for a test')
  await confirmOrder(app.db, caller, returned.order_id, [{ line_no: 1, bet_satang: 0 }])
  await closeEarly(app.db, period_code)
  const office = await Promise.all(['office01', 'office02'].map((username) => findCaller(app.db, username)))
  await voidByTwo(app.db, office, `order:${voided.order_id}`)
  // As if all that had been decided long ago, and the void two hours after the close.
  await changeByHand(
    app.owner,
    sql`update order_events set at = at + interval '2 hours' where order_id = ${voided.order_id}`,
  )
  for (const [{ order_id }, status] of [
    [cancelled, 'CANCELLED'],
    [deleted, 'DELETED'],
    [returned, 'CANCELLED'],
    [voided, 'DELETED'],
  ] as const)
    expect(await statusOf(order_id)).toBe(status)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test.each([
  ['a ticket that is cancelled', place, cancel],
  ['a ticket that is deleted', place, remove],
  ['a waiting ticket that is returned', placeWaiting, returnAll],
  ['a line of a waiting ticket', placeWaiting, returnFirst],
] as const)('a removal by the owner after the close is reported %s', async (_name, placeOne, change) => {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeOne(period_code)
  await closeEarly(app.db, period_code)
  await checkChanges(auditor)
  await write(app.owner, order_id, change)
  const moveEvents = (minutes: number) =>
    changeByHand(
      app.owner,
      sql`update order_events set at = at + ${minutes} * interval '1 minute' where order_id = ${order_id}`,
    )
  await moveEvents(2)
  expect((await checkChanges(auditor))!.broken).toEqual(['removed_in_time'])
  expect((await findViolatedInvariants(app.owner)).removed_in_time).toMatchObject([{ order_id }])
  await moveEvents(-2)
  expect((await checkChanges(auditor))!.whole).toEqual(['removed_in_time'])
})
