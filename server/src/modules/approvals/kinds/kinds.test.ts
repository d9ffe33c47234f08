// Goal: what needs two people is done by two, and once. For each kind: one person alone cannot, nor the same person through
// an assistant; what has changed meanwhile is refused; an approval executes once, whoever approves at once and on whichever
// node; and nothing is approved after its time.

import { randomUUID } from 'node:crypto'
import { type ApprovalKind, officeRoles, type RefusalCode } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  approve,
  mustPropose,
  newRound,
  PROPOSAL_REASON,
  propose,
  restoreTwoPeople,
  startTwoPeople,
} from '../../../../test/approvals.ts'
import { findCaller, openNode } from '../../../../test/nodes.ts'
import {
  addPerson,
  agreeOnResult,
  codeOf,
  dayOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../../test/test-app.ts'
import { closePeriod } from '../../markets/index.ts'
import { changeOfficeRole, createAssistant } from '../../staff/index.ts'
import { approveProposal } from '../approvals.service.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
/** An assistant of the first, with every area of it. */
let helper: TestCaller
let support: number
const reason = PROPOSAL_REASON

beforeAll(async () => {
  ;({ app, first, second, helper, support } = await startTwoPeople())
})
beforeEach(() => restoreTwoPeople({ app, support }))

const proposed = (kind: ApprovalKind, payload: object, by = first) => mustPropose(by, kind, payload)

async function one<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
  return (await query.execute(app.owner)).rows[0]!
}

async function auditCount(action: string): Promise<number> {
  return (await one(sql<{ n: number }>`select count(*)::int as n from audit_log where action = ${action}`)).n
}

const newName = () => `n${randomUUID().replaceAll('-', '')}`

const companyCredit = async (): Promise<number> => {
  const { rows } = await sql<{
    limit: number
  }>`select (-floor_satang)::bigint as limit from accounts join users using (user_id)
    where kind = 'cash' and level = 'company' and not is_office and principal_id is null`.execute(app.owner)
  return rows[0]!.limit
}

