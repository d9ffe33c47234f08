// Goal: office users have the permissions of their role, assistants some of their principal's and never more than it has
// at the moment; nobody grants what they lack, and the office always has an owner.

import { closeEarly } from '../../../test/changes.ts'
import { hireAssistant, hireOfficeUser, setRoleByTwo } from '../../../test/staff.ts'
import { randomUUID } from 'node:crypto'
import {
  type OfficeRole,
  officeRoles,
  permissions as everyPermission,
  permissionsOfRole,
  type Permission,
} from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { logInWith } from '../../../test/factor-callers.ts'
import { findCaller } from '../../../test/nodes.ts'
import {
  addPerson,
  codeOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  holdDraw,
  dayOf,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  waitForLock,
} from '../../../test/scenes.ts'
import { CAPTCHA_ANSWER, startTestApp, type TestCaller } from '../../../test/test-app.ts'
import type { Db } from '../../postgres/db.ts'

const reason = 'as the test wants it'
const given = { display_name: 'Staff', password: FIRST_PASSWORD }

let owner: TestCaller
let agent: TestCaller

const app = await startTestApp()
await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)
for (const office_role of officeRoles.filter((role) => role !== 'owner')) {
  const username = `${office_role}01`
  const office_user = { ...given, username, office_role }
  await hireOfficeUser(app.owner, await findCaller(app.db, 'office01'), office_user)
  await finishFirstLogIn(app.owner, username)
}
beforeEach(async () => {
  await app.asOwner`update users set own_status = 'NORMAL' where own_status <> 'NORMAL'`
  await app.asOwner`update users set office_role = 'owner' where username in ('office01', 'office02')`
  owner = await app.logIn('office01')
  agent = await app.logIn('agent01')
})

/** A new assistant, logged in. */
async function hire(principal: string, areas: Parameters<typeof hireAssistant>[2]['areas']): Promise<TestCaller> {
  const username = newName()
  await hireAssistant(app.db, await findCaller(app.db, principal), { ...given, username, areas })
  await finishFirstLogIn(app.owner, username)
  return app.logIn(username)
}

const newName = () => `s${randomUUID().replaceAll('-', '')}`
const set = (by: TestCaller, what: string, of: { user_id: number }, body: object) =>
  by.post(`/mgluser/staff/${of.user_id}/${what}`, { reason, ...body })

/** Sets a role as the approval of two people does. */
const setRole = async (user_id: number, office_role: OfficeRole) =>
  setRoleByTwo(app.owner, await findCaller(app.db, 'office01'), user_id, office_role)

async function auditOf(user_id: number) {
  return app.owner
    .selectFrom('audit_log')
    .innerJoin('users', 'users.user_id', 'audit_log.actor_id')
    .select(['username', 'action', 'before', 'after', 'reason'])
    .where('subject', '=', `user:${user_id}`)
    .where('action', 'not in', ['log_in', 'log_off'])
    .orderBy('audit_id')
    .execute()
}

async function permissionsOf(caller: TestCaller): Promise<Permission[]> {
  return (await caller.get('/mgluser/user_data/basic')).json.data.permissions
}

describe('permissions', () => {
  test.each(officeRoles)('of an office user follow from the role %s', async (role) => {
    const user = await app.logIn(role === 'owner' ? 'office01' : `${role}01`)
    const { data } = (await user.get('/mgluser/user_data/basic')).json
    expect(new Set(data.permissions)).toEqual(permissionsOfRole[role])
    expect(data).toMatchObject({ office_role: role, principal: null, is_office: true })
  })

  test('of an agent are all but those of the office alone, of a member none', async () => {
    const lacking = everyPermission.filter((one) => /^(periods|results|maintenance)\./.test(one))
    for (const upline of [agent, await app.logIn('company')])
      expect(await permissionsOf(upline)).toEqual(everyPermission.filter((one) => !lacking.includes(one)))
    expect(await permissionsOf(await app.logIn('member01'))).toEqual([])
  })

  test('of an assistant are its areas, in the reply to its log-in too', async () => {
    const username = newName()
    const created = await agent.post('/mgluser/staff/assistant', { ...given, username, areas: ['people', 'credit'] })
    const principal = { user_id: agent.user_id, username: 'agent01', display_name: 'agent01' }
    const permissions = ['people.view', 'people.do', 'credit.view', 'credit.do']
    expect(created.json.data).toMatchObject({ username, office_role: null, principal, permissions })
    const request_id = randomUUID()
    await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
    const logIn = { username, password: FIRST_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER }
    const { json } = await app.call('POST', '/megalot/auth/login', logIn)
    expect(json.data).toMatchObject({ username, level: 'agent', is_office: false, principal, permissions })
  })
})

