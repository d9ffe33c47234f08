// Goal: the list of what was decided holds everything that takes two people: proposals and results, with who asked, who
// decided, when, why and how it ended; each reader sees of it what its role may see, and no numbers of a result.

import { closeEarly } from '../../../test/changes.ts'
import { hireAssistant, hireOfficeUser } from '../../../test/staff.ts'
import type { DecidedDecision } from '@megalot/contract'
import { describe, expect, test } from 'vitest'
import { approve, mustPropose, newRound } from '../../../test/approvals.ts'
import { findCaller } from '../../../test/nodes.ts'
import {
  codeOf,
  dayOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  holdDraw,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { settleDuePeriods } from '../../results/index.ts'

const reason = 'asked for a test'
const verdict = { reason: 'decided for a test' }
const roles = ['operations', 'risk', 'finance', 'support', 'auditor', 'none'] as const
const byRole = {} as Record<(typeof roles)[number], TestCaller>

/** A period that no longer accepts bets, with a ticket. */
async function closeWithTicket(): Promise<{ period_code: string; order_id: number }> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  await closeEarly(app.db, period_code)
  return { period_code, order_id }
}

const app = await startTestApp()
const owner = await findCaller(app.db, 'office01')
const given = { display_name: 'staff', password: FIRST_PASSWORD }
await hireAssistant(app.db, owner, { ...given, username: 'helper01', areas: ['periods', 'results', 'tickets'] })
for (const role of roles.filter((one) => one !== 'none'))
  await hireOfficeUser(app.owner, owner, { ...given, username: `${role}01`, office_role: role })
await hireOfficeUser(app.owner, owner, { ...given, username: 'none01', office_role: 'support' })
for (const username of ['helper01', ...roles.map((role) => `${role}01`)]) await finishFirstLogIn(app.owner, username)
const logIn = (name: string) => app.logIn(name)
const [first, second, helper, member] = (await Promise.all(
  ['office01', 'office02', 'helper01', 'member01'].map(logIn),
)) as [TestCaller, TestCaller, TestCaller, TestCaller]
for (const role of roles) byRole[role] = await logIn(`${role}01`)
await app.asOwner`update users set office_role = 'none' where username = 'none01'`

const read = async (by: TestCaller, query: `?${string}` | '' = '?ipp=100') =>
  (await by.get(`/api/admin/approval/decided${query}`)).json
const readOf = async (by: TestCaller, is: (one: DecidedDecision) => boolean) => (await read(by)).data.filter(is)

const person = (username: string, acts_for: string | null = null) => expect.objectContaining({ username, acts_for })
const asked = { begun_by: person('office01'), begun_reason: reason, begun_at: expect.any(String) }
const decidedBySecond = { decided_by: person('office02'), decided_at: expect.any(String), ...verdict }

