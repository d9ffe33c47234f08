// Goal: terms above their bounds, and times of periods, change by two people; what nobody may do is refused to both.

import { closeEarly } from '../../../../test/changes.ts'
import type { ApprovalKind } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  approve,
  mustPropose,
  newName,
  PROPOSAL_REASON,
  propose,
  restoreTwoPeople,
  startTwoPeople,
} from '../../../../test/approvals.ts'
import { addPerson, codeOf, openPeriod } from '../../../../test/scenes.ts'
import type { TestCaller } from '../../../../test/test-app.ts'

const reason = PROPOSAL_REASON
const { app, first, second, support } = await startTwoPeople()
beforeEach(() => restoreTwoPeople({ app, support }))

const proposed = (kind: ApprovalKind, payload: object, by = first) => mustPropose(by, kind, payload)

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

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
      details: { kind: 'change_game_config', returns: [{ bet_type: '3top', return_rate: 10_001 }] },
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

// Defect: the approver was shown the return at the time of the proposal, and the proposer alone raised it before the approval.
describe('what a line gets back with a proposal', () => {
  const TERMS = '/api/admin/product/lao-vip/template/70/game_config' as const
  let senior: number
  beforeEach(async () => {
    senior = await addPerson(app.owner, newName(), 'super_senior', 'company')
    const { rows } = await app.asOwner<object>`select * from package_terms`
    await app.asOwner`update package_terms set rate = rate / 2, discount_rate = 0`
    await setRate(8_100)
    return async () => {
      await app.asOwner`
        insert into share_terms (user_id, position_rate, line_rate, commission_rate) values (${senior}, 0, 0, 0)`
      await app.asOwner`
        update package_terms set rate = kept.rate, discount_rate = kept.discount_rate
        from jsonb_populate_recordset(null::package_terms, ${JSON.stringify(rows)}::jsonb) kept
        where (package_terms.package_id, package_terms.bet_type) = (kept.package_id, kept.bet_type)`
    }
  })
  /** Of 2top its return is its rate. */
  const setRate = (rate: number) => first.post(TERMS, { reason, bet_types: [{ bet_type: '2top', rate }] })
  const setCommission = (commission_rate: number) =>
    first.post(`/mgluser/downline/${senior}/share`, { position_rate: 0, commission_rate, reason })

  test('by a commission is what the approver was shown, or less', async () => {
    const approval = await proposed('change_share_terms', {
      user_id: senior,
      position_rate: 500,
      commission_rate: 2_000,
    })
    expect(approval.figures).toMatchObject({ return_rate: 10_100 })
    expect([approval.before, approval.after]).toMatchObject([
      { position_rate: 0, line_rate: 0, commission_rate: 0 },
      { position_rate: 500, line_rate: 500, commission_rate: 2_000 },
    ])
    expect(codeOf(await setRate(10_000))).toBe('ok')
    expect((await approve(second, approval)).json.error).toMatchObject({
      code: 'approval_outdated',
      details: { changed: 'return', return_rate: 12_000 },
    })
    expect(codeOf(await setRate(8_050))).toBe('ok')
    expect(codeOf(await approve(second, approval))).toBe('ok')
  })

  test('by terms is what the approver was shown, or less', async () => {
    expect(codeOf(await setCommission(500))).toBe('ok')
    const bet_types = [{ bet_type: '2top', rate: 10_100 }]
    const approval = await proposed('change_game_config', { product_code: 'lao-vip', package_code: '70', bet_types })
    expect(approval.figures).toMatchObject({ commission_rate: 500, return_rate: 10_600 })
    expect(codeOf(await setCommission(1_900))).toBe('ok')
    expect((await approve(second, approval)).json.error).toMatchObject({
      code: 'approval_outdated',
      details: { changed: 'return', return_rate: 12_000 },
    })
    expect(codeOf(await setCommission(400))).toBe('ok')
    expect(codeOf(await approve(second, approval))).toBe('ok')
  })
})

describe('the times of a period', () => {
  test('are moved by the application only with a row of the audit log', async () => {
    const refused = { constraint: 'changes_are_audited' }
    const period_code = await openPeriod(app.owner, 'yeekee')
    const move = (what: string) =>
      sql`update periods set ${sql.raw(what)} = ${sql.raw(what)} + interval '1 minute' where period_code = ${period_code}`
    await expect(move('open_at').execute(app.db)).rejects.toMatchObject({ constraint: 'periods_open_once' })
    await expect(move('draw_at').execute(app.db)).rejects.toMatchObject(refused)
    await expect(move('close_at').execute(app.db)).rejects.toMatchObject(refused)
    const payload = { period_code, close_at: inHours(2), draw_at: inHours(3) }
    await approve(second, await proposed('move_period', payload))
    await expect(
      sql`update periods set close_at = ${inHours(4)}, draw_at = ${inHours(4)} where period_code = ${period_code}`.execute(
        app.db,
      ),
    ).rejects.toMatchObject(refused)
  })

  test('stay once it has closed, and its opening once it has opened', async () => {
    const period_code = await openPeriod(app.owner, 'yeekee')
    const times = { period_code, close_at: inHours(2), draw_at: inHours(3) }
    expect(codeOf(await propose(first, 'move_period', { ...times, open_at: inHours(1) }))).toBe('bad_input')
    expect(codeOf(await propose(first, 'move_period', { ...times, close_at: inHours(-0.5) }))).toBe('bad_input')
    expect(codeOf(await propose(first, 'move_period', { ...times, draw_at: inHours(1) }))).toBe('bad_input')
    const approval = await proposed('move_period', times)
    await closeEarly(app.db, period_code)
    expect(codeOf(await approve(second, approval))).toBe('period_not_movable')
    expect(codeOf(await propose(first, 'move_period', times))).toBe('period_not_movable')
  })
})

test('a moved opening has the shares of the new one, and a period that has opened keeps its own', async () => {
  const listShares = async (period_code: string) => {
    const { rows } = await app.asOwner<object>`
      select open_at, shares_at from periods where period_code = ${period_code}`
    return rows[0]
  }
  const move = async (period_code: string, times: object) =>
    approve(second, await proposed('move_period', { period_code, close_at: inHours(3), draw_at: inHours(4), ...times }))
  const coming = await openPeriod(app.owner, 'yeekee', 7_200_000, new Date(Date.now() + 3_600_000))
  const open_at = inHours(2)
  expect(codeOf(await move(coming, { open_at }))).toBe('ok')
  expect(await listShares(coming)).toEqual({ open_at: new Date(open_at), shares_at: new Date(open_at) })
  const opened = await openPeriod(app.owner, 'yeekee')
  const before = await listShares(opened)
  expect(codeOf(await move(opened, {}))).toBe('ok')
  expect(await listShares(opened)).toEqual(before)
})