describe('an assistant', () => {
  test('acts over the line of its principal, and is recorded itself', async () => {
    const helper = await hire('agent01', ['people', 'credit', 'tickets'])
    const [member, stranger] = [await app.logIn('member01'), await app.logIn('stranger01')]
    const { json } = await helper.get('/mgluser/downline?ipp=100')
    expect(json.data.map((one) => one.username)).toContain('member01')
    expect(json.data.map((one) => one.username)).not.toContain('stranger01')
    const credit = (of: TestCaller, credit_limit_satang: number) =>
      helper.post(`/mgluser/downline/${of.user_id}/credit_limit`, { credit_limit_satang, reason })
    expect(codeOf(await credit(member, 5_000_100))).toBe('ok')
    expect(codeOf(await credit(stranger, 5_000_100))).toBe('not_found')
    const { username } = (await helper.get('/mgluser/user_data/basic')).json.data
    expect(await auditOf(member.user_id)).toContainEqual({
      username,
      action: 'change_credit_limit',
      before: { credit_limit_satang: 5_000_000 },
      after: { credit_limit_satang: 5_000_100 },
      reason,
    })
    const ticket = await placeTicket(member, makeTicket(await openPeriod(app.owner)))
    expect(codeOf(await helper.post(`/api/order/${ticket.order_id}/delete`, { reason }))).toBe('ok')
    const { events, cancelled_by } = (await member.get(`/api/order/${ticket.order_id}`)).json.data
    expect([events.at(-1)?.actor, cancelled_by]).toEqual([username, username])
  })

  test('changes a status with the rank of its principal, who can undo it', async () => {
    const helper = await hire('agent01', ['people'])
    const member = await app.logIn('member02')
    const status = (by: TestCaller, own_status: string) =>
      by.post(`/mgluser/downline/${member.user_id}/status`, { own_status, reason })
    expect(codeOf(await status(helper, 'SUSPENDED'))).toBe('ok')
    expect(codeOf(await status(agent, 'NORMAL'))).toBe('ok')
    expect(codeOf(await status(await app.logIn('company'), 'DISABLED_BET'))).toBe('ok')
    expect(codeOf(await status(helper, 'NORMAL'))).toBe('status_set_above')
  })

  test('cannot bet, has no credit, and is outside of the hierarchy', async () => {
    const helper = await hire('agent01', ['people', 'credit', 'terms', 'reports'])
    expect(codeOf(await helper.post('/api/order/create', makeTicket(await openPeriod(app.owner))))).toBe('not_allowed')
    const { data } = (await helper.get('/mgluser/user_data/credit_info')).json
    expect(Object.values(data)).toEqual([0, 0, 0, 0, 0])
    const url = `/mgluser/downline/${helper.user_id}`
    for (const by of [agent, owner]) {
      expect(codeOf(await by.post(`${url}/credit_limit`, { credit_limit_satang: 100, reason }))).toBe('not_found')
      expect(codeOf(await by.post(`${url}/status`, { own_status: 'NORMAL', reason }))).toBe('not_found')
      expect(codeOf(await by.get(`${url}/packages`))).toBe('not_found')
      expect(codeOf(await by.get(`/mgluser/profit/transaction_list/${helper.user_id}`))).toBe('not_found')
      const { json } = await by.get('/mgluser/downline?ipp=400')
      expect(json.data.map(({ user_id }) => user_id)).not.toContain(helper.user_id)
    }
    const below = addPerson(
      app.db,
      newName(),
      'member',
      (await helper.get('/mgluser/user_data/basic')).json.data.username,
    )
    await expect(below).rejects.toThrow('cannot stand under')
  })

  test.each(['member01', 'helper'])('is not made for %s', async (name) => {
    const principal = name === 'helper' ? await hire('agent01', ['staff']) : await app.logIn(name)
    const made = app.asOwner`insert into users (username, display_name, level, principal_id, assistant_areas, password_hash)
      values (${newName()}, 'x', 'agent', ${principal.user_id}, '{people}', '')`
    await expect(made).rejects.toMatchObject({ constraint: 'users_with_assistants' })
  })

  test('loses power at once with its principal', async () => {
    const helper = await hire('agent02', ['people'])
    const officeHelper = await hire('office02', ['credit', 'people'])
    expect(await permissionsOf(officeHelper)).toContain('credit.do')
    // The principal's role is another: of its areas it has what the role has.
    const second = (await app.logIn('office02')).user_id
    await setRole(second, 'support')
    expect(await permissionsOf(officeHelper)).toEqual(['people.view'])
    const status = await owner.post(`/mgluser/downline/${agent.user_id}/credit_limit`, { credit_limit_satang: 1 })
    expect(codeOf(status)).not.toBe('not_allowed')
    // The principal is suspended, then an upline of a principal.
    await set(owner, 'status', { user_id: second }, { own_status: 'SUSPENDED' })
    expect(codeOf(await officeHelper.get('/mgluser/user_data/basic'))).toBe('session_suspended')
    const agent02 = (await findCaller(app.db, 'agent02')).user_id
    await owner.post(`/mgluser/downline/${agent02}/status`, { own_status: 'SUSPENDED', reason })
    // Its session is over, whether it calls meanwhile or not.
    const session = await app.owner
      .selectFrom('sessions')
      .select('end_reason')
      .where('user_id', '=', helper.user_id)
      .executeTakeFirstOrThrow()
    expect(session.end_reason).toBe('suspended')
    expect(codeOf(await helper.get('/mgluser/user_data/basic'))).toBe('session_suspended')
    const { username } = await app.owner
      .selectFrom('users')
      .select('username')
      .where('user_id', '=', helper.user_id)
      .executeTakeFirstOrThrow()
    await expect(app.logIn(username)).rejects.toThrow('suspended')
    await owner.post(`/mgluser/downline/${agent02}/status`, { own_status: 'NORMAL', reason })
    await app.logIn(username)
  })

  test('its own suspension does not lift that of its principal', async () => {
    const helper = await hire('agent02', ['people'])
    const agent02 = (await findCaller(app.db, 'agent02')).user_id
    const readStatus = async () => (await findCaller(app.db, await nameOf(helper))).status
    await owner.post(`/mgluser/downline/${agent02}/status`, { own_status: 'SUSPENDED', reason })
    await app.asOwner`update users set own_status = 'DISABLED_BET' where user_id = ${helper.user_id}`
    expect(await readStatus()).toBe('SUSPENDED')
    await owner.post(`/mgluser/downline/${agent02}/status`, { own_status: 'NORMAL', reason })
    expect(await readStatus()).toBe('DISABLED_BET')
  })

  // Defect: a colleague brought back the assistant that its principal had dismissed, and had the principal's vote with it.
  test('its suspension is lifted by its principal alone', async () => {
    const helper = await hire('office01', ['results'])
    const [principal, colleague] = [await app.logIn('office01'), await app.logIn('office02')]
    const set = async (by: TestCaller, own_status: string): Promise<string> =>
      codeOf(await by.post(`/mgluser/staff/${helper.user_id}/status`, { own_status, reason }))
    for (const by of [principal, colleague]) expect(await set(by, 'SUSPENDED')).toBe('ok')
    expect(await set(colleague, 'NORMAL')).toBe('not_allowed')
    expect(await set(principal, 'NORMAL')).toBe('ok')
  })
})

