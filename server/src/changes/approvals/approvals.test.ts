// Goal: a proposal is made once under its request id, seen and decided only by those who may, decided once, cannot be forged by
// the application, and stands in the lists of what waits.

import { closeEarly } from '../../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import type { Approval, ApprovalKind } from '@megalot/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  approve,
  letProposalsExpire,
  mustPropose,
  newRound,
  PROPOSAL_REASON,
  propose,
  restoreTwoPeople,
  startTwoPeople,
} from '../../../test/approvals.ts'
import { hasTopic, listenTo } from '../../../test/live-listener.ts'
import { findCaller, openNode } from '../../../test/nodes.ts'
import {
  codeOf,
  dayOf,
  holdDraw,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  waitForLock,
} from '../../../test/scenes.ts'
import type { TestApp, TestCaller } from '../../../test/test-app.ts'
import { askVoid, callVoid } from '../../../test/voids.ts'
import { takeLock, tryLock } from '../../postgres/advisory-locks.ts'
import type { Tx } from '../../postgres/db.ts'
import { writeAudit } from '../audit/index.ts'
import { approveProposal } from './approvals.service.ts'
import { MAX_WAITING_OF_PERSON } from './proposals.ts'

const reason = PROPOSAL_REASON
/** `helper` is an assistant of the first, with every area of it. */
const { app, first, second, helper, support } = await startTwoPeople()
beforeEach(() => restoreTwoPeople({ app, support }))

const proposed = (kind: ApprovalKind, payload: object, by = first) => mustPropose(by, kind, payload)

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function one<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
  return (await query.execute(app.owner)).rows[0]!
}

async function auditCount(action: string): Promise<number> {
  return (await one(sql<{ n: number }>`select count(*)::int as n from audit_log where action = ${action}`)).n
}