describe('a proposal', () => {
  test('is listed with its outcome and everything that it was', async () => {
    const ended = []
    for (const way of ['approve', 'reject', 'withdraw'] as const) {
      const proposed = await mustPropose(first, 'create_period', newRound())
      const by = way === 'withdraw' ? helper : second
      expect(codeOf(await by.post(`/api/admin/approval/${proposed.approval_id}/${way}`, verdict))).toBe('ok')
      ended.push(proposed)
    }
    const ids = ended.map(({ approval_id }) => approval_id)
    const rows = await readOf(first, ({ approval }) => ids.includes(approval?.approval_id ?? 0))
    expect(rows).toMatchObject([
      { outcome: 'withdrawn', decided_by: person('helper01', 'office01'), approval: { state: 'withdrawn' } },
      { outcome: 'rejected', ...decidedBySecond, approval: { state: 'rejected' } },
      { outcome: 'executed', ...decidedBySecond, approval: { state: 'executed' } },
    ])
    for (const row of rows)
      expect(row).toMatchObject({
        kind: 'create_period',
        product_code: 'yeekee',
        ...asked,
        begun_reason: 'for a test',
        period_code: null,
      })
  })

  test('that another person rejected is shown to whoever proposed it, to nobody else, and for a week', async () => {
    const proposals: number[] = []
    for (const way of ['reject', 'withdraw', 'approve'] as const) {
      const proposed = await mustPropose(first, 'create_period', newRound())
      const by = way === 'withdraw' ? first : second
      expect(codeOf(await by.post(`/api/admin/approval/${proposed.approval_id}/${way}`, verdict))).toBe('ok')
      proposals.push(proposed.approval_id)
    }
    const ownOf = async (by: TestCaller) =>
      (await read(by, '?own_rejected=true')).data.filter(({ approval }) =>
        proposals.includes(approval?.approval_id ?? 0),
      )
    expect(await ownOf(first)).toMatchObject([
      { outcome: 'rejected', kind: 'create_period', ...decidedBySecond, approval: { approval_id: proposals[0] } },
    ])
    expect(await ownOf(second)).toEqual([])
    // Who may no longer see periods is shown no word of them.
    expect((await byRole.none.get('/api/admin/approval/decided?own_rejected=true')).http).toBe(403)
    const move = (days: number) =>
      app.asOwner`update approvals set decided_at = decided_at + ${days} * interval '1 day' where approval_id = ${proposals[0]}`
    await app.asOwner`alter table approvals disable trigger user`
    await move(-8)
    expect(await ownOf(first)).toEqual([])
    await move(8)
    await app.asOwner`alter table approvals enable trigger user`
    const [shown] = await ownOf(first)
    for (const by of [second, first]) {
      expect(await ownOf(first)).toHaveLength(1)
      expect(codeOf(await by.post('/api/admin/approval/rejections_read', { up_to: shown!.cursor }))).toBe('ok')
    }
    expect(await ownOf(first)).toEqual([])
    // A cursor of the future hides nothing that is rejected later.
    expect(codeOf(await first.post('/api/admin/approval/rejections_read', { up_to: '9999999999999999.1' }))).not.toBe(
      'ok',
    )
    expect(codeOf(await first.post('/api/admin/approval/rejections_read', { up_to: '4000000000000000.1' }))).toBe('ok')
  })

  test('that was approved without a comment has no reason of the approver', async () => {
    const proposed = await mustPropose(first, 'create_period', newRound())
    expect(codeOf(await approve(second, proposed))).toBe('ok')
    expect((await read(second)).data[0]).toMatchObject({ begun_reason: 'for a test', reason: null })
  })

  test('that nobody decided in time stands where it has expired, and one that waits is not listed', async () => {
    await mustPropose(first, 'create_period', newRound())
    const waiting = await mustPropose(first, 'create_period', newRound())
    const isIt = ({ approval }: DecidedDecision) => approval?.approval_id === waiting.approval_id
    expect(await readOf(second, isIt)).toEqual([])
    await app.asOwner`alter table approvals disable trigger guard_approval`
    await app.asOwner`update approvals set proposed_at = proposed_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
      where state = 'waiting'`
    await app.asOwner`alter table approvals enable trigger guard_approval`
    const [row] = await readOf(second, isIt)
    expect(row).toMatchObject({ outcome: 'expired', begun_by: person('office01'), decided_by: null, reason: null })
    expect(row!.decided_at).toBe(row!.approval!.expires_at)
    // An hour ago: behind everything of this test, but for the one that was proposed before it.
    const all = (await read(second)).data
    expect(all.findIndex(isIt)).toBe(all.length - 2)
  })
})