async function nameOf({ user_id }: TestCaller): Promise<string> {
  const { username } = await app.owner
    .selectFrom('users')
    .select('username')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return username
}

// Defect: an agent had 3,000 assistants, and lists of them kept everybody waiting.
test('a principal has a hundred assistants that are not suspended, also where two are made at once', async () => {
  const chief_id = await addPerson(app.owner, 'chief1', 'agent', 'company', 0)
  const chief = await app.logIn('chief1')
  const [first, second] = [await hire('chief1', ['people']), await hire('chief1', ['people'])]
  expect(codeOf(await set(chief, 'status', first, { own_status: 'SUSPENDED' }))).toBe('ok')
  await app.asOwner`insert into users (username, display_name, level, principal_id, assistant_areas, password_hash)
    select 'many' || n, 'x', 'agent', ${chief_id}, array['people'], 'x' from generate_series(1, 98) n`
  const make = () =>
    chief.post('/mgluser/staff/assistant', { ...given, username: newName(), areas: ['people'] }).then(codeOf)
  expect((await Promise.all([make(), make(), make()])).toSorted()).toEqual(['ok', 'too_many_active', 'too_many_active'])
  expect(codeOf(await set(chief, 'status', first, { own_status: 'NORMAL' }))).toBe('too_many_active')
  expect(codeOf(await set(chief, 'status', second, { own_status: 'NORMAL' }))).toBe('ok')
  expect(codeOf(await set(chief, 'status', second, { own_status: 'SUSPENDED' }))).toBe('ok')
  expect(codeOf(await set(chief, 'status', first, { own_status: 'NORMAL' }))).toBe('ok')
  expect(await make()).toBe('too_many_active')
})

