// Goal: nobody can invent a second person. Whoever makes an office user, raises its role or resets its password cannot log in
// as it, neither alone nor with what was prepared before; two people hold a half of the password each.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { approve, propose } from '../../../test/approvals.ts'
import { hireAssistant, hireOfficeUser } from '../../../test/staff.ts'
import { enrolApp, logInWith, tryLogIn } from '../../../test/factor-callers.ts'
import { findCaller } from '../../../test/nodes.ts'
import { codeOf, finishFirstLogIn, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../test/test-app.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'

let first: TestCaller
let second: TestCaller
const reason = 'for a test'
const OWN_PASSWORD = 'quiet-harbour-31'

const app = await startTestApp()
beforeEach(async () => {
  await app.asOwner`update users set own_status = 'NORMAL' where own_status <> 'NORMAL'`
  first = await app.logIn('office01')
  second = await app.logIn('office02')
})

const newName = () => `n${randomUUID().replaceAll('-', '')}`

async function makeOfficeUser(): Promise<{ user_id: number; username: string }> {
  const username = newName()
  const { json } = await first.post('/mgluser/staff/office', { username, display_name: 'new' })
  return { user_id: json.data.user_id, username }
}

/** An office user who has worked for a while, with the demo's password. */
async function hireSupport(): Promise<{ user_id: number; username: string; caller: TestCaller }> {
  const username = newName()
  const given = { username, display_name: 'support', office_role: 'support' } as const
  const { user_id } = await hireOfficeUser(app.owner, await findCaller(app.db, 'office01'), given)
  await finishFirstLogIn(app.owner, username)
  return { user_id, username, caller: await app.logIn(username) }
}

/** Proposes and approves. @returns the halves */
async function giveHalves(kind: 'change_office_role' | 'reset_password', payload: object): Promise<[string, string]> {
  const proposed = (await propose(first, kind, payload)).json.data
  const approved = (await approve(second, proposed)).json.data
  expect([proposed.password_half, approved.password_half]).toEqual([
    expect.stringMatching(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/),
    expect.stringMatching(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/),
  ])
  return [proposed.password_half!, approved.password_half!]
}

/** What somebody with one half can enter. */
const withOneHalf = (half: string) => [half, `${half}-${half}`, `${half}-${'a'.repeat(16)}`, `${'a'.repeat(16)}${half}`]

async function expectBothNeeded(username: string, [one, other]: [string, string]): Promise<void> {
  for (const password of [...withOneHalf(one), ...withOneHalf(other), DEMO_PASSWORD, ''])
    expect([password, await tryLogIn(app, username, password)]).not.toEqual([password, 'ok'])
}

describe('a new office user', () => {
  test('is not entered by its maker, before the grant nor with one half after it', async () => {
    const { user_id, username } = await makeOfficeUser()
    const proposed = (await propose(first, 'change_office_role', { user_id, office_role: 'owner' })).json.data
    const own = proposed.password_half!
    // Before the approval the half is of no use, nor is anything else that its maker knows.
    for (const password of [...withOneHalf(own), username, DEMO_PASSWORD])
      expect([password, await tryLogIn(app, username, password)]).toEqual([password, 'wrong_login'])
    const { password_half: other } = (await approve(second, proposed)).json.data
    await expectBothNeeded(username, [own, other!])
    expect(await tryLogIn(app, username, `${own}-${other}`)).toBe('ok')
  })

  test('logs in with both halves, in either order and form, and then sets an own password', async () => {
    const { user_id, username } = await makeOfficeUser()
    const [one, other] = await giveHalves('change_office_role', { user_id, office_role: 'finance' })
    for (const password of [`${one}-${other}`, `${other} ${one}`, `${one}${other}`.replaceAll('-', '').toUpperCase()])
      expect([password, await tryLogIn(app, username, password)]).toEqual([password, 'ok'])
    const both = `${other}-${one}`
    const { caller, session } = await logInWith(app, username, both)
    expect(session).toMatchObject({ must_change_password: true })
    expect(codeOf(await caller.get('/mgluser/staff'))).toBe('password_change_needed')
    const change = { new_password: OWN_PASSWORD, confirm_password: OWN_PASSWORD }
    expect(codeOf(await caller.post('/mgluser/change_password', { old_password: one, ...change }))).toBe(
      'wrong_old_password',
    )
    expect(codeOf(await caller.post('/mgluser/change_password', { old_password: both, ...change }))).toBe('ok')
    expect(await tryLogIn(app, username, both)).toBe('wrong_login')
    expect(await tryLogIn(app, username, OWN_PASSWORD)).toBe('ok')
  })
})

describe('a half of a password', () => {
  test('is shown once, to each of the two, and stored and audited nowhere', async () => {
    const { user_id } = await makeOfficeUser()
    const request_id = randomUUID()
    const payload = { user_id, office_role: 'risk' }
    const proposed = (await propose(first, 'change_office_role', payload, request_id)).json.data
    const replayed = (await propose(first, 'change_office_role', payload, request_id)).json.data
    expect(replayed).toEqual({ ...proposed, password_half: null })
    const approved = (await approve(second, proposed)).json.data
    for (const by of [first, second])
      for (const url of [`/api/admin/approval/${proposed.approval_id}`, '/api/admin/approval?state=done'] as const) {
        const { text } = await by.get(url)
        for (const half of [proposed, approved]) expect(text).not.toContain(half.password_half)
      }
    const { rows } = await app.asOwner<{ text: string }>`
      select coalesce(before::text, '') || coalesce(after::text, '') as text from audit_log
      union all select approvals::text from approvals union all select users::text from users`
    for (const half of [proposed.password_half!, approved.password_half!])
      for (const form of [half, half.replaceAll('-', ''), Buffer.from(half).toString('hex')])
        expect(rows.filter(({ text }) => text.includes(form))).toEqual([])
  })

  test('is given by neither a rejection nor a change that gives nothing', async () => {
    const { user_id } = await makeOfficeUser()
    const proposed = (await propose(first, 'change_office_role', { user_id, office_role: 'risk' })).json.data
    const rejected = await second.post(`/api/admin/approval/${proposed.approval_id}/reject`, { reason })
    expect(rejected.json.data).not.toHaveProperty('password_half')
    const third = await hireOwner()
    // A lower role: its user keeps password and session.
    const lowered = (await propose(first, 'change_office_role', { user_id: third.user_id, office_role: 'support' }))
      .json.data
    expect(lowered.password_half).toBeNull()
    expect((await approve(second, lowered)).json.data.password_half).toBeNull()
    expect(codeOf(await third.caller.get('/mgluser/user_data/basic'))).toBe('ok')
    expect(await tryLogIn(app, third.username, DEMO_PASSWORD)).toBe('ok')
  })
})

test('an owner does not reject that two others take its role, nor does its assistant', async () => {
  const third = await hireOwner()
  const username = newName()
  const given = { username, display_name: 'helper', password: FIRST_PASSWORD, areas: ['staff'] } as const
  await hireAssistant(app.db, await findCaller(app.db, third.username), given)
  await finishFirstLogIn(app.owner, username)
  const helper = await app.logIn(username)
  const taken = (await propose(first, 'change_office_role', { user_id: third.user_id, office_role: 'none' })).json.data
  for (const by of [third.caller, helper]) {
    const rejected = await by.post(`/api/admin/approval/${taken.approval_id}/reject`, { reason })
    expect(codeOf(rejected)).toBe('not_allowed')
  }
  expect(codeOf(await approve(second, taken))).toBe('ok')
  expect(codeOf(await third.caller.get('/mgluser/staff'))).toBe('not_allowed')
})

async function hireOwner(): Promise<{ user_id: number; username: string; caller: TestCaller }> {
  const username = newName()
  const given = { username, display_name: 'owner', office_role: 'owner' } as const
  const { user_id } = await hireOfficeUser(app.owner, await findCaller(app.db, 'office01'), given)
  await finishFirstLogIn(app.owner, username)
  return { user_id, username, caller: await app.logIn(username) }
}

test('a raised role ends the sessions, the password and the factors of before', async () => {
  const { user_id, username, caller } = await hireSupport()
  const { recovery_codes } = await enrolApp(app, caller)
  expect(recovery_codes).toHaveLength(10)
  const halves = await giveHalves('change_office_role', { user_id, office_role: 'finance' })
  expect(codeOf(await caller.get('/mgluser/user_data/basic'))).toBe('session_password_changed')
  const { rows } = await app.asOwner`
      select (select count(*)::int from second_factors where user_id = ${user_id}) as factors,
        (select count(*)::int from recovery_codes where user_id = ${user_id}) as codes,
        (select count(*)::int from known_devices where user_id = ${user_id}) as devices`
  expect(rows).toEqual([{ factors: 0, codes: 0, devices: 0 }])
  await expectBothNeeded(username, halves)
  // No factor of before stands between the halves and the session.
  const { session } = await logInWith(app, username, halves.join('-'))
  expect(session).toMatchObject({ must_change_password: true })
})

describe('a reset of a password', () => {
  test('takes two people, ends the sessions, and leaves the factors', async () => {
    const { user_id, username, caller } = await hireSupport()
    await enrolApp(app, caller)
    const halves = await giveHalves('reset_password', { user_id })
    expect(codeOf(await caller.get('/mgluser/user_data/basic'))).toBe('session_password_changed')
    await expectBothNeeded(username, halves)
    const { session } = await logInWith(app, username, halves.join('-'))
    expect(session).toMatchObject({ must_change_password: true, must_verify_factor: true })
    const { rows } = await app.asOwner`
      select u.username, action from audit_log a join users u on u.user_id = a.actor_id
      where subject = ${`user:${user_id}`} and action = 'set_one_time_password'`
    expect(rows).toEqual([{ username: 'office02', action: 'set_one_time_password' }])
  })

  test('is neither proposed nor approved by its user, nor by its assistant', async () => {
    const owner = await hireOwner()
    const assistant = {
      username: newName(),
      display_name: 'helper',
      password: OWN_PASSWORD,
      areas: ['staff', 'people'],
    }
    expect(codeOf(await owner.caller.post('/mgluser/staff/assistant', assistant))).toBe('ok')
    await finishFirstLogIn(app.owner, assistant.username)
    const helper = await app.logIn(assistant.username)
    for (const by of [owner.caller, helper])
      expect(codeOf(await propose(by, 'reset_password', { user_id: owner.user_id }))).toBe('not_allowed')
    const proposed = (await propose(first, 'reset_password', { user_id: owner.user_id })).json.data
    for (const by of [owner.caller, helper]) expect(codeOf(await approve(by, proposed))).toBe('not_allowed')
    expect(codeOf(await approve(second, proposed))).toBe('ok')
  })

  test('is of office users alone', async () => {
    for (const username of ['agent01', 'member01', 'company']) {
      const { user_id } = await findCaller(app.db, username)
      expect([username, codeOf(await propose(first, 'reset_password', { user_id }))]).toEqual([username, 'not_found'])
    }
    const helper = newName()
    const given = { username: helper, display_name: 'helper', password: OWN_PASSWORD, areas: ['people'] }
    const { user_id } = (await second.post('/mgluser/staff/assistant', given)).json.data
    expect(codeOf(await propose(first, 'reset_password', { user_id }))).toBe('not_allowed')
  })
})

test('the database keeps halves to one-time passwords', async () => {
  const { user_id } = await makeOfficeUser()
  await giveHalves('change_office_role', { user_id, office_role: 'support' })
  const kept = sql`update users set must_change_password = false where user_id = ${user_id}`.execute(app.db)
  await expect(kept).rejects.toMatchObject({ constraint: 'users_halves_are_of_one_time_passwords' })
})