describe('a result', () => {
  const enter = (by: TestCaller, period_code: string, top3: string) =>
    by.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: makeResult(top3) })
  const correct = (by: TestCaller, period_code: string, top3: string) =>
    by.post('/api/award/correct', { period_code, result: makeResult(top3), reason })
  const reset = (by: TestCaller, period_code: string) => by.post('/api/award/reset', { period_code, ...verdict })

  test('and its correction are listed once two entries differ, agree or are removed, without numbers', async () => {
    const { period_code } = await closeWithTicket()
    await holdDraw(app.owner, period_code)
    const isIt = (one: DecidedDecision) => one.period_code === period_code
    expect(codeOf(await enter(first, period_code, '736'))).toBe('ok')
    expect(await readOf(second, isIt)).toEqual([])
    expect(codeOf(await enter(second, period_code, '737'))).toBe('award_locked')
    expect(codeOf(await reset(second, period_code))).toBe('ok')
    expect(codeOf(await enter(second, period_code, '736'))).toBe('ok')
    expect(codeOf(await enter(first, period_code, '736'))).toBe('ok')
    await settleDuePeriods(app.db)
    expect(codeOf(await correct(first, period_code, '738'))).toBe('ok')
    expect(codeOf(await correct(second, period_code, '739'))).toBe('award_locked')
    expect(codeOf(await reset(second, period_code))).toBe('ok')
    for (const by of [first, second]) expect(codeOf(await correct(by, period_code, '738'))).toBe('ok')
    const rows = await readOf(second, isIt)
    const byFirst = { begun_by: person('office01'), decided_by: person('office02') }
    const ofCorrection = { kind: 'award_correction', begun_reason: reason, ...byFirst }
    expect(rows).toMatchObject([
      { outcome: 'agreed', ...ofCorrection },
      { outcome: 'removed', ...ofCorrection, ...verdict },
      { outcome: 'differed', ...ofCorrection },
      { outcome: 'agreed', kind: 'award', begun_by: person('office02'), decided_by: person('office01'), reason: null },
      { outcome: 'removed', kind: 'award', ...byFirst, ...verdict },
      { outcome: 'differed', kind: 'award', ...byFirst, begun_reason: null },
    ])
    for (const top3 of ['736', '737', '738', '739']) expect(JSON.stringify(rows)).not.toContain(`"${top3}"`)
  })
})

test('the list comes in parts that fit together, newest first', async () => {
  const all = (await read(first)).data
  expect(all.length).toBeGreaterThan(12)
  expect(all.map(({ decided_at }) => decided_at)).toEqual(
    all.map(({ decided_at }) => decided_at).toSorted((one, other) => other.localeCompare(one)),
  )
  // In parts of one each row is once the end of a part, those that have expired as well.
  for (const ipp of [1, 4]) {
    const found: DecidedDecision[] = []
    let query: `?${string}` = `?ipp=${ipp}`
    for (;;) {
      const { data, next_before } = await read(first, query)
      found.push(...data)
      if (next_before === null || found.length > all.length) break
      query = `?ipp=${ipp}&before=${next_before}`
    }
    expect(found).toEqual(all)
  }
  for (const before of ['x', '1', '9999999999999999.1', '1.1;'])
    expect(codeOf(await first.get(`/api/admin/approval/decided?before=${before}`))).toBe('bad_input')
})

test('each role sees the areas that it may view', async () => {
  const { user_id } = await findCaller(app.db, 'support01')
  const role = await mustPropose(first, 'change_office_role', { user_id, office_role: 'risk' })
  const { period_code, order_id } = await closeWithTicket()
  const voids = [
    await mustPropose(first, 'void_order', { order_id }),
    await mustPropose(first, 'void_period', { period_code }),
  ]
  for (const { approval_id } of [role, ...voids])
    await second.post(`/api/admin/approval/${approval_id}/reject`, verdict)
  const kindsOf = async (by: TestCaller) => [...new Set((await read(by)).data.map(({ kind }) => kind))].toSorted()
  const periods = ['create_period', 'void_period']
  const all = [...periods, 'award', 'award_correction', 'void_order', 'change_office_role'].toSorted()
  expect(await kindsOf(first)).toEqual(all)
  expect(await kindsOf(byRole.auditor)).toEqual(all)
  expect(await kindsOf(byRole.operations)).toEqual([...periods, 'award', 'award_correction'].toSorted())
  expect(await kindsOf(byRole.risk)).toEqual(['void_order'])
  expect(await kindsOf(byRole.support)).toEqual(['void_order'])
  expect(await kindsOf(byRole.finance)).toEqual([])
  // The assistant has the areas that it was given.
  expect(await kindsOf(helper)).toEqual([...periods, 'award', 'award_correction', 'void_order'].toSorted())
  for (const by of [byRole.none, member, await app.logIn('agent01')])
    expect(codeOf(await by.get('/api/admin/approval/decided'))).toBe('not_allowed')
})