describe('two people', () => {
  test('are not an office user and its assistant, nor two assistants of one', async () => {
    const helpers = [await hire('office01', ['results']), await hire('office01', ['results'])]
    const other = await hire('office02', ['results'])
    const period_code = await openPeriod(app.owner)
    await closeEarly(app.db, period_code)

    await holdDraw(app.owner, period_code)
    const enter = (by: TestCaller, url = '/api/award', top3 = '123') =>
      by.post(`${url}?date=${dayOf(period_code)}`, { period_code, result: makeResult(top3) })
    expect(codeOf(await enter(helpers[0]!))).toBe('ok')
    expect(codeOf(await enter(owner))).toBe('award_same_person')
    expect(codeOf(await enter(helpers[1]!))).toBe('award_same_person')
    expect(codeOf(await enter(other))).toBe('ok')
  })

  test('are not an office user and its assistant in SQL either', async () => {
    const helper = await hire('office01', ['results'])
    const period_code = await openPeriod(app.owner)
    await closeEarly(app.db, period_code)
    await holdDraw(app.owner, period_code)
    const body = { period_code, result: makeResult('123') }
    expect(codeOf(await owner.post(`/api/award?date=${dayOf(period_code)}`, body))).toBe('ok')
    const forged = sql`update awards set repeated_by = ${helper.user_id}, repeated_result = result, state = 'agreed'
      where period_id = (select period_id from periods where period_code = ${period_code})`.execute(app.db)
    await expect(forged).rejects.toMatchObject({ constraint: 'two_people' })
  })
})

