// Goal: what needs two people is done by two, and once. For each kind: one person alone cannot, nor the same person through
// an assistant; and what has changed meanwhile is refused. Of any kind an approval executes once, whoever approves at once and
// on whichever node, and nothing is approved after its time.

import { randomUUID } from 'node:crypto'
import { type ApprovalKind, type RefusalCode } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addEnrolledAgent,
  addFactor,
  approve,
  mustPropose,
  newName,
  newRound,
  PROPOSAL_REASON,
  propose,
  restoreTwoPeople,
  startTwoPeople,
} from '../../../../test/approvals.ts'
import { findCaller, openNode } from '../../../../test/nodes.ts'
import { addPerson, codeOf, finishFirstLogIn, makeTicket, openPeriod, placeTicket } from '../../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../../test/test-app.ts'
import { approveProposal } from '../approvals.service.ts'

let app: TestApp
let first: TestCaller
let second: TestCaller
/** An assistant of the first, with every area of it. */
let helper: TestCaller
let support: number
const reason = PROPOSAL_REASON
;({ app, first, second, helper, support } = await startTwoPeople())
beforeEach(() => restoreTwoPeople({ app, support }))

const proposed = (kind: ApprovalKind, payload: object, by = first) => mustPropose(by, kind, payload)

async function one<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
  return (await query.execute(app.owner)).rows[0]!
}

async function auditCount(action: string): Promise<number> {
  return (await one(sql<{ n: number }>`select count(*)::int as n from audit_log where action = ${action}`)).n
}

const companyCredit = async (): Promise<number> => {
  const { rows } = await app.asOwner<{
    limit: number
  }>`select (-floor_satang)::bigint as limit from accounts join users using (user_id)
    where kind = 'cash' and level = 'company' and not is_office and principal_id is null`
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
        app.asOwner`insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at) values (
          ${period_code}, 'yeekee', ${payload.period_date}, ${round}, ${payload.open_at}, ${payload.close_at},
          ${payload.draw_at})`
      return { payload, read, expected: 1, disturb, refusal: 'period_exists' }
    },
  },
  {
    kind: 'move_period',
    action: 'move_period',
    async setUp() {
      const period_code = await openPeriod(app.owner, 'yeekee')
      const [close_at, draw_at] = [inHours(2), inHours(3)]
      // A draw after the next midnight still belongs to the day before.
      const payload = { period_code, close_at, draw_at }
      const read = async () => {
        const row = await one(sql<{ close_at: Date; draw_at: Date }>`
          select close_at, draw_at from periods where period_code = ${period_code}`)
        return [row.close_at.toISOString(), row.draw_at.toISOString()]
      }
      const disturb = () =>
        app.asOwner`update periods set draw_at = draw_at + interval '1 second' where period_code = ${period_code}`
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
          app.asOwner`update products set timetable = timetable || '{"draw": {"time": "23:59"}}' where product_code = 'russia'`,
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'change_game_config',
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
    kind: 'change_share_terms',
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
    kind: 'change_credit_limit',
    action: 'change_credit_limit',
    async setUp() {
      const before = await companyCredit()
      const company = (await findCaller(app.db, 'company')).user_id
      const credit = { credit_limit_satang: before + 100, reason }
      return {
        payload: { user_id: company, credit_limit_satang: before + 100 },
        alone: () => first.post(`/mgluser/downline/${company}/credit_limit`, credit),
        read: companyCredit,
        expected: before + 100,
        disturb: () =>
          app.asOwner`update accounts set floor_satang = floor_satang - 200 where kind = 'cash' and user_id = ${company}`,
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'set_quota',
    action: 'set_quota',
    async setUp() {
      const payload = { product_code: 'malay', bet_type: '2top', full_satang: 200_000, half_satang: 50_000 }
      const setting = sql<{ full_satang: number }>`
        select full_satang from quotas where (product_code, bet_type) = ('malay', '2top')`
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
    kind: 'set_package_quota',
    action: 'set_package_quota',
    async setUp() {
      // Of a package in a market without a quota for the bet type: approved, it ends.
      const place = { product_code: 'malay', package_code: '90', bet_type: '3top' }
      const set = (full_satang: number) =>
        first.post('/api/admin/game_config/quota/package', { ...place, quota: { full_satang, half_satang: 0 }, reason })
      await app.asOwner`delete from quotas where package_code is not null`
      await set(70_000)
      const amounts = sql<{ full_satang: number }>`select full_satang from quotas where package_code is not null`
      return {
        payload: { ...place, quota: null },
        alone: () => first.post('/api/admin/game_config/quota/package', { ...place, quota: null, reason }),
        read: async () => (await amounts.execute(app.owner)).rows,
        expected: [],
        disturb: () => set(60_000),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'change_office_role',
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
      const user_id = await addEnrolledAgent(app)
      const read = async () =>
        (await one(sql<{ n: number }>`select count(*)::int as n from second_factors where user_id = ${user_id}`)).n
      // There is no call by which one person alone does it.
      return {
        payload: { user_id },
        read,
        expected: 0,
        disturb: () => addFactor(app, user_id),
        refusal: 'approval_outdated',
      }
    },
  },
  {
    kind: 'repair_ticket',
    action: 'repair_ticket',
    async setUp() {
      const period_code = await openPeriod(app.owner)
      const { order_id } = await placeTicket(await app.logIn('member01'), makeTicket(period_code))
      const giveBack = () =>
        app.asOwner`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
          select 'refund', order_id, to_account_id, from_account_id, 100 from entries
          where order_id = ${order_id} and kind = 'bet' limit 1`
      await giveBack()
      const repairs = sql<{ satang: number }>`
        select coalesce(sum(amount_satang), 0)::int as satang from entries
        where order_id = ${order_id} and idempotency_key like 'repair:%'`
      // There is no call by which one person alone does it.
      return {
        payload: { order_id },
        read: async () => (await one(repairs)).satang,
        expected: 100,
        disturb: giveBack,
        refusal: 'approval_outdated',
      }
    },
  },
]

describe.each(cases)('$kind ($action)', ({ kind, setUp, action }) => {
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
})

// These rules know no kind. A reset of a password also has secrets.
describe('a proposal of any kind', () => {
  const { kind, setUp, action } = cases.find(({ kind }) => kind === 'reset_password')!

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
    await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${first.user_id}`
    expect(codeOf(await approve(second, approval))).toBe('approval_outdated')
    await app.asOwner`update users set own_status = 'NORMAL' where user_id = ${first.user_id}`
    first = await app.logIn('office01')
    helper = await app.logIn('helper01')
    expect(await read()).toEqual(before)
  })
})
