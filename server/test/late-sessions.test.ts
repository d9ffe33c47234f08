// Nothing is carried out for a session that ended while the call waited for a lock, by the office, by a member, or for
// the user itself. Changes by agents: `late-locks.test.ts`.

import { closeEarly } from './changes.ts'
import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { takeLock } from '../src/postgres/advisory-locks.ts'
import { bangkokDayOf } from '../src/lib/bangkok.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { approve, mustPropose, propose } from './approvals.ts'
import { enrolApp } from './factor-callers.ts'
import {
  announce,
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
import { limitRuleOf } from './sample-calls.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'
import { endVoid } from './voids.ts'

let app: TestApp
let announce_id: number
beforeAll(async () => {
  app = await startTestApp()
  announce_id = await announce(app.owner)
  await limitNumbers(app.db, '3top', 100_000_000, 0)
  await limitNumbers(app.db, '3top', 0, 0, 'lao-vip')
  await finishFirstLogIn(app.owner, 'agent01')
})

type Answer = Parameters<typeof codeOf>[0]
const reason = 'because'
const product_code = 'thai-government'

/** A call, and the lock that it waits for. */
interface Call {
  lock: RawBuilder<unknown>
  send: () => Promise<Answer>
}

const lockPeriod = (period_code: string): RawBuilder<unknown> =>
  sql`select ${takeLock('period', sql`period_id::int`)} from periods where period_code = ${period_code}`
const lockProduct = (): RawBuilder<unknown> =>
  sql`select 1 from products where product_code = ${product_code} for update`
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

/** Something that the office does with a market. */
const withMarket =
  (send: (by: TestCaller) => Promise<Answer>): Prepare =>
  async (by) => ({ lock: lockProduct(), send: () => send(by) })

async function placeToVoid(): Promise<{ order_id: number; period_code: string }> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(await app.logIn('member03'), makeTicket(period_code))
  await closeEarly(app.db, period_code)
  return { order_id, period_code }
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
    (by, period_code) => by.post(`/api/admin/period/${period_code}/void`, { reason }),
  ),
  'the end of a request to void a period': async (by) => {
    const period_code = await openPeriod(app.owner)
    const url = `/api/admin/period/${period_code}/void` as const
    expect(codeOf(await by.post(url, { reason }))).toBe('ok')
    return { lock: lockPeriod(period_code), send: () => endVoid(app.owner, by, url) }
  },
  'the void of a ticket': async (by) => {
    const { order_id, period_code } = await placeToVoid()
    return { lock: lockPeriod(period_code), send: () => by.post(`/api/order/${order_id}/void`, { reason }) }
  },
  'the end of a request to void a ticket': async (by) => {
    const { order_id, period_code } = await placeToVoid()
    const url = `/api/order/${order_id}/void` as const
    expect(codeOf(await by.post(url, { reason }))).toBe('ok')
    return { lock: lockPeriod(period_code), send: () => endVoid(app.owner, by, url) }
  },
  'a number set by hand': withPeriod(
    () => openPeriod(app.owner),
    (by, period_code) =>
      by.post(`/api/admin/game_config/limit_number/${period_code}`, {
        ...{ bet_type: '3top', number: '999', set_to: 'half' },
      }),
  ),
  'a quota of a market': withPeriod(
    () => openPeriod(app.owner),
    (by) =>
      by.post('/api/admin/game_config/quota', {
        ...{ product_code, bet_type: '3top', full_satang: 90_000_000, half_satang: 0 },
      }),
  ),
  'a quota of a period': withPeriod(
    () => openPeriod(app.owner),
    (by, period_code) =>
      by.post('/api/admin/game_config/quota/period', {
        ...{ period_code, bet_type: '3top', quota: { full_satang: 80_000_000, half_satang: 0 }, reason },
      }),
  ),
  'a quota of a package': withPeriod(
    () => openPeriod(app.owner),
    (by) =>
      by.post('/api/admin/game_config/quota/package', {
        ...{ product_code, package_code: '90', bet_type: '3top', reason },
        ...{ quota: { full_satang: 80_000_000, half_satang: 0 } },
      }),
  ),
  'a limit rule': withPeriod(
    () => openPeriod(app.owner),
    (by, period_code) =>
      by.post('/api/admin/game_config/limit_rules', { request_id: randomUUID(), ...limitRuleOf(period_code) }),
  ),
  'the undo of a limit rule': async (by) => {
    const period_code = await openPeriod(app.owner)
    const rule = { request_id: randomUUID(), ...limitRuleOf(period_code) }
    const { rule_id } = (await by.post('/api/admin/game_config/limit_rules', rule)).json.data
    const undo = { request_id: randomUUID(), reason }
    return {
      lock: lockPeriod(period_code),
      send: () => by.post(`/api/admin/game_config/limit_rules/${rule_id!}/undo`, undo),
    }
  },
  'the close of a period': withPeriod(
    () => openPeriod(app.owner),
    (by, period_code) => by.post(`/api/admin/period/${period_code}/close`, { reason }),
  ),
  'the switch of a market': withMarket((by) =>
    by.post(`/api/admin/product/${product_code}/enabled`, { is_enabled: false, reason }),
  ),
  'the switch of a market on, which waits for standing rules': async (by) => {
    const market = 'egypt'
    await sql`update products set is_enabled = false where product_code = ${market}`.execute(app.owner)
    return {
      lock: sql`select ${takeLock('standingRules')}`,
      send: () => by.post(`/api/admin/product/${market}/enabled`, { is_enabled: true, reason }),
    }
  },
  'a change of the cancel rules': withMarket((by) =>
    by.post(`/api/admin/product/${product_code}/cancel_rules`, { max_tickets: 9, reason }),
  ),
  'a change of the terms of a package': async (by) => ({
    lock: sql`select 1 from packages where product_code = ${product_code} and package_code = '70' for update`,
    send: () => by.post(`/api/admin/product/${product_code}/template/70/game_config`, { reason, max_items: 321 }),
  }),
  'a holiday': withMarket((by) => {
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const change = { product_codes: [product_code], day, is_on: true, name: 'holiday', reason }
    return by.post('/api/admin/product/holiday', change)
  }),
  'a change of maintenance': async (by) => {
    const change = { product_code: 'egypt', is_on: true, reason }
    expect(codeOf(await by.post('/api/admin/config/maintenance', change))).toBe('ok')
    return {
      lock: sql`select 1 from maintenances where scope = 'egypt' for update`,
      send: () => by.post('/api/admin/config/maintenance', { ...change, is_on: false }),
    }
  },
  'a change of an announcement': async (by) => ({
    lock: sql`select 1 from announcements where announce_id = ${announce_id} for update`,
    send: () => by.post('/api/admin/announcement/enabled', { announce_id, is_enabled: false }),
  }),
}