describe('staff', () => {
  test('is made with a role or areas that its maker has, and everything is audited', async () => {
    const username = newName()
    const made = await owner.post('/mgluser/staff/office', { display_name: 'Staff', username })
    const shown = { username, office_role: 'none', areas: null, permissions: [], own_status: 'NORMAL' }
    expect(made.json.data).toMatchObject(shown)
    const { user_id } = made.json.data
    const office = await findCaller(app.db, 'office01')
    await setRoleByTwo(app.owner, office, user_id, 'auditor', reason)
    expect(codeOf(await set(owner, 'role', { user_id }, { office_role: 'support' }))).toBe('ok')
    expect(codeOf(await set(owner, 'status', { user_id }, { own_status: 'SUSPENDED' }))).toBe('ok')
    expect(await auditOf(user_id)).toMatchObject([
      { username: 'office01', action: 'create_office_user', after: { username, office_role: 'none' } },
      { action: 'change_office_role', before: { office_role: 'none' }, after: { office_role: 'auditor' }, reason },
      { action: 'change_office_role', before: { office_role: 'auditor' }, after: { office_role: 'support' }, reason },
      { action: 'change_status', before: { own_status: 'NORMAL' }, after: { own_status: 'SUSPENDED' }, reason },
    ])
    const helper = await hire('agent01', ['people', 'staff'])
    expect(codeOf(await set(agent, 'areas', helper, { areas: ['reports'] }))).toBe('ok')
    expect(await auditOf(helper.user_id)).toMatchObject([
      { username: 'agent01', action: 'create_assistant', after: { areas: ['people', 'staff'] } },
      {
        action: 'change_assistant_areas',
        before: { areas: ['people', 'staff'] },
        after: { areas: ['reports'] },
        reason,
      },
    ])
    expect(await permissionsOf(helper)).toEqual(['reports.view', 'reports.do'])
  })

  test('only those who view credit read what is left to give', async () => {
    const leftTo = async (caller: TestCaller): Promise<number | null> =>
      (await caller.get('/mgluser/user_data/basic')).json.data.credit_to_give_satang
    expect(await leftTo(await hire('agent01', ['people']))).toBeNull()
    expect(await leftTo(await hire('agent01', ['credit']))).toBe(await leftTo(agent))
    expect(await leftTo(agent)).not.toBeNull()
  })

  test('nobody grants what they lack', async () => {
    const assistant = (by: TestCaller, areas: string[]) =>
      by.post('/mgluser/staff/assistant', { ...given, username: newName(), areas })
    expect(codeOf(await assistant(agent, ['people', 'results']))).toBe('more_than_own')
    const helper = await hire('agent01', ['people', 'staff'])
    expect(codeOf(await assistant(helper, ['people']))).toBe('ok')
    expect(codeOf(await assistant(helper, ['credit']))).toBe('more_than_own')
    const peer = await hire('agent01', ['people'])
    expect(codeOf(await set(helper, 'areas', peer, { areas: ['people', 'credit'] }))).toBe('more_than_own')
    expect(codeOf(await set(helper, 'areas', helper, { areas: ['people'] }))).toBe('not_allowed')
    const ownerHelper = await hire('office01', ['staff', 'people'])
    const support = (await findCaller(app.db, 'support01')).user_id
    for (const office_role of ['owner', 'finance', 'risk'])
      expect(codeOf(await set(ownerHelper, 'role', { user_id: support }, { office_role }))).toBe('more_than_own')
  })

  test('of a colleague only loses areas', async () => {
    const helper = await hire('office02', ['people', 'credit'])
    const change = (by: TestCaller, areas: string[]) => set(by, 'areas', helper, { areas })
    expect(codeOf(await change(owner, ['people', 'credit', 'results']))).toBe('not_allowed')
    expect(codeOf(await change(owner, ['results']))).toBe('not_allowed')
    expect(await permissionsOf(helper)).toEqual(['people.view', 'people.do', 'credit.view', 'credit.do'])
    expect(codeOf(await change(owner, ['people']))).toBe('ok')
    expect(await permissionsOf(helper)).toEqual(['people.view', 'people.do'])
    expect(codeOf(await change(await app.logIn('office02'), ['people', 'results']))).toBe('ok')
  })

  test('nobody decides about staff with more permissions', async () => {
    const helper = await hire('agent01', ['people', 'staff'])
    const stronger = await hire('agent01', ['people', 'credit'])
    expect(codeOf(await set(helper, 'status', stronger, { own_status: 'SUSPENDED' }))).toBe('more_than_own')
    expect(codeOf(await set(helper, 'sessions/end', stronger, {}))).toBe('more_than_own')
    const ownerHelper = await hire('office01', ['staff'])
    const second = (await findCaller(app.db, 'office02')).user_id
    expect(codeOf(await set(ownerHelper, 'role', { user_id: second }, { office_role: 'support' }))).toBe(
      'more_than_own',
    )
    expect(codeOf(await set(ownerHelper, 'status', { user_id: second }, { own_status: 'SUSPENDED' }))).toBe(
      'more_than_own',
    )
  })

  test('of others is not there, and is not listed', async () => {
    const helper = await hire('agent02', ['people'])
    expect(codeOf(await set(agent, 'areas', helper, { areas: ['people'] }))).toBe('not_found')
    expect(codeOf(await set(owner, 'sessions/end', helper, {}))).toBe('not_found')
    const listed = (await agent.get('/mgluser/staff')).json.data
    expect(listed.every(({ principal }) => principal?.username === 'agent01')).toBe(true)
    const ofOffice = (await owner.get('/mgluser/staff')).json.data
    expect(ofOffice.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['office01', 'office02', 'auditor01', 'support01']),
    )
    expect(ofOffice.map(({ user_id }) => user_id)).not.toContain(helper.user_id)
    expect(ofOffice.find(({ username }) => username === 'office01')).toMatchObject({ has_session: true })
  })

  test('gets a password for one log-in from its own principal alone', async () => {
    const helper = await hire('office01', ['people'])
    const username = await nameOf(helper)
    const password = 'copper-window-88'
    const colleague = await app.logIn('office02')
    expect(codeOf(await set(colleague, 'password', helper, { password }))).toBe('not_allowed')
    expect(codeOf(await set(owner, 'password', { user_id: colleague.user_id }, { password }))).toBe('not_allowed')
    const peer = await hire('office01', ['staff'])
    expect(codeOf(await set(peer, 'password', helper, { password }))).toBe('more_than_own')
    expect(codeOf(await set(peer, 'password', peer, { password }))).toBe('not_allowed')
    expect(codeOf(await set(owner, 'password', helper, { password: 'short-one' }))).toBe('weak_password')
    expect(codeOf(await set(owner, 'password', helper, { password }))).toBe('ok')
    expect(codeOf(await helper.get('/mgluser/user_data/basic'))).toBe('session_password_changed')
    const { session } = await logInWith(app, username, password)
    expect(session).toMatchObject({ must_change_password: true })
    expect((await auditOf(helper.user_id)).at(-1)).toEqual({
      username: 'office01',
      action: 'set_one_time_password',
      before: null,
      after: null,
      reason,
    })
  })

  test('gets no password that is short in the office, or easy to guess', async () => {
    const make = (by: TestCaller, password: string) =>
      by.post('/mgluser/staff/assistant', { display_name: 'Staff', username: newName(), password, areas: ['people'] })
    expect(codeOf(await make(owner, 'maple-lant'))).toBe('weak_password')
    expect(codeOf(await make(agent, 'maple-lant'))).toBe('ok')
    expect(codeOf(await make(agent, 'dragon77'))).toBe('common_password')
    const ofAgent = await hire('agent01', ['people'])
    expect(codeOf(await set(agent, 'password', ofAgent, { password: 'dragon77' }))).toBe('common_password')
    expect(codeOf(await set(owner, 'password', ofAgent, { password: 'copper-window-88' }))).toBe('not_found')
  })

  test('is logged out by whoever is in charge, and may log in again', async () => {
    const helper = await hire('agent01', ['people'])
    expect(codeOf(await set(agent, 'sessions/end', helper, {}))).toBe('ok')
    expect(codeOf(await helper.get('/mgluser/user_data/basic'))).toBe('session_ended')
    await app.logIn(await nameOf(helper))
  })

  test.each([
    ['an existing name', { username: 'member01', areas: ['people'] }, 'username_taken'],
    ['no area', { areas: [] }, 'bad_input'],
  ])('is not made with %s', async (_, body, code) => {
    expect(codeOf(await agent.post('/mgluser/staff/assistant', { ...given, username: newName(), ...body }))).toBe(code)
  })
})

