// Nothing is carried out for a session that ended while the call waited for a lock, by the office, by a member, or for
// the user itself. The runner of changes has a test of its own.

import { closeEarly } from './changes.ts'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { takeLock } from '../src/postgres/advisory-locks.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { openDatabase } from '../src/postgres/db.ts'
import { enrolApp } from './factor-callers.ts'
import { closeAtFileEnd } from './file-end.ts'
import { findCaller } from './nodes.ts'
import {
  changeWhileLocked,
  codeOf,
  dayOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  holdDraw,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  settleWith,
} from './scenes.ts'
import { appOn, startTestApp, type TestCaller } from './test-app.ts'
import { askVoid } from './voids.ts'

const app = await startTestApp()
await limitNumbers(app.db, '3top', 100_000_000, 0)
await limitNumbers(app.db, '3top', 0, 0, 'lao-vip')
await finishFirstLogIn(app.owner, 'agent01')

type Answer = Parameters<typeof codeOf>[0]
const reason = 'because'

/** A call, and the lock that it waits for. */
interface Call {
  lock: RawBuilder<unknown>
  send: () => Promise<Answer>
}

const lockPeriod = (period_code: string): RawBuilder<unknown> =>
  sql`select ${takeLock('period', sql`period_id::int`)} from periods where period_code = ${period_code}`
const lockUser = ({ user_id }: TestCaller): RawBuilder<unknown> =>
  sql`select 1 from users where user_id = ${user_id} for update`
const lockCash = ({ user_id }: TestCaller): RawBuilder<unknown> =>
  sql`select 1 from accounts where user_id = ${user_id} and kind = 'cash' for update`

const result = makeResult('123')
const other = makeResult('124')

async function openClosed(): Promise<string> {
  const period_code = await openPeriod(app.owner)
  await closeEarly(app.db, period_code)
  return period_code
}

async function openDrawn(): Promise<string> {
  const period_code = await openClosed()
  await holdDraw(app.owner, period_code)
  return period_code
}

const enter = (by: TestCaller, period_code: string) =>
  by.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result })

/** Prepares what a caller does. */
type Prepare = (caller: TestCaller) => Promise<Call>

/** Something that the office does with a period. */
const withPeriod =
  (make: () => Promise<string>, send: (by: TestCaller, period_code: string) => Promise<Answer>): Prepare =>
  async (by) => {
    const period_code = await make()
    return { lock: lockPeriod(period_code), send: () => send(by, period_code) }
  }

const ofOffice: Readonly<Record<string, Prepare>> = {
  'a result': withPeriod(openDrawn, enter),
  'the reset of a result': async (by) => {
    const period_code = await openDrawn()
    expect(codeOf(await enter(by, period_code))).toBe('ok')
    return { lock: lockPeriod(period_code), send: () => by.post('/api/award/reset', { period_code, reason }) }
  },
  'a correction of a result': async (by) => {
    const period_code = await openPeriod(app.owner)
    await settleWith(app, period_code, result)
    const entry = { period_code, result: other, reason }
    return { lock: lockPeriod(period_code), send: () => by.post('/api/award/correct', entry) }
  },
  'the void of a period': withPeriod(
    () => openPeriod(app.owner),
    (by, period_code) => askVoid(by, `period:${period_code}`),
  ),
}

const placeWaiting = async (by: TestCaller) => {
  const period_code = await openPeriod(app.owner, 'lao-vip')
  return placeWaitingTicket(
    by,
    makeTicket(period_code, { items: [makeLine('3top', '123', 10), makeLine('2top', '45', 10)] }),
  )
}

const ofMembers: Readonly<Record<string, Prepare>> = {
  'the cancel of a ticket': async (by) => {
    const order = await placeTicket(by, makeTicket(await openPeriod(app.owner)))
    return { lock: lockCash(by), send: () => by.post(`/api/order/${order.order_id}/cancel`, order) }
  },
  'the confirmation of a ticket': async (by) => {
    const order = await placeWaiting(by)
    return { lock: lockCash(by), send: () => by.post(`/api/order/${order.order_id}/confirm`, { items: [] }) }
  },
}

/** With an authenticator app, because enrolment needs no other factor for callers without one. */
const withFactor =
  (send: (by: TestCaller, factor_id: number) => Promise<Answer>): Prepare =>
  async (by) => {
    const { factor_id } = await enrolApp(app, by)
    return { lock: lockUser(by), send: () => send(by, factor_id) }
  }

const ofAccounts: Readonly<Record<string, Prepare>> = {
  'the deletion of a ticket': async (by) => {
    const member = await app.logIn('member02')
    const { order_id } = await placeTicket(member, makeTicket(await openPeriod(app.owner)))
    return { lock: lockCash(member), send: () => by.post(`/api/order/${order_id}/delete`, { reason }) }
  },
  'a new password': async (by) => ({
    lock: lockUser(by),
    send: () =>
      by.post('/mgluser/change_password', {
        ...{ old_password: DEMO_PASSWORD, new_password: FIRST_PASSWORD, confirm_password: FIRST_PASSWORD },
      }),
  }),
  'the name of a factor': withFactor((by, factor_id) => by.post(`/mgluser/factors/${factor_id}/name`, { name: 'pad' })),
  'the removal of a factor': withFactor((by, factor_id) => by.remove(`/mgluser/factors/${factor_id}`)),
  'new recovery codes': withFactor((by) => by.post('/mgluser/factors/recovery_codes', { password: DEMO_PASSWORD })),
}

const cases = [
  ...Object.entries(ofOffice).map(([name, prepare]) => ({
    name,
    prepare,
    username: 'office01',
  })),
  ...Object.entries(ofMembers).map(([name, prepare]) => ({ name, prepare, username: 'member02' })),
  ...Object.entries(ofAccounts).map(([name, prepare]) => ({ name, prepare, username: 'agent01' })),
]

async function countAudits(): Promise<number> {
  const { rows } = await app.asOwner<{ count: number }>`
    select count(*)::int as count from audit_log where action not in ('log_in', 'log_off')`
  return rows[0]!.count
}

test.each(cases)('$name is not carried out for a session that has ended', async ({ prepare, username }) => {
  await app.asOwner`delete from second_factors`
  const caller = await app.logIn(username)
  const { lock, send } = await prepare(caller)
  const before = await countAudits()
  const end = () =>
    app.asOwner`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
      where user_id = ${caller.user_id} and ended_at is null`
  expect(codeOf(await changeWhileLocked(app.owner, lock, send, end))).toBe('session_replaced')
  // Each of these changes writes an audit record in its transaction.
  expect(await countAudits()).toBe(before)
})

test('a change verifies its caller without a second connection, which could deadlock', async () => {
  await app.asOwner`delete from second_factors`
  const one = openDatabase({ url: app.url, role: 'megalot_app', maxConnections: 1 })
  closeAtFileEnd(() => one.close())
  const agent = await (await appOn({ ...app, db: one.db })).logIn('agent01')
  const { user_id } = await findCaller(app.db, 'member02')
  const path = `/mgluser/downline/${user_id}/credit_limit`
  expect(codeOf(await agent.post(path, { credit_limit_satang: 4_321_000 }))).toBe('ok')
})
