// Every change stands under the guards of the runner: each guard is tried with each change.

import { randomUUID } from 'node:crypto'
import { permissions } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newRound } from '../test/approvals.ts'
import { changeAs } from '../test/changes.ts'
import { announcementContent, limitRuleOf } from '../test/sample-calls.ts'
import {
  addPerson,
  announce,
  changeWhileLocked,
  FIRST_PASSWORD,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../test/scenes.ts'
import { hireAssistant } from '../test/staff.ts'
import { startTestApp, testConfig } from '../test/test-app.ts'
import { carryOut, type Change, type ChangeCaller, type Lock } from './changes/index.ts'
import { changes } from './changes.ts'
import { DEMO_AGENT_CODE } from './demo/demo.ts'
import { bangkokDayOf } from './lib/bangkok.ts'
import { Refusal } from './lib/refusal.ts'

type Name = keyof typeof changes
type InputOf<Of> = Of extends { input: { parse(value: unknown): infer Input } } ? Input : never
type Any = Change<unknown, unknown, unknown, unknown, unknown, unknown>

const ids = new Map<string, number>()
let count = 0
let lastDay = 10

const app = await startTestApp()
const { rows } = await app.asOwner<{ user_id: number; username: string }>`select user_id, username from users`
for (const { user_id, username } of rows) ids.set(username, user_id)
const office_id = ids.get('office02')!
const office: ChangeCaller = {
  actor_id: office_id,
  principal_id: office_id,
  is_office: true,
  permissions: new Set(permissions),
}

const product_code = 'thai-government'
const packages = [{ product_code: 'egypt', package_code: '70' }]
const newName = () => `new${randomUUID().replaceAll('-', '').slice(0, 20)}`
const newMember = () => addPerson(app.db, newName(), 'member', 'agent01')
const newAgent = () => addPerson(app.db, newName(), 'super_senior', 'company', 10_000_000)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
/** Another one each time, so that there is always something to change. */
const next = () => (count += 1)
const nextDay = () => inHours(24 * (lastDay += 1)).slice(0, 10)
const times = () => ({ close_at: inHours(24), draw_at: inHours(25) })
const newStaff = () => ({ username: newName(), display_name: 'Staff' })

async function newAssistant(): Promise<number> {
  const given = { ...newStaff(), password: FIRST_PASSWORD, areas: ['people'] as const }
  return (await hireAssistant(app.db, office, given)).user_id
}

/** Received from a new agent below the company. */
async function newPayment(): Promise<number> {
  const rows = [{ user_id: await newAgent(), amount_satang: 100, method: 'cash' as const }]
  const [outcome] = (await changeAs(app.db, office.actor_id, changes.recordPayments, { rows }))!
  return outcome!.after.payment_id as number
}

/** Of member01, who disputes it. */
async function newPaymentOfMember(): Promise<number> {
  const { rows } = await app.asOwner<{ payment_id: number }>`
    insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, holder_id, recorded_by)
    select child_id, parent_id, 'payment', 100, balance_satang + 100, 'cash', current_date, parent_id, parent_id
    from edges join users on user_id = child_id where username = 'member01' returning payment_id`
  return rows[0]!.payment_id
}

/** What office02 has on hand. */
async function readCash(): Promise<number> {
  const { json } = await (await app.logIn('office02')).get('/mgluser/money/cash')
  return json.data.find(({ holder }) => holder.user_id === office.actor_id)!.on_hand_satang
}

async function newClearing(): Promise<number> {
  const { rows } = await app.asOwner<{ clearing_id: number }>`
    insert into clearings (child_id, week, forward_satang, carried_satang)
    values (${await newAgent()}, date_trunc('week', current_date)::date, 0, 0) returning clearing_id`
  return rows[0]!.clearing_id
}

async function newRule(): Promise<number> {
  const input = limitRuleOf(await openPeriod(app.owner))
  return (await changeAs(app.db, office.actor_id, changes.setLimitRule, input))!.rule_id!
}

async function newTicket(): Promise<number> {
  const member = await app.logIn('member01')
  const { order_id } = await placeTicket(member, makeTicket(await openPeriod(app.owner)))
  return order_id
}

async function switchOn(market: string): Promise<void> {
  await app.asOwner`update products set is_enabled = true where product_code = ${market}`
}

/** What each change is asked for: something that office02, or for own limits member01, may do. */
const inputs: { [Each in Name]: () => InputOf<(typeof changes)[Each]> | Promise<InputOf<(typeof changes)[Each]>> } = {
  createPerson: () => ({ level: 'member', username: newName(), display_name: 'New', password: FIRST_PASSWORD }),
  changeUserStatus: async () => ({ user_id: await newMember(), own_status: 'DISABLED_BET' }),
  changeStatuses: async () => ({ user_ids: [await newMember(), await newMember()], own_status: 'DISABLED_BET' }),
  changeCreditLimit: async () => ({ user_id: await newAgent(), credit_limit_satang: 10_000 }),
  changeCreditLimits: async () => ({
    rows: [
      { user_id: await newAgent(), credit_limit_satang: 10_000 },
      { user_id: await newAgent(), credit_limit_satang: 20_000 },
    ],
  }),
  changeShareTerms: async () => ({ user_id: await newAgent(), position_rate: 100, commission_rate: 0 }),
  changeDisplayNames: async () => ({ rows: [{ user_id: await newMember(), display_name: 'Another' }] }),
  changeContactNote: async () => ({ user_id: await newMember(), note: 'pays on Fridays', tags: ['late'] }),
  shareView: () => ({ page: 'people', name: newName(), search: '' }),
  changeContact: () => ({ name: 'House', line_id: '@house' }),
  resetPasswords: async () => ({ rows: [{ user_id: await newMember(), password: FIRST_PASSWORD }] }),
  endDownlineSessions: async () => ({ user_id: await newMember() }),
  async endPeopleSessions() {
    const user_id = await newMember()
    await openSession(user_id)
    return { user_ids: [user_id] }
  },
  createAgentCode: () => ({ opening_credit_satang: 0 }),
  async switchAgentCode() {
    await app.asOwner`update agent_codes set is_active = true where code = ${DEMO_AGENT_CODE}`
    return { code: DEMO_AGENT_CODE, is_active: false }
  },
  async givePackages() {
    const user_id = await newMember()
    await app.asOwner`delete from user_packages where user_id = ${user_id}`
    return { user_id, packages }
  },
  takePackages: async () => ({ user_id: await newMember(), packages }),
  changePackages: async () => ({ user_ids: [await newMember()], change: 'take', packages }),
  setPlayLimit: () => ({ kind: 'stake', span: 'month', amount_satang: 1_000_000_000 }),
  takeBreak: () => ({ kind: 'time_out', days: 1 }),
  exportOwnData: () => ({}),
  exportPersonData: async () => ({ user_id: await newMember() }),
  async erasePerson() {
    const user_id = await newMember()
    await sql`update users set own_status = 'SUSPENDED' where user_id = ${user_id}`.execute(app.owner)
    return { user_id }
  },
  createAssistant: () => ({ ...newStaff(), password: FIRST_PASSWORD, areas: ['people'] }),
  createOfficeUser: () => newStaff(),
  // Another link for one who has not used the first.
  async inviteOwner() {
    const setInvited = (is_invited: boolean) =>
      sql`update users set must_change_password = ${is_invited} where username = 'office01'`.execute(app.owner)
    await setInvited(true)
    onTestFinished(async () => void (await setInvited(false)))
    return { username: 'office01', display_name: 'Owner' }
  },
  // That of somebody else only loses areas.
  changeAssistantAreas: async () => ({ user_id: await newAssistant(), areas: [] }),
  changeOfficeRole: () => ({ user_id: ids.get('office01')!, office_role: 'support' }),
  changeStaffStatus: async () => ({ user_id: await newAssistant(), own_status: 'SUSPENDED' }),
  resetAssistantPassword: async () => ({ user_id: await newAssistant(), password: 'another-lantern-78' }),
  endStaffSessions: async () => ({ user_id: await newAssistant() }),
  resetPassword: () => ({ user_id: ids.get('office01')! }),
  resetFactors: () => ({ user_id: ids.get('office01')! }),
  async switchProduct() {
    await switchOn('egypt')
    return { product_code: 'egypt', is_enabled: false }
  },
  changeGameConfig: () => ({ product_code, package_code: '70', max_items: 100 + next() }),
  changeCancelRules: () => ({ product_code, rules: { max_tickets: next() } }),
  createPeriod: () => newRound(),
  closePeriod: async () => ({ period_code: await openPeriod(app.owner) }),
  movePeriod: async () => ({ period_code: await openPeriod(app.owner, 'yeekee'), ...times() }),
  postponePeriod: async () => ({ period_code: await openPeriod(app.owner), ...times() }),
  voidPeriod: async () => ({ period_code: await openPeriod(app.owner) }),
  changeTimetable: () => ({
    product_code: 'egypt',
    timetable: { days: 'every_day', open: { time: '05:00' }, close: { time: '18:35' }, draw: { time: '19:00' } },
    first_day: nextDay(),
  }),
  setDrawDay: () => ({ product_code, day: nextDay(), is_confirmed: true }),
  setHoliday: () => ({ product_codes: ['dow'], day: nextDay(), is_on: true, name: 'holiday' }),
  setMaintenance: () => ({ product_code: 'lao-vip', is_on: true }),
  createAnnouncement: () => announcementContent,
  enableAnnouncement: async () => ({ announce_id: await announce(app.owner), is_enabled: false }),
  updateAnnouncement: async () => ({ announce_id: await announce(app.owner), ...announcementContent }),
  deleteAnnouncement: async () => ({ announce_id: await announce(app.owner) }),
  async openMarkets() {
    const { rows } = await sql<{ bet_type: '3top' }>`
      select unnest(bet_types) as bet_type from products where product_code = 'russia'`.execute(app.owner)
    await sql`update products set is_enabled = false where product_code = 'russia'`.execute(app.owner)
    const quotas = rows.map(({ bet_type }) => ({ bet_type, full_satang: 100_000, half_satang: 0 }))
    return { markets: [{ product_code: 'russia', quotas }] }
  },
  setQuota: () => ({ product_code, bet_type: '3top', full_satang: 90_000_000, half_satang: 0 }),
  setPeriodQuota: async () => ({
    period_code: await openPeriod(app.owner),
    bet_type: '3top',
    quota: { full_satang: 80_000_000, half_satang: 0 },
  }),
  setPackageQuota: () => ({
    ...{ product_code, package_code: '90', bet_type: '3top' },
    quota: { full_satang: 80_000_000 - next(), half_satang: 0 },
  }),
  setLimitNumber: async () => ({
    ...{ period_code: await openPeriod(app.owner), bet_type: '3top', number: '999', set_to: 'half' },
  }),
  async setLimitRule() {
    const { reason: _, ...rule } = limitRuleOf(await openPeriod(app.owner))
    return rule
  },
  undoLimitRule: async () => ({ rule_id: await newRule() }),
  recordPayments: async () => ({ rows: [{ user_id: await newAgent(), amount_satang: 100, method: 'cash' }] }),
  recordPayment: async () => ({
    ...{ user_id: await newAgent(), amount_satang: 100, method: 'cash', day: bangkokDayOf(new Date()) },
  }),
  adjustBalance: async () => ({ user_id: await newAgent(), amount_satang: 100 }),
  reversePayment: async () => ({ payment_id: await newPayment() }),
  addPaymentSlip: async () => ({ payment_id: await newPayment(), content_type: 'image/png', image: 'iVBORw0KGgo=' }),
  disputePayment: async () => ({ payment_id: await newPaymentOfMember(), note: 'not mine' }),
  async answerDispute() {
    const payment_id = await newPayment()
    await app.asOwner`insert into payment_disputes (payment_id, note) values (${payment_id}, 'not mine')`
    return { payment_id, answer: 'checked' }
  },
  setEdgeTerms: async () => ({ user_id: await newAgent(), settle_figure_satang: 1_000_000, clearing: 'weekly' }),
  countCash: async () => ({ holder_id: office.actor_id, counted_satang: next(), expected_satang: await readCash() }),
  async handOverCash() {
    const from_id = ids.get('office01')!
    await app.asOwner`
      insert into cash_counts (holder_id, day, expected_satang, counted_satang, counted_by)
      values (${from_id}, current_date, 0, 100, ${from_id})`
    return { from_id, to_id: office.actor_id, amount_satang: 100 }
  },
  changeClearing: async () => ({ clearing_id: await newClearing(), to: 'sent' }),
  repairTicket: async () => ({ order_id: await newTicket() }),
  voidOrder: async () => ({ order_id: await newTicket() }),
}

/** Changes that one person only proposes, or has nothing to do. */
const ofTwo = new Set<Name>([
  ...(['createPeriod', 'movePeriod', 'postponePeriod', 'changeTimetable'] as const),
  ...(['changeOfficeRole', 'resetPassword', 'resetFactors', 'repairTicket', 'voidOrder', 'voidPeriod'] as const),
  'erasePerson',
  'recordPayment',
])

const names = Object.keys(changes) as Name[]
const ofOne = names.filter((name) => !ofTwo.has(name))
const withPermission = names.filter((name) => changes[name].needs !== null)
const changeOf = (name: Name) => changes[name] as unknown as Any

async function openSession(user_id: number): Promise<number> {
  await app.asOwner`${endSessions} and user_id = ${user_id}`
  const { rows } = await app.asOwner<{ session_id: number }>`
    insert into sessions (token_hash, user_id) values (sha256(gen_random_uuid()::text::bytea), ${user_id})
    returning session_id`
  return rows[0]!.session_id
}

const endSessions = sql`update sessions set ended_at = clock_timestamp(), end_reason = 'replaced' where ended_at is null`

/** Somebody with a session who may carry the change out; the route lets everybody through, so that only the runner refuses. */
async function callerOf(name: Name): Promise<ChangeCaller> {
  const member_id = ids.get('member01')!
  const member = { ...office, actor_id: member_id, principal_id: member_id, is_office: false }
  const caller = changes[name].needs === null ? member : office
  return {
    ...caller,
    admission: {
      address: '127.0.0.1',
      identity: { session_id: await openSession(caller.actor_id), settings: testConfig() },
      route: { access: 'signed_in' },
      needs_step_up: false,
    },
  }
}

async function prepareCall(name: Name) {
  const input = await inputs[name]()
  return { caller: await callerOf(name), input, reason: 'a test' }
}

async function listAudits(): Promise<string[]> {
  const { rows } = await app.asOwner<{ row: string }>`
    select concat_ws(' ', action, subject, after ->> 'bet_type') as row from audit_log where action not in ('log_in', 'log_off') order by audit_id`
  return rows.map(({ row }) => row)
}

/** A lock that comes before all others of the change. */
const gate = sql`select pg_advisory_xact_lock(4242)`
const behindGate = (change: Any): Any => {
  const lock: Lock = { rank: 'dailyCounters', key: '', take: (tx) => gate.execute(tx) }
  return { ...change, locks: (...given) => [lock, ...change.locks(...given)] }
}

beforeEach(() => app.asOwner`delete from maintenances`)

test('no two changes have one name', () => {
  const used = names.map((name) => changes[name].name)
  expect(new Set(used).size).toBe(used.length)
})

/** Makes a change wait, while something happens to its caller. @returns the code of its refusal, and what it has left in the audit log */
async function tryWhileWaiting(name: Name, meanwhile: typeof gate): Promise<{ code: string; left: string[] }> {
  const call = await prepareCall(name)
  const before = await listAudits()
  const change = behindGate(changeOf(name))
  const code = await changeWhileLocked(
    app.owner,
    gate,
    () => carryOut(app.db, change, call).then(() => 'ok', codeOfRefusal),
    () => meanwhile.execute(app.owner),
  )
  return { code, left: (await listAudits()).slice(before.length) }
}

function codeOfRefusal(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  return error.code
}

test.each(names)('%s is refused to a caller whose session ends while it waits', async (name) => {
  expect(await tryWhileWaiting(name, endSessions)).toEqual({ code: 'session_replaced', left: [] })
})

describe('a permission', () => {
  test.each(withPermission)('%s is refused to a caller who loses it while it waits', async (name) => {
    const take = sql`update users set office_role = 'none' where username = 'office02'`
    onTestFinished(async () => {
      await app.asOwner`update users set office_role = 'owner' where username = 'office02'`
    })
    expect(await tryWhileWaiting(name, take)).toEqual({ code: 'not_allowed', left: [] })
  })

  test.each(withPermission)('%s is refused to a caller without it', async (name) => {
    const { admission: _, ...caller } = await callerOf(name)
    const input = await inputs[name]()
    const before = await listAudits()
    const call = { caller: { ...caller, permissions: new Set<never>() }, input }
    await expect(carryOut(app.db, changeOf(name), call)).rejects.toMatchObject({
      code: 'not_allowed',
    })
    expect(await listAudits()).toEqual(before)
  })
})

test.each(ofOne)('%s that a deadlock has ended is carried out once', async (name) => {
  const call = await prepareCall(name)
  const change = changeOf(name)
  const before = await listAudits()
  let tries = 0
  const ended: Any = {
    ...change,
    async write(...given) {
      const written = await change.write(...given)
      tries += 1
      if (tries === 1)
        await sql`do $$ begin raise exception 'ended' using errcode = 'deadlock_detected'; end $$`.execute(given[0].tx)
      return written
    },
  }
  await carryOut(app.db, ended, call)
  const rows = (await listAudits()).slice(before.length)
  expect(tries).toBe(2)
  expect(rows.length).toBeGreaterThan(0)
  expect(new Set(rows).size).toBe(rows.length)
})

test.each(ofOne)('%s that is sent twice with one id happens once, and other content is refused', async (name) => {
  const call = { ...(await prepareCall(name)), request_id: randomUUID() }
  const change = changeOf(name)
  const first = await carryOut(app.db, change, call)
  const after = await listAudits()
  // A secret is told once.
  const stored = name === 'inviteOwner' ? { ...(first as object), token: null } : first
  expect(await carryOut(app.db, change, call)).toEqual(
    stored === undefined ? undefined : JSON.parse(JSON.stringify(stored)),
  )
  const other = { ...call, reason: 'another' }
  await expect(carryOut(app.db, change, other)).rejects.toMatchObject({ code: 'request_id_reused' })
  expect(await listAudits()).toEqual(after)
})
