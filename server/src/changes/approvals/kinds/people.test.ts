// Goal: a role, second factors and the company's credit change by two people and in no other way, and what is anybody's alone needs one.

import { type ApprovalKind, officeRoles } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addEnrolledAgent,
  addFactor,
  approve,
  mustPropose,
  newName,
  PROPOSAL_REASON,
  propose,
  restoreTwoPeople,
  startTwoPeople,
} from '../../../../test/approvals.ts'
import { findCaller } from '../../../../test/nodes.ts'
import { hireAssistant } from '../../../../test/staff.ts'
import { codeOf, finishFirstLogIn, FIRST_PASSWORD } from '../../../../test/scenes.ts'
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
    const approval = await proposed('change_office_role', { user_id, office_role: 'support' })
    expect(approval.figures).toMatchObject({ gained: ['people.view', 'tickets.view'] })
    expect(codeOf(await approve(user, approval))).toBe('not_allowed')
    expect(codeOf(await approve(second, approval))).toBe('ok')
    // Its session has ended with the grant.
    expect(codeOf(await user.get('/mgluser/user_data/basic'))).toBe('session_password_changed')
    await finishFirstLogIn(app.owner, newUser.username)
    const granted = (await (await app.logIn(newUser.username)).get('/mgluser/user_data/basic')).json.data
    expect(granted.permissions).toEqual(['people.view', 'tickets.view'])
  })
})

describe('a reset of factors', () => {
  test('removes recovery codes too, and ends the session of its user', async () => {
    const user_id = await addEnrolledAgent(app)
    const { username } = await one(sql<{ username: string }>`select username from users where user_id = ${user_id}`)
    // A session as a verified log-in leaves it.
    await app.asOwner`insert into sessions (token_hash, user_id) values (sha256(${username}::bytea), ${user_id})`
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
      await addFactor(app, first.user_id)
      expect(codeOf(await propose(helper, 'reset_factors', { user_id: first.user_id }))).toBe('not_allowed')
      await app.asOwner`delete from second_factors`
      await addFactor(app, helper.user_id)
      expect(codeOf(await propose(first, 'reset_factors', { user_id: helper.user_id }))).toBe('not_allowed')
      const approval = await proposed('reset_factors', { user_id: helper.user_id }, second)
      expect(codeOf(await approve(first, approval))).toBe('not_allowed')
      expect(codeOf(await approve(await app.logIn('office03'), approval))).toBe('ok')
    } finally {
      await app.asOwner`delete from second_factors`
      helper = await app.logIn('helper01')
    }
  })

  test('is not of oneself, nor of somebody with more permissions or without a factor', async () => {
    const of = (by: TestCaller, user_id: number) => propose(by, 'reset_factors', { user_id })
    const staffOnly = newName()
    const [owner, third] = await Promise.all(['office01', 'office03'].map((name) => findCaller(app.db, name)))
    const given = { display_name: 'staff', password: FIRST_PASSWORD }
    await hireAssistant(app.db, owner!, { ...given, username: staffOnly, areas: ['staff'] })
    await finishFirstLogIn(app.owner, staffOnly)
    expect(codeOf(await of(first, third!.user_id))).toBe('user_without_factor')
    expect(codeOf(await of(first, 999_999_999))).toBe('not_found')
    await addFactor(app, third!.user_id)
    try {
      expect(codeOf(await of(await app.logIn(staffOnly), third!.user_id))).toBe('more_than_own')
      const approval = await proposed('reset_factors', { user_id: third!.user_id })
      await expect(approveProposal(app.db, third!, approval.approval_id)).rejects.toMatchObject({ code: 'not_allowed' })
      expect(codeOf(await approve(second, approval))).toBe('ok')
    } finally {
      await app.asOwner`delete from second_factors where user_id = ${third!.user_id}`
    }
  })
})