describe('a proposal', () => {
  const payload = () => ({ product_code: 'malay', bet_type: '2top', full_satang: 300_000, half_satang: 0 })

  test('is withdrawn by its proposer or an assistant of it alone, and rejected by another person', async () => {
    const end = (by: TestCaller, how: 'withdraw' | 'reject', { approval_id }: Approval) =>
      by.post(`/api/admin/approval/${approval_id}/${how}`, { reason })
    const withdrawn = await proposed('set_quota', payload())
    expect(codeOf(await end(second, 'withdraw', withdrawn))).toBe('approval_not_own')
    expect((await end(helper, 'withdraw', withdrawn)).json.data).toMatchObject({
      state: 'withdrawn',
      decided_by: { username: 'helper01', acts_for: 'office01' },
      decision_reason: reason,
    })
    const rejected = await proposed('set_quota', payload())
    expect((await end(second, 'reject', rejected)).json.data).toMatchObject({ state: 'rejected' })
    for (const approval of [withdrawn, rejected]) {
      expect(codeOf(await approve(second, approval))).toBe('approval_decided')
      expect(codeOf(await end(second, 'reject', approval))).toBe('approval_decided')
    }
    expect(await auditCount('withdraw_approval')).toBeGreaterThan(0)
    expect(await auditCount('reject_approval')).toBeGreaterThan(0)
  })

  test('needs the permission of its kind to be made, seen and approved', async () => {
    const risk = await app.logIn('risk01')
    const operations = await app.logIn('operations01')
    const quota = await proposed('set_quota', payload())
    expect(codeOf(await propose(operations, 'set_quota', payload()))).toBe('not_allowed')
    expect(codeOf(await approve(operations, quota))).toBe('not_allowed')
    expect(codeOf(await operations.get(`/api/admin/approval/${quota.approval_id}`))).toBe('not_allowed')
    const seen = (await operations.get('/api/admin/approval?ipp=100')).json.data
    expect(seen.every(({ kind }) => ['create_period', 'move_period', 'change_timetable'].includes(kind))).toBe(true)
    expect(codeOf(await approve(risk, quota))).toBe('ok')
  })

  test('that is refused now is not made, and names the field', async () => {
    const before = (await one(sql<{ n: number }>`select count(*)::int as n from approvals`)).n
    const late = { ...newRound(), open_at: inHours(-1) }
    const { json } = await propose(first, 'create_period', late)
    expect(json.error).toMatchObject({ code: 'bad_input', details: { problems: [{ path: '/payload/open_at' }] } })
    const afterDraw = { ...newRound(), open_at: inHours(26) }
    expect(codeOf(await propose(first, 'create_period', afterDraw))).toBe('bad_input')
    const tooMuch = { product_code: 'lao-vip', package_code: '70', bet_types: [{ bet_type: '3top', rate: 87_001 }] }
    expect(codeOf(await propose(first, 'change_game_config', tooMuch))).toBe('return_too_high')
    expect((await one(sql<{ n: number }>`select count(*)::int as n from approvals`)).n).toBe(before)
  })

  test.each([
    ['approver', 'not_allowed'],
    ['proposer', 'approval_outdated'],
  ] as const)('is not approved while its %s loses its role on another node', async (who, refusal) => {
    const { approval_id } = await proposed('set_quota', payload())
    const approver = await findCaller(app.db, 'office02')
    const username = who === 'approver' ? 'office02' : 'office01'
    const node = openNode(app.url)
    let approving: Promise<unknown> = Promise.resolve()
    try {
      await app.owner.transaction().execute(async (tx) => {
        await sql`update users set office_role = 'support' where username = ${username}`.execute(tx)
        approving = approveProposal(node.db, approver, approval_id)
        await Promise.race([waitForLock(app.owner), Promise.allSettled([approving])])
      })
      await expect(approving).rejects.toMatchObject({ code: refusal })
    } finally {
      await app.asOwner`update users set office_role = 'owner' where username = ${username}`
    }
  })

  test('cannot be forged by the application: two people, once, and never deleted', async () => {
    const { approval_id } = await proposed('set_quota', payload())
    const decide = (state: string, by: TestCaller, db: TestApp['db'] | Tx = app.db) =>
      sql`update approvals set state = ${state}, decided_by = ${by.user_id} where approval_id = ${approval_id}`.execute(
        db,
      )
    await expect(decide('executed', first)).rejects.toMatchObject({ constraint: 'two_people' })
    await expect(decide('executed', helper)).rejects.toMatchObject({ constraint: 'two_people' })
    await expect(decide('withdrawn', second)).rejects.toMatchObject({ constraint: 'two_people' })
    await app.db.transaction().execute(async (tx) => {
      await decide('rejected', second, tx)
      const [subject, about] = [`approval:${approval_id}`, { kind: 'set_quota', subject: 'product:malay' }]
      const after = { ...about, state: 'rejected' }
      await writeAudit(tx, { actor_id: second.user_id, action: 'reject_approval', subject, after })
    })
    await expect(decide('executed', second)).rejects.toMatchObject({ constraint: 'approvals_decided_once' })
    const late = await proposed('set_quota', payload())
    await app.asOwner`update approvals set expires_at = clock_timestamp() where approval_id = ${late.approval_id}`
    await expect(
      sql`update approvals set state = 'executed', decided_by = ${second.user_id}
        where approval_id = ${late.approval_id}`.execute(app.db),
    ).rejects.toMatchObject({ constraint: 'approvals_in_time' })
    await expect(sql`delete from approvals`.execute(app.db)).rejects.toThrow('permission denied')
    await expect(sql`update approvals set payload = '{}'`.execute(app.db)).rejects.toThrow('permission denied')
  })

  test('waits no longer than it was to, for its owner in the database too, and stays for good once it is executed', async () => {
    const { approval_id } = await proposed('set_quota', payload())
    const change = (columns: ReturnType<typeof sql>) =>
      app.asOwner`update approvals set ${columns} where approval_id = ${approval_id}`
    await expect(change(sql`expires_at = expires_at + interval '1 hour'`)).rejects.toThrow('decided once')
    expect(codeOf(await approve(second, { approval_id }))).toBe('ok')
    for (const columns of [sql`decision_reason = 'another'`, sql`figures = '{}'`, sql`decided_by = ${support}`])
      await expect(change(columns)).rejects.toMatchObject({ constraint: 'approvals_decided_once' })
  })

  // Defect: an approval kept everybody from registering while it waited for a large rule.
  test('waits for a standing rule before it locks the hierarchy', async () => {
    const approval = await proposed('create_period', newRound())
    const waiting: ReturnType<typeof approve>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await sql`select ${takeLock('standingRules')}`.execute(tx)
      waiting.push(approve(second, approval))
      await waitForLock(tx)
      const { rows } = await sql`select ${tryLock('userHierarchy')} as is_free`.execute(tx)
      expect(rows).toEqual([{ is_free: true }])
    })
    expect((await waiting[0]!).json.data.state).toBe('executed')
  })

  test('notifies office users, and no others', async () => {
    const [office, agent] = await Promise.all([app.logIn('operations01'), app.logIn('agent01')])
    const [received, other] = [
      await listenTo(app.server, office.sessionToken),
      await listenTo(app.server, agent.sessionToken),
    ]
    await proposed('set_quota', payload())
    await received.waitFor(hasTopic('approvals'))
    expect(other.events.some(hasTopic('approvals'))).toBe(false)
  })
})