const lockApproval = (approval_id: number): RawBuilder<unknown> =>
  sql`select 1 from approvals where approval_id = ${approval_id} for update`
const proposeCredit = async () =>
  mustPropose(await app.logIn('office02'), 'change_credit_limit', {
    ...{ user_id: (await app.logIn('company')).user_id, credit_limit_satang: 123_456_700_000 },
  })

const ofApprovals: Readonly<Record<string, Prepare>> = {
  'a proposal': async (by) => {
    const period_code = await openPeriod(app.owner, 'yeekee', 600_000)
    const [close_at, draw_at] = [20, 21].map((minutes) => new Date(Date.now() + minutes * 60_000).toISOString())
    const payload = { period_code, close_at: close_at!, draw_at: draw_at! }
    return {
      lock: sql`select 1 from products where product_code = 'yeekee' for update`,
      send: () => propose(by, 'move_period', payload),
    }
  },
  'an approval that waits for its proposal': async (by) => {
    const approval = await proposeCredit()
    return { lock: lockApproval(approval.approval_id), send: () => approve(by, approval) }
  },
  'an approval that waits for what it changes': async (by) => {
    const times = [24, 25].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const approval = await mustPropose(await app.logIn('office02'), 'create_period', {
      ...{ product_code: 'yeekee', period_date: bangkokDayOf(new Date(times[1]!)), round: 99 },
      ...{ close_at: times[0]!, draw_at: times[1]! },
    })
    return {
      lock: sql`select 1 from products where product_code = 'yeekee' for update`,
      send: () => approve(by, approval),
    }
  },
  'the rejection of a proposal': async (by) => {
    const { approval_id } = await proposeCredit()
    return {
      lock: lockApproval(approval_id),
      send: () => by.post(`/api/admin/approval/${approval_id}/reject`, { reason }),
    }
  },
  'the rejection of a proposal, which waits for the row of its caller': async (by) => {
    const { approval_id } = await proposeCredit()
    return { lock: lockUser(by), send: () => by.post(`/api/admin/approval/${approval_id}/reject`, { reason }) }
  },
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
  'a limit of its own': async (by) => ({
    lock: lockCash(by),
    send: () => by.post('/mgluser/play_limits', { kind: 'stake', span: 'day', amount_satang: 100_000 }),
  }),
  'a break': async (by) => ({
    lock: lockCash(by),
    send: () => by.post('/mgluser/play_limits/break', { kind: 'time_out', days: 1 }),
  }),
}

/** With an authenticator app, because enrolment needs no other factor for callers without one. */
const withFactor =
  (send: (by: TestCaller, factor_id: number) => Promise<Answer>): Prepare =>
  async (by) => {
    const { factor_id } = await enrolApp(app, by)
    return { lock: lockUser(by), send: () => send(by, factor_id) }
  }

const ofAccounts: Readonly<Record<string, Prepare>> = {
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
  ...Object.entries({ ...ofOffice, ...ofApprovals }).map(([name, prepare]) => ({
    name,
    prepare,
    username: 'office01',
  })),
  ...Object.entries(ofMembers).map(([name, prepare]) => ({ name, prepare, username: 'member02' })),
  ...Object.entries(ofAccounts).map(([name, prepare]) => ({ name, prepare, username: 'agent01' })),
]

async function countAudits(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_log where action not in ('log_in', 'log_off')`.execute(app.owner)
  return rows[0]!.count
}

test.each(cases)('$name is not carried out for a session that has ended', async ({ prepare, username }) => {
  await sql`delete from second_factors`.execute(app.owner)
  const caller = await app.logIn(username)
  const { lock, send } = await prepare(caller)
  const before = await countAudits()
  const end = () =>
    sql`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
      where user_id = ${caller.user_id} and ended_at is null`.execute(app.owner)
  expect(codeOf(await changeWhileLocked(app.owner, lock, send, end))).toBe('session_replaced')
  // Each of these changes writes an audit record in its transaction.
  expect(await countAudits()).toBe(before)
})
