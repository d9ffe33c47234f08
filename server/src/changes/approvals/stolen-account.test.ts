// Goal: the account of an office user that somebody else had comes back to its user in the order of `docs/runbooks/stolen-account.md`, and at
// no step is of use to whoever had it.

import { hireOfficeUser } from '../../../test/staff.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decideByTwo, mustPropose, newName, PROPOSAL_REASON } from '../../../test/approvals.ts'
import { enrolApp, enrolKey, logInWith, tryLogIn } from '../../../test/factor-callers.ts'
import { findCaller } from '../../../test/nodes.ts'
import { codeOf, finishFirstLogIn, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'

const reason = 'stolen'
const OWN_PASSWORD = 'quiet-harbour-31'
const quota = { product_code: 'malay', bet_type: '2top', full_satang: 300_000, half_satang: 0 }

describe.each(['optional', 'required'])('where a second factor is %s', (SECOND_FACTOR) => {
  let app: TestApp
  /** Two owners, each with a passkey. */
  let first: TestCaller
  let second: TestCaller

  beforeAll(async () => {
    app = await startTestApp({ SECOND_FACTOR })
    first = await app.logIn('office01')
    second = await app.logIn('office02')
    await enrolKey(first)
    await enrolKey(second)
  })
  beforeEach(() => app.asOwner`delete from failed_tries`)

  /** An office user whose password and authenticator app are those of a thief, who is logged in. */
  async function hireStolen(office_role: 'risk' | 'owner') {
    const username = newName()
    const given = { username, display_name: 'stolen', office_role }
    const { user_id } = await hireOfficeUser(app.owner, await findCaller(app.db, 'office01'), given)
    await finishFirstLogIn(app.owner, username)
    const thief = await app.logIn(username)
    await enrolApp(app, thief)
    return { user_id, username, thief }
  }

  const setStatus = async (user_id: number, own_status: 'NORMAL' | 'SUSPENDED', by = first) =>
    codeOf(await by.post(`/mgluser/staff/${user_id}/status`, { own_status, reason }))

  /** @returns both halves */
  async function giveHalves(kind: 'change_office_role' | 'reset_password', payload: object): Promise<[string, string]> {
    const proposed = await mustPropose(first, kind, payload)
    const { json } = await second.post(`/api/admin/approval/${proposed.approval_id}/approve`, {})
    return [proposed.password_half!, json.data.password_half!]
  }

  /** The user logs in with both halves, sets an own password, enrols a factor, and does what needs one. */
  async function expectBack(username: string, [one, other]: [string, string]): Promise<TestCaller> {
    for (const password of [DEMO_PASSWORD, one, other, `${one}-${one}`])
      expect([password, await tryLogIn(app, username, password)]).toEqual([password, 'wrong_login'])
    await app.asOwner`delete from failed_tries`
    const both = `${one}-${other}`
    const { caller, session } = await logInWith(app, username, both)
    expect(session).toMatchObject({ must_change_password: true, must_verify_factor: false, has_factor: false })
    const change = { old_password: both, new_password: OWN_PASSWORD, confirm_password: OWN_PASSWORD }
    expect(codeOf(await caller.post('/mgluser/change_password', change))).toBe('ok')
    const own = await logInWith(app, username, OWN_PASSWORD)
    expect(own.session).toMatchObject({ must_enrol: SECOND_FACTOR === 'required' })
    await enrolKey(own.caller, OWN_PASSWORD)
    await mustPropose(own.caller, 'set_quota', quota)
    return own.caller
  }

  // Defect: a suspended user got no new password, so its suspension had to be lifted first, and the stolen password logged in.
  test('a suspended user gets its password and loses its factors before the suspension is lifted', async () => {
    const { user_id, username, thief } = await hireStolen('risk')
    expect(await setStatus(user_id, 'SUSPENDED')).toBe('ok')
    expect(codeOf(await thief.get('/mgluser/user_data/basic'))).toBe('session_suspended')
    const halves = await giveHalves('reset_password', { user_id })
    expect(codeOf(await decideByTwo(first, second, 'reset_factors', { user_id }))).toBe('ok')
    expect(await tryLogIn(app, username, halves.join('-'))).toBe('suspended')
    expect(await setStatus(user_id, 'NORMAL')).toBe('ok')
    await expectBack(username, halves)
  })

  test('an owner whom the operator of the database has suspended comes back in the same order', async () => {
    const { user_id, username } = await hireStolen('owner')
    await app.asOwner`update users set own_status = 'SUSPENDED' where username = ${username}`
    const halves = await giveHalves('reset_password', { user_id })
    expect(codeOf(await decideByTwo(first, second, 'reset_factors', { user_id }))).toBe('ok')
    expect(await setStatus(user_id, 'NORMAL')).toBe('ok')
    await expectBack(username, halves)
  })

  test('an owner whose role was taken gets password and role with one grant, which removes the factors', async () => {
    const { user_id, username, thief } = await hireStolen('owner')
    expect(codeOf(await decideByTwo(first, second, 'change_office_role', { user_id, office_role: 'none' }))).toBe('ok')
    expect(codeOf(await thief.get('/mgluser/staff'))).toBe('not_allowed')
    await expectBack(username, await giveHalves('change_office_role', { user_id, office_role: 'owner' }))
  })

  test('a suspended user is granted a role, which holds once the suspension is lifted', async () => {
    const { user_id, username } = await hireStolen('risk')
    expect(await setStatus(user_id, 'SUSPENDED')).toBe('ok')
    const halves = await giveHalves('change_office_role', { user_id, office_role: 'owner' })
    expect(await tryLogIn(app, username, halves.join('-'))).toBe('suspended')
    expect(await setStatus(user_id, 'NORMAL')).toBe('ok')
    expect((await (await expectBack(username, halves)).get('/mgluser/staff')).http).toBe(200)
  })

  test('what was proposed before a suspension or before its lift is not approved after it', async () => {
    const { user_id } = await hireStolen('risk')
    const approveLater = async (
      kind: 'change_office_role' | 'reset_password',
      payload: object,
      own_status: 'NORMAL' | 'SUSPENDED',
    ) => {
      const { approval_id } = await mustPropose(first, kind, payload)
      expect(await setStatus(user_id, own_status)).toBe('ok')
      return codeOf(await second.post(`/api/admin/approval/${approval_id}/approve`, {}))
    }
    const grant = { user_id, office_role: 'owner' }
    expect(await approveLater('change_office_role', grant, 'SUSPENDED')).toBe('approval_outdated')
    expect(await approveLater('change_office_role', grant, 'NORMAL')).toBe('approval_outdated')
    expect(await approveLater('reset_password', { user_id }, 'SUSPENDED')).toBe('approval_outdated')
    expect(await approveLater('reset_password', { user_id }, 'NORMAL')).toBe('approval_outdated')
  })

  /** Assistants that the thief makes, whose passwords it knows. */
  async function makeAssistants(thief: TestCaller, count: number) {
    const assistants: { user_id: number; username: string; caller: TestCaller }[] = []
    for (let each = 0; each < count; each += 1) {
      const username = newName()
      const given = { username, display_name: 'helper', password: FIRST_PASSWORD, areas: ['staff', 'risk'] }
      const { user_id } = (await thief.post('/mgluser/staff/assistant', given)).json.data
      await finishFirstLogIn(app.owner, username)
      assistants.push({ user_id, username, caller: await app.logIn(username) })
    }
    return assistants
  }

  const listStatusChanges = async (user_id: number) => {
    const { rows } = await app.asOwner<object>`
      select username as by, before ->> 'own_status' as before, after ->> 'own_status' as after, reason
      from audit_log join users on users.user_id = actor_id
      where subject = ${`user:${user_id}`} and action = 'change_status' order by audit_id`
    return rows
  }

  /** Every assistant is out, until the principal gives one a new password and readmits it. */
  async function expectAssistantsOut(back: TestCaller, assistants: Awaited<ReturnType<typeof makeAssistants>>) {
    for (const { user_id, username, caller } of assistants) {
      expect(codeOf(await caller.get('/mgluser/staff'))).toBe('session_suspended')
      expect(await tryLogIn(app, username, DEMO_PASSWORD)).toBe('suspended')
      expect(await listStatusChanges(user_id)).toEqual([
        { by: 'office02', before: 'NORMAL', after: 'SUSPENDED', reason: PROPOSAL_REASON },
      ])
      expect(await setStatus(user_id, 'NORMAL')).toBe('not_allowed')
    }
    const [one, other] = assistants
    const password = { password: OWN_PASSWORD, reason }
    expect(codeOf(await back.post(`/mgluser/staff/${one!.user_id}/password`, password))).toBe('ok')
    expect(await setStatus(one!.user_id, 'NORMAL', back)).toBe('ok')
    expect(await tryLogIn(app, one!.username, DEMO_PASSWORD)).toBe('wrong_login')
    expect(await tryLogIn(app, one!.username, OWN_PASSWORD)).toBe('ok')
    expect(await tryLogIn(app, other!.username, DEMO_PASSWORD)).toBe('suspended')
  }

  // Defect: an owner that got its role back with a new password brought back the assistants that the thief had made, with their passwords.
  test('the assistants of an owner that is granted its role again stay out, until it readmits each', async () => {
    const { user_id, username, thief } = await hireStolen('owner')
    const assistants = await makeAssistants(thief, 2)
    await decideByTwo(first, second, 'change_office_role', { user_id, office_role: 'none' })
    const halves = await giveHalves('change_office_role', { user_id, office_role: 'owner' })
    // Its principal has its role again, and is not suspended: the assistant is out by itself.
    expect(await tryLogIn(app, assistants[0]!.username, DEMO_PASSWORD)).toBe('suspended')
    await expectAssistantsOut(await expectBack(username, halves), assistants)
  })

  // Defect: a password that two people reset, and the lifted suspension, brought back the assistants that the thief had made.
  test('the assistants of a user whose password two people reset stay out, and what they have begun ends', async () => {
    const { user_id, username, thief } = await hireStolen('owner')
    const assistants = await makeAssistants(thief, 2)
    const { approval_id } = await mustPropose(first, 'set_quota', quota)
    await enrolKey(assistants[0]!.caller)
    const begun = await mustPropose(assistants[0]!.caller, 'set_quota', quota)
    await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${user_id}`
    const halves = await giveHalves('reset_password', { user_id })
    await decideByTwo(first, second, 'reset_factors', { user_id })
    expect(await setStatus(user_id, 'NORMAL')).toBe('ok')
    await expectAssistantsOut(await expectBack(username, halves), assistants)
    const states = await app.asOwner`select approval_id, state from approvals
      where approval_id in (${approval_id}, ${begun.approval_id}) order by approval_id`
    expect(states.rows).toEqual([
      { approval_id, state: 'waiting' },
      { approval_id: begun.approval_id, state: 'rejected' },
    ])
  })

  test('a proposal suspends no assistant, nor does a suspension that is lifted or a role without a password', async () => {
    const { user_id, thief } = await hireStolen('owner')
    const [assistant] = await makeAssistants(thief, 1)
    await mustPropose(first, 'reset_password', { user_id })
    await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${user_id}`
    expect(await setStatus(user_id, 'NORMAL')).toBe('ok')
    await decideByTwo(first, second, 'change_office_role', { user_id, office_role: 'none' })
    await mustPropose(first, 'change_office_role', { user_id, office_role: 'owner' })
    expect(await listStatusChanges(assistant!.user_id)).toEqual([])
    expect(await tryLogIn(app, assistant!.username, DEMO_PASSWORD)).toBe('ok')
  })

  test('an assistant that was suspended before has no further record, and those of others stay', async () => {
    const { user_id, thief } = await hireStolen('owner')
    const [suspended] = await makeAssistants(thief, 1)
    const [ofOther] = await makeAssistants((await hireStolen('owner')).thief, 1)
    expect(await setStatus(suspended!.user_id, 'SUSPENDED', thief)).toBe('ok')
    await giveHalves('reset_password', { user_id })
    expect(await listStatusChanges(suspended!.user_id)).toHaveLength(1)
    expect(await listStatusChanges(ofOther!.user_id)).toEqual([])
    expect(await tryLogIn(app, ofOther!.username, DEMO_PASSWORD)).toBe('ok')
  })
})