describe('many proposals of one person', () => {
  const payload = { product_code: 'malay', bet_type: '2top', full_satang: 300_000, half_satang: 0 }
  const letAllExpire = () => letProposalsExpire(app.owner)
  beforeEach(letAllExpire)
  afterEach(letAllExpire)

  const add = (count: number) =>
    app.asOwner`insert into approvals (kind, payload, subject, product_code, state_after, figures, reason, proposed_by)
      select 'set_quota', ${JSON.stringify(payload)}::jsonb, 'quota:malay:2top', 'malay', '{}', '{}', ${reason}, ${first.user_id}
      from generate_series(1, ${count}::int)`
  const listed = async (by: TestCaller): Promise<number[]> =>
    (await by.get('/api/admin/approval/waiting')).json.data.map(({ approval }) => approval!.approval_id)

  // Defect: five hundred later proposals of one person hid the earlier ones of others from the list of what waits.
  test('hide no earlier one of another person', async () => {
    const { approval_id } = await proposed('set_quota', payload, second)
    await add(500)
    const ids = await listed(first)
    expect([ids.length, ids[0]]).toEqual([500, approval_id])
  })

  // Defect: one person proposed as much as it wanted.
  test('are bounded, together with those of its assistants', async () => {
    await add(MAX_WAITING_OF_PERSON - 1)
    const codes = (await Promise.all([first, first, helper].map((by) => propose(by, 'set_quota', payload)))).map(codeOf)
    expect(codes.toSorted()).toEqual(['ok', 'too_many_proposals', 'too_many_proposals'])
    expect(codeOf(await propose(second, 'set_quota', payload))).toBe('ok')
    const [oldest] = await listed(second)
    expect(codeOf(await first.post(`/api/admin/approval/${oldest}/withdraw`, { reason }))).toBe('ok')
    expect(codeOf(await propose(helper, 'set_quota', payload))).toBe('ok')
    expect((await propose(first, 'set_quota', payload)).json.error).toMatchObject({
      code: 'too_many_proposals',
      details: { most: MAX_WAITING_OF_PERSON },
    })
    await letAllExpire()
    expect(codeOf(await propose(first, 'set_quota', payload))).toBe('ok')
  })

  test('do not keep a repeated call from its reply', async () => {
    const request_id = randomUUID()
    const { json } = await propose(first, 'set_quota', payload, request_id)
    await add(MAX_WAITING_OF_PERSON)
    const again = await propose(first, 'set_quota', payload, request_id)
    expect(again.json.data).toMatchObject({ approval_id: json.data.approval_id })
  })
})

describe('the list of proposals', () => {
  const list = async (query: string) => (await second.get(`/api/admin/approval?ipp=100&${query}`)).json

  test('is narrowed by state, kind and market, and says how many there are', async () => {
    const quota = (product_code: string) =>
      proposed('set_quota', { product_code, bet_type: '2top', full_satang: 400_000, half_satang: 0 })
    await app.asOwner`insert into quotas values ('egypt', null, null, '2top', 1000, 0)`
    const [open, done, other] = [await quota('egypt'), await quota('egypt'), await quota('malay')]
    await second.post(`/api/admin/approval/${done.approval_id}/reject`, { reason })
    const ids = async (query: string) => (await list(query)).data.map(({ approval_id }) => approval_id)
    const ofMarket = 'product_code=egypt&kind=set_quota'
    expect(await ids(`${ofMarket}&state=waiting`)).toEqual([open.approval_id])
    expect(await ids(`${ofMarket}&state=done`)).toEqual([done.approval_id])
    expect(await ids(ofMarket)).toEqual([done.approval_id, open.approval_id])
    expect(await ids('product_code=egypt&kind=create_period')).toEqual([])
    expect(await ids('state=done')).not.toContain(other.approval_id)
    expect((await second.get(`/api/admin/approval?ipp=1&${ofMarket}`)).json).toMatchObject({
      data: [{ approval_id: done.approval_id, product_code: 'egypt', decided_by: { username: 'office02' } }],
      total_count: 2,
    })
  })
})