interface Case {
  kind: ApprovalKind
  /** Sets the scene. @returns the payload, and what is asserted and done around it */
  setUp: () => Promise<{
    payload: object
    /** The call by which one person alone would do it; absent: there is none. */
    alone?: () => Promise<{ json: { error?: { code: string; details: object } } }>
    /** What the proposal changes, as it is now. */
    read: () => Promise<unknown>
    /** What `read` returns after the execution. */
    expected: unknown
    /** Changes what it concerns. */
    disturb: () => Promise<unknown>
    /** The refusal of the approval after that. */
    refusal: RefusalCode
  }>
  /** The action that the audit log has of the change itself. */
  action: string
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const cases: Case[] = [
  {
    kind: 'create_period',
    action: 'create_period',
    async setUp() {
      const payload = newRound()
      const round = payload.round!
      const read = async () =>
        (
          await one(sql<{ n: number }>`select count(*)::int as n from periods
          where product_code = 'yeekee' and round = ${round} and period_date = ${payload.period_date}::date`)
        ).n
      const period_code = `yeekee-${payload.period_date.replaceAll('-', '')}-${round}`
      const disturb = () =>
        sql`insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at) values (
          ${period_code}, 'yeekee', ${payload.period_date}, ${round}, ${payload.open_at}, ${payload.close_at},
          ${payload.draw_at})`.execute(app.owner)
      return { payload, read, expected: 1, disturb, refusal: 'period_exists' }
    },
  },
  {
    kind: 'move_period',
    action: 'move_period',
    async setUp() {
      const period_code = await openPeriod(app.db, 'yeekee')
      const [close_at, draw_at] = [inHours(2), inHours(3)]
      // A draw after the next midnight still belongs to the day before.
      const payload = { period_code, close_at, draw_at }
      const read = async () => {
        const row = await one(sql<{ close_at: Date; draw_at: Date }>`
          select close_at, draw_at from periods where period_code = ${period_code}`)
        return [row.close_at.toISOString(), row.draw_at.toISOString()]
      }
      const disturb = () =>
        sql`update periods set draw_at = draw_at + interval '1 second' where period_code = ${period_code}`.execute(
          app.owner,
        )
      return { payload, read, expected: [close_at, draw_at], disturb, refusal: 'approval_outdated' }
    },
  },
  {
    kind: 'change_timetable',
    action: 'change_timetable',
    async setUp() {
      const at = (time: string) => ({ time })
      const timetable = { days: 'every_day', open: at('05:00'), close: at('16:10'), draw: at('16:30') }
      const payload = { product_code: 'russia', timetable, first_day: inHours(72).slice(0, 10) }
      const next = sql<{ next: unknown }>`select next_timetable as next from products where product_code = 'russia'`
      return {
        payload,
        read: async () => (await one(next)).next,
        expected: timetable,
        disturb: () =>
          sql`update products set timetable = timetable || '{"draw": {"time": "23:59"}}' where product_code = 'russia'`.execute(
            app.owner,
          ),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'change_terms',
    action: 'change_game_config',
    async setUp() {
      // 77 % and 33 %.
      const bet_types = [{ bet_type: '3top', rate: 77_000 }]
      const payload = { product_code: 'lao-vip', package_code: '70', bet_types }
      const url = '/api/admin/product/lao-vip/template/70/game_config' as const
      const terms = sql<{ rate: number }>`select rate from package_terms join packages using (package_id)
        where (product_code, package_code, bet_type) = ('lao-vip', '70', '3top')`
      return {
        payload,
        alone: () => first.post(url, { reason, bet_types }),
        read: async () => (await one(terms)).rate,
        expected: 77_000,
        disturb: () => first.post(url, { reason, bet_types: [{ bet_type: '3top', rate: 50_000 }] }),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'change_share',
    action: 'change_share_terms',
    async setUp() {
      const username = newName()
      await addPerson(app.owner, username, 'super_senior', 'company', 0)
      const { user_id } = await findCaller(app.db, username)
      // The package of 98 % and 2.01 %.
      const terms = { position_rate: 0, commission_rate: 201 }
      const url = `/mgluser/downline/${user_id}/share` as const
      return {
        payload: { user_id, ...terms },
        alone: () => first.post(url, { ...terms, reason }),
        read: async () => (await first.get(url)).json.data.commission_rate,
        expected: 201,
        disturb: () => first.post(url, { position_rate: 0, commission_rate: 200, reason }),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'change_company_credit',
    action: 'change_credit_limit',
    async setUp() {
      const before = await companyCredit()
      const company = (await findCaller(app.db, 'company')).user_id
      const payload = { credit_limit_satang: before + 100 }
      return {
        payload,
        alone: () => first.post(`/mgluser/downline/${company}/credit_limit`, { ...payload, reason }),
        read: companyCredit,
        expected: before + 100,
        disturb: () =>
          sql`update accounts set floor_satang = floor_satang - 200 where kind = 'cash' and user_id = ${company}`.execute(
            app.owner,
          ),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'raise_quota',
    action: 'set_quota',
    async setUp() {
      const payload = { product_code: 'malay', bet_type: '2top', full_satang: 200_000, half_satang: 50_000 }
      const setting = sql<{ full_satang: number }>`
        select full_satang from quota_settings where (product_code, bet_type) = ('malay', '2top')`
      return {
        payload,
        alone: () => first.post('/api/admin/game_config/quota', { ...payload, reason }),
        read: async () => (await one(setting)).full_satang,
        expected: 200_000,
        // Lowering is done by one person.
        disturb: () => first.post('/api/admin/game_config/quota', { ...payload, full_satang: 50_000, reason }),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'grant_role',
    action: 'change_office_role',
    async setUp() {
      const payload = { user_id: support, office_role: 'finance' }
      return {
        payload,
        alone: () => first.post(`/mgluser/staff/${support}/role`, { office_role: 'finance', reason }),
        read: async () =>
          (await one(sql<{ office_role: string }>`select office_role from users where user_id = ${support}`))
            .office_role,
        expected: 'finance',
        // Taking a role away is done by one person.
        disturb: () => first.post(`/mgluser/staff/${support}/role`, { office_role: 'none', reason }),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'reset_password',
    action: 'set_one_time_password',
    async setUp() {
      const hash = sql<{ password_hash: string; is_new: boolean }>`
        select password_hash, must_change_password as is_new from users where user_id = ${support}`
      await finishFirstLogIn(app.owner, 'support01')
      const before = (await one(hash)).password_hash
      // There is no call by which one person alone does it.
      return {
        payload: { user_id: support },
        read: async () => {
          const { password_hash, is_new } = await one(hash)
          return { is_same: password_hash === before, is_new }
        },
        expected: { is_same: false, is_new: true },
        disturb: () => first.post(`/mgluser/staff/${support}/role`, { office_role: 'none', reason }),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'reset_factors',
    action: 'reset_factors',
    async setUp() {
      const user_id = await addEnrolledAgent()
      const read = async () =>
        (await one(sql<{ n: number }>`select count(*)::int as n from second_factors where user_id = ${user_id}`)).n
      // There is no call by which one person alone does it.
      return {
        payload: { user_id },
        read,
        expected: 0,
        disturb: () => addFactor(user_id),
        refusal: 'approval_outdated',
      }
    },
  },
]

const addFactor = (user_id: number) =>
  sql`insert into second_factors (user_id, kind, name, secret, last_step)
    values (${user_id}, 'totp', 'phone', '\\x00', 0)`.execute(app.owner)

/** An agent with an authenticator app and a recovery code. */
async function addEnrolledAgent(): Promise<number> {
  const username = newName()
  await addPerson(app.owner, username, 'agent', 'company', 100)
  const { user_id } = await findCaller(app.db, username)
  await addFactor(user_id)
  await sql`insert into recovery_codes (user_id, code_hash) values (${user_id}, '\\x00')`.execute(app.owner)
  return user_id
}

describe.each(cases)('$kind', ({ kind, setUp, action }) => {
  test('is not done by one person alone, nor by the same person through an assistant', async () => {
    const { payload, alone, read } = await setUp()
    const before = await read()
    // Of periods and factors there is no call for one person.
    const reply = alone ? await alone() : { json: { error: { code: 'approval_needed', details: { kind } } } }
    expect(reply.json.error).toMatchObject({ code: 'approval_needed', details: { kind } })
    const own = await proposed(kind, payload)
    const ofHelper = await proposed(kind, payload, helper)
    for (const [by, approval] of [
      [first, own],
      [helper, own],
      [first, ofHelper],
      [helper, ofHelper],
    ] as const) {
      expect(codeOf(await approve(by, approval))).toBe('approval_same_person')
      expect(codeOf(await by.post(`/api/admin/approval/${approval.approval_id}/reject`, { reason }))).toBe(
        'approval_same_person',
      )
    }
    expect(await read()).toEqual(before)
  })

  test('is executed by the approval of another person, and audited at each step', async () => {
    const { payload, read, expected } = await setUp()
    const counted = async () =>
      Promise.all(['propose_approval', 'approve_approval', action].map((name) => auditCount(name)))
    const before = await counted()
    const approval = await proposed(kind, payload)
    expect(approval).toMatchObject({ kind, state: 'waiting', may_decide: false, may_withdraw: true, decided_by: null })
    expect(Date.parse(approval.expires_at) - Date.parse(approval.proposed_at)).toBeCloseTo(24 * 3_600_000, -3)
    const { json } = await approve(second, approval)
    expect(json.data).toMatchObject({ state: 'executed', decided_by: { username: 'office02' }, may_decide: false })
    expect(await read()).toEqual(expected)
    expect(await counted()).toEqual(before.map((count) => count + 1))
  })

  test('is executed once, by two approvers at once on two nodes', async () => {
    const { payload, read, expected } = await setUp()
    const nodes = [openNode(app.url), openNode(app.url)]
    const before = await auditCount(action)
    const { approval_id } = await proposed(kind, payload)
    const approvers = [await findCaller(app.db, 'office02'), await findCaller(app.db, 'office03')]
    const results = await Promise.allSettled(
      [0, 1, 0, 1].map((node) => approveProposal(nodes[node]!.db, approvers[node]!, approval_id)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    )
    expect(refused).toEqual(Array(3).fill('approval_decided'))
    expect(await read()).toEqual(expected)
    expect(await auditCount(action)).toBe(before + 1)
  })

  test('is executed once, by calls that are repeated with their request_id, before the approval and after', async () => {
    const { payload, read, expected } = await setUp()
    const before = await auditCount(action)
    const request_id = randomUUID()
    const made = await propose(first, kind, payload, request_id)
    const { approval_id } = made.json.data
    expect((await propose(first, kind, payload, request_id)).json.data).toEqual({
      ...made.json.data,
      password_half: null,
    })
    expect(codeOf(await approve(second, { approval_id }))).toBe('ok')
    expect((await propose(first, kind, payload, request_id)).json.data).toMatchObject({
      approval_id,
      state: 'executed',
    })
    expect(codeOf(await approve(second, { approval_id }))).toBe('approval_decided')
    expect(await read()).toEqual(expected)
    expect(await auditCount(action)).toBe(before + 1)
  })

  test('is refused when what it concerns has changed meanwhile, and goes on waiting', async () => {
    const { payload, read, disturb, refusal } = await setUp()
    const approval = await proposed(kind, payload)
    await disturb()
    const changed = await read()
    expect(codeOf(await approve(second, approval))).toBe(refusal)
    expect(await read()).toEqual(changed)
    const found = (await second.get(`/api/admin/approval/${approval.approval_id}`)).json.data
    expect(found).toMatchObject({ state: 'waiting', decided_by: null })
  })

  test('is refused after its time, by the database too', async () => {
    const { payload, read } = await setUp()
    const before = await read()
    const { approval_id } = await proposed(kind, payload)
    await app.owner.transaction().execute(async (tx) => {
      await sql`alter table approvals disable trigger guard_approval`.execute(tx)
      await sql`update approvals set proposed_at = proposed_at - interval '25 hours', expires_at = clock_timestamp()
        where approval_id = ${approval_id}`.execute(tx)
      await sql`alter table approvals enable trigger guard_approval`.execute(tx)
    })
    expect(codeOf(await approve(second, { approval_id }))).toBe('approval_expired')
    expect((await second.get(`/api/admin/approval/${approval_id}`)).json.data.state).toBe('expired')
    const forged = sql`update approvals set state = 'executed', decided_by = ${second.user_id}
      where approval_id = ${approval_id}`.execute(app.db)
    await expect(forged).rejects.toMatchObject({ constraint: 'approvals_in_time' })
    expect(await read()).toEqual(before)
  })

  test('is refused when its proposer may no longer propose it', async () => {
    const { payload, read } = await setUp()
    const before = await read()
    const approval = await proposed(kind, payload)
    await sql`update users set own_status = 'SUSPENDED' where user_id = ${first.user_id}`.execute(app.owner)
    expect(codeOf(await approve(second, approval))).toBe('approval_outdated')
    await sql`update users set own_status = 'NORMAL' where user_id = ${first.user_id}`.execute(app.owner)
    first = await app.logIn('office01')
    helper = await app.logIn('helper01')
    expect(await read()).toEqual(before)
  })
})

describe('terms', () => {
  const change = (by: TestCaller, terms: object) =>
    by.post('/api/admin/product/lao-vip/template/70/game_config', {
      reason,
      bet_types: [{ bet_type: '3top', ...terms }],
    })

  test('up to 100 % are set by one person, up to 120 % by two, above by nobody', async () => {
    // The discount is 33 %.
    expect(codeOf(await change(first, { rate: 67_000 }))).toBe('ok')
    expect((await change(first, { rate: 67_001 })).json.error).toMatchObject({
      code: 'approval_needed',
      details: { kind: 'change_terms', returns: [{ bet_type: '3top', return_rate: 10_001 }] },
    })
    expect(codeOf(await change(first, { rate: 87_001 }))).toBe('return_too_high')
    // What is off returns nothing.
    expect(codeOf(await change(first, { rate: 77_000, is_on: false }))).toBe('ok')
    expect(codeOf(await change(first, { is_on: true }))).toBe('approval_needed')
    expect(codeOf(await change(first, { rate: 55_000, is_on: true }))).toBe('ok')
  })

  test('are shown with their returns', async () => {
    const url = '/api/admin/product/thai-government/template/70/theoretical_return' as const
    const { data } = (await first.get(url)).json
    expect(data.find(({ bet_type }) => bet_type === '3top')).toEqual({
      bet_type: '3top',
      rate: 55_000,
      discount_rate: 3_300,
      is_on: true,
      wins: 1,
      draws: 1_000,
      return_rate: 8_800,
      half_return_rate: 6_050,
      bound: 'alone',
    })
    expect(data).toHaveLength(9)
    expect(codeOf(await first.get('/api/admin/product/thai-government/template/99/theoretical_return'))).toBe(
      'unknown_package',
    )
  })
})

describe('a role', () => {
  const setRole = (by: TestCaller, user_id: number, office_role: string) =>
    by.post(`/mgluser/staff/${user_id}/role`, { office_role, reason })

  test('is granted by two, and a new office user may see and do nothing before', async () => {
    const newUser = { username: newName(), display_name: 'new' }
    expect(codeOf(await first.post('/mgluser/staff/office', { ...newUser, password: FIRST_PASSWORD }))).toBe(
      'bad_input',
    )
    for (const office_role of officeRoles)
      expect(codeOf(await first.post('/mgluser/staff/office', { ...newUser, office_role }))).toBe('bad_input')
    const { json } = await first.post('/mgluser/staff/office', newUser)
    expect(json.data).toMatchObject({ office_role: 'none', permissions: [] })
    const { user_id } = json.data
    for (const office_role of officeRoles.filter((role) => role !== 'none'))
      for (const by of [first, helper]) expect(codeOf(await setRole(by, user_id, office_role))).toBe('approval_needed')
    await finishFirstLogIn(app.owner, newUser.username)
    const user = await app.logIn(newUser.username)
    expect((await user.get('/mgluser/user_data/basic')).json.data.permissions).toEqual([])
    for (const url of ['/mgluser/downline', '/mgluser/staff', '/api/admin/approval/waiting'] as const)
      expect(codeOf(await user.get(url))).toBe('not_allowed')
    const approval = await proposed('grant_role', { user_id, office_role: 'support' })
    expect(approval.figures).toMatchObject({ gained: ['people.view', 'tickets.view'] })
    expect(codeOf(await approve(user, approval))).toBe('not_allowed')
    expect(codeOf(await approve(second, approval))).toBe('ok')
    // Its session has ended with the grant.
    expect(codeOf(await user.get('/mgluser/user_data/basic'))).toBe('session_password_changed')
    await finishFirstLogIn(app.owner, newUser.username)
    const granted = (await (await app.logIn(newUser.username)).get('/mgluser/user_data/basic')).json.data
    expect(granted.permissions).toEqual(['people.view', 'tickets.view'])
  })

  test('is taken by one', async () => {
    const risk = await findCaller(app.db, 'risk01')
    expect(codeOf(await setRole(first, risk.user_id, 'none'))).toBe('ok')
    expect(codeOf(await setRole(first, risk.user_id, 'risk'))).toBe('approval_needed')
    const owner = await findCaller(app.db, 'office01')
    await changeOfficeRole(app.db, owner, risk.user_id, { office_role: 'risk', reason }, 'approved')
  })
})

describe('a reset of factors', () => {
  test('removes recovery codes too, and ends the session of its user', async () => {
    const user_id = await addEnrolledAgent()
    const { username } = await one(sql<{ username: string }>`select username from users where user_id = ${user_id}`)
    // A session as a verified log-in leaves it.
    await sql`insert into sessions (token_hash, user_id) values (sha256(${username}::bytea), ${user_id})`.execute(
      app.owner,
    )
    const approval = await proposed('reset_factors', { user_id })
    expect(approval).toMatchObject({ before: { factors: [{ kind: 'totp', name: 'phone' }] }, after: { factors: [] } })
    expect(codeOf(await approve(second, approval))).toBe('ok')
    const found = await one(sql<{ codes: number; end_reason: string }>`
      select (select count(*)::int from recovery_codes where user_id = ${user_id}) as codes, end_reason
      from sessions where user_id = ${user_id}`)
    expect(found).toEqual({ codes: 0, end_reason: 'factors_reset' })
  })

  test('is neither proposed nor approved by the same person through an assistant', async () => {
    try {
      await addFactor(first.user_id)
      expect(codeOf(await propose(helper, 'reset_factors', { user_id: first.user_id }))).toBe('not_allowed')
      await sql`delete from second_factors`.execute(app.owner)
      await addFactor(helper.user_id)
      expect(codeOf(await propose(first, 'reset_factors', { user_id: helper.user_id }))).toBe('not_allowed')
      const approval = await proposed('reset_factors', { user_id: helper.user_id }, second)
      expect(codeOf(await approve(first, approval))).toBe('not_allowed')
      expect(codeOf(await approve(await app.logIn('office03'), approval))).toBe('ok')
    } finally {
      await sql`delete from second_factors`.execute(app.owner)
      helper = await app.logIn('helper01')
    }
  })

  test('is not of oneself, nor of somebody with more permissions or without a factor', async () => {
    const of = (by: TestCaller, user_id: number) => propose(by, 'reset_factors', { user_id })
    const staffOnly = newName()
    const [owner, third] = await Promise.all(['office01', 'office03'].map((name) => findCaller(app.db, name)))
    const given = { display_name: 'staff', password: FIRST_PASSWORD }
    await createAssistant(app.db, owner!, { ...given, username: staffOnly, areas: ['staff'] })
    await finishFirstLogIn(app.owner, staffOnly)
    expect(codeOf(await of(first, third!.user_id))).toBe('user_without_factor')
    expect(codeOf(await of(first, 999_999_999))).toBe('not_found')
    await addFactor(third!.user_id)
    try {
      expect(codeOf(await of(await app.logIn(staffOnly), third!.user_id))).toBe('more_than_own')
      const approval = await proposed('reset_factors', { user_id: third!.user_id })
      await expect(approveProposal(app.db, third!, approval.approval_id)).rejects.toMatchObject({ code: 'not_allowed' })
      expect(codeOf(await approve(second, approval))).toBe('ok')
    } finally {
      await sql`delete from second_factors where user_id = ${third!.user_id}`.execute(app.owner)
    }
  })
})

describe('the times of a period', () => {
  test('are moved by the application only with the proposal that it executes', async () => {
    const period_code = await openPeriod(app.db, 'yeekee')
    const move = (what: string) =>
      sql`update periods set ${sql.raw(what)} = ${sql.raw(what)} + interval '1 minute' where period_code = ${period_code}`
    await expect(move('open_at').execute(app.db)).rejects.toThrow('moved by two people')
    await expect(move('draw_at').execute(app.db)).rejects.toThrow('moved by two people')
    await expect(move('close_at').execute(app.db)).rejects.toMatchObject({ constraint: 'periods_close_once' })
    const payload = { period_code, close_at: inHours(2), draw_at: inHours(3) }
    await approve(second, await proposed('move_period', payload))
    await expect(
      sql`update periods set close_at = ${inHours(4)}, draw_at = ${inHours(4)} where period_code = ${period_code}`.execute(
        app.db,
      ),
    ).rejects.toMatchObject({ constraint: 'periods_close_once' })
  })

  test('stay once it has closed, and its opening once it has opened', async () => {
    const period_code = await openPeriod(app.db, 'yeekee')
    const times = { period_code, close_at: inHours(2), draw_at: inHours(3) }
    expect(codeOf(await propose(first, 'move_period', { ...times, open_at: inHours(1) }))).toBe('bad_input')
    expect(codeOf(await propose(first, 'move_period', { ...times, close_at: inHours(-0.5) }))).toBe('bad_input')
    expect(codeOf(await propose(first, 'move_period', { ...times, draw_at: inHours(1) }))).toBe('bad_input')
    const approval = await proposed('move_period', times)
    await closePeriod(app.db, null, period_code, reason)
    expect(codeOf(await approve(second, approval))).toBe('period_not_movable')
    expect(codeOf(await propose(first, 'move_period', times))).toBe('period_not_movable')
  })

  test('are obeyed by the next ticket', async () => {
    const period_code = await openPeriod(app.db, 'yeekee')
    const member = await app.logIn('member01')
    await placeTicket(member, makeTicket(period_code))
    const soon = new Date(Date.now() + 1_500)
    const payload = { period_code, close_at: soon.toISOString(), draw_at: inHours(1) }
    await approve(second, await proposed('move_period', payload))
    await placeTicket(member, makeTicket(period_code))
    await new Promise((resolve) => setTimeout(resolve, soon.getTime() - Date.now() + 50))
    expect(codeOf(await member.post('/api/order/create', makeTicket(period_code)))).toBe('period_closed')
  })
})

describe('refused outright', () => {
  test('is a period of a market and day whose award exists, an award before the draw, a correction of a void', async () => {
    const period_code = await openPeriod(app.db, 'malay')
    await closePeriod(app.db, null, period_code, reason)
    const award = (by: TestCaller) =>
      by.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: { top3: '123', bottom2: '45' } })
    expect(codeOf(await award(first))).toBe('award_too_early')
    await agreeOnResult(app, period_code, { top3: '123', bottom2: '45' })
    const period_date = dayOf(period_code)
    const another = { product_code: 'malay', period_date, round: 777, close_at: inHours(0.01), draw_at: inHours(0.02) }
    expect(codeOf(await propose(first, 'create_period', another))).toBe('draw_result_known')

    const voided = await openPeriod(app.db, 'malay')
    for (const by of [first, second]) await by.post(`/api/admin/period/${voided}/void`, { reason })
    const correction = { period_code: voided, result: { top3: '123', bottom2: '45' }, reason }
    expect(codeOf(await first.post('/api/award/correct', correction))).toBe('period_voided')
  })
})

test('a credit limit of anybody but the company needs one person', async () => {
  await addPerson(app.db, 'agent77', 'agent', 'company', 100)
  const { user_id } = await findCaller(app.db, 'agent77')
  expect(
    codeOf(await first.post(`/mgluser/downline/${user_id}/credit_limit`, { credit_limit_satang: 200, reason })),
  ).toBe('ok')
})