test('an owner is neither suspended nor given another role by one person', async () => {
  const second = { user_id: (await findCaller(app.db, 'office02')).user_id }
  expect(codeOf(await set(owner, 'status', second, { own_status: 'SUSPENDED' }))).toBe('approval_needed')
  for (const office_role of ['none', 'auditor'])
    for (const of of [second, owner])
      expect(codeOf(await set(owner, 'role', of, { office_role }))).toBe('approval_needed')
  const { rows } = await app.asOwner`select office_role, own_status from users where user_id = ${second.user_id}`
  expect(rows).toEqual([{ office_role: 'owner', own_status: 'NORMAL' }])
})

describe('the last owner', () => {
  test('keeps its role', async () => {
    await app.asOwner`update users set office_role = 'support'
      where office_role = 'owner' and username not in ('office01', 'office02')`
    const second = (await findCaller(app.db, 'office02')).user_id
    await setRole(second, 'auditor')
    await expect(setRole(owner.user_id, 'auditor')).rejects.toMatchObject({ code: 'last_owner' })
    await setRole(second, 'owner')
    await setRole(owner.user_id, 'auditor')
  })

  test('is there after two transactions that each take one role by SQL', async () => {
    await app.asOwner`update users set office_role = 'support'
      where office_role = 'owner' and username not in ('office01', 'office02')`
    const take = (db: Db, username: string) =>
      sql`update users set office_role = 'support' where username = ${username}`.execute(db)
    let second: Promise<unknown> = Promise.resolve()
    const first = app.owner.transaction().execute(async (tx) => {
      await take(tx, 'office01')
      second = take(app.owner, 'office02')
      await Promise.race([waitForLock(app.owner), Promise.allSettled([second])])
    })
    const results = await Promise.allSettled([first, first.then(() => second)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((one) => one.status === 'rejected')?.reason).toMatchObject({
      constraint: 'office_keeps_an_owner',
    })
  })

  test('is there after two owners have taken the role of each other at once', async () => {
    for (let round = 0; round < 20; round++) {
      await app.asOwner`update users set office_role = 'owner' where username in ('office01', 'office02')`
      const pair = [await findCaller(app.db, 'office01'), await findCaller(app.db, 'office02')] as const
      const results = await Promise.allSettled([
        setRoleByTwo(app.owner, pair[0], pair[1].user_id, 'support'),
        setRoleByTwo(app.owner, pair[1], pair[0].user_id, 'support'),
      ])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(results.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'last_owner' })
    }
  })
})