describe('the list of what waits', () => {
  test('is narrowed by kind and market, and counted', async () => {
    const kinds = async (query: string) =>
      (await second.get(`/api/admin/approval/waiting?${query}`)).json.data.map(({ kind }) => kind)
    await proposed('create_period', newRound())
    expect(new Set(await kinds('kind=create_period'))).toEqual(new Set(['create_period']))
    expect(new Set(await kinds('product_code=yeekee'))).not.toContain('set_quota')
    expect(await kinds('product_code=egypt&kind=create_period')).toEqual([])
    for (const by of [first, second]) {
      const all = (await by.get('/api/admin/approval/waiting')).json.data
      expect((await by.get('/api/admin/approval/waiting_count')).json.data).toEqual({
        waiting: all.length,
        to_decide: all.filter(({ may_decide }) => may_decide).length,
      })
    }
  })

  const waiting = async (by: TestCaller) => (await by.get('/api/admin/approval/waiting')).json.data

  test('shows results beside proposals, to those who may view them, and no number of a result', async () => {
    const period_code = await openPeriod(app.owner)
    const { order_id } = await placeTicket(await app.logIn('member01'), makeTicket(period_code))
    await closeEarly(app.db, period_code)
    await askVoid(first, `order:${order_id}`)
    await holdDraw(app.owner, period_code)
    await first.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: makeResult('987', '65') })
    const voided = await openPeriod(app.owner, 'malay')
    await askVoid(first, `period:${voided}`)
    const subjects = [`order:${order_id}`, `period:${voided}`, `period:${period_code}`]
    const ours = (list: Awaited<ReturnType<typeof waiting>>) =>
      list
        .filter(({ approval, period_code: of_result }) => subjects.includes(approval?.subject ?? `period:${of_result}`))
        .map((one) => [one.kind, one.begun_by.username, one.may_decide] as const)
        .toSorted(([kind], [other]) => kind.localeCompare(other))
    const all = [['award'], ['void_order'], ['void_period']]
    expect(ours(await waiting(second))).toEqual(all.map(([kind]) => [kind, 'office01', true]))
    for (const by of [first, helper])
      expect(ours(await waiting(by))).toEqual(all.map(([kind]) => [kind, 'office01', false]))
    const voidOfTicket = (await waiting(second)).find(({ approval }) => approval?.subject === subjects[0])
    const { received_satang, discount_satang } = (await second.get(`/api/order/${order_id}`)).json.data
    expect(voidOfTicket).toMatchObject({
      product_code: 'thai-government',
      approval: {
        before: { status: 'CONFIRMED', net_satang: received_satang - discount_satang },
        figures: { username: 'member01' },
      },
    })
    // Support views tickets alone.
    expect(ours(await waiting(await app.logIn('support01')))).toEqual([['void_order', 'office01', false]])
    const { text } = await second.get('/api/admin/approval/waiting')
    expect(text).not.toMatch(/"987"|"65"/)
    expect(codeOf(await callVoid(app.owner, second, `order:${order_id}`))).toBe('ok')
    expect(codeOf(await callVoid(app.owner, second, `period:${voided}`))).toBe('ok')
    expect(ours(await waiting(second))).toEqual([['award', 'office01', true]])
  })

  test('shows a result whose entries differ as locked', async () => {
    const period_code = await openPeriod(app.owner)
    await closeEarly(app.db, period_code)
    await holdDraw(app.owner, period_code)
    const enter = (by: TestCaller, top3: string) =>
      by.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: makeResult(top3) })
    await enter(first, '111')
    await enter(second, '112')
    const found = (await waiting(second)).find((one) => one.period_code === period_code)
    expect(found).toMatchObject({ kind: 'award', is_locked: true, may_decide: false })
  })
})
