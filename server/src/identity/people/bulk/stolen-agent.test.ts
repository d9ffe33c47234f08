// Goal: an agent whose account somebody else had gets it back with a password from above, and the assistants that were made with it are of no
// use to whoever made them.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { newName } from '../../../../test/approvals.ts'
import { logInWith, tryLogIn } from '../../../../test/factor-callers.ts'
import {
  addPerson,
  codeOf,
  countWaitingForLocks,
  finishFirstLogIn,
  FIRST_PASSWORD,
  holdLock,
  waitForLock,
} from '../../../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../../../test/test-app.ts'
import { takeLock } from '../../../postgres/advisory-locks.ts'
import { DEMO_PASSWORD } from '../../../demo/demo.ts'

const reason = 'stolen'
const OWN_PASSWORD = 'quiet-harbour-31'
const GIVEN_PASSWORD = 'maple-once-26'

const app = await startTestApp()
await addPerson(app.db, 'super1', 'super_senior', 'company', 1_000_000)
const above = await app.logIn('super1')
const office = await app.logIn('office01')
beforeEach(() => app.asOwner`delete from failed_tries`)

/** An agent below super1 whose password is known to a thief, who is logged in. */
async function addStolen() {
  const username = newName()
  const user_id = await addPerson(app.db, username, 'agent', 'super1')
  return { user_id, username, thief: await app.logIn(username) }
}

const givenOf = (username: string) => ({
  ...{ username, display_name: 'helper', password: FIRST_PASSWORD },
  areas: ['staff', 'people'],
})

/** An assistant that is logged in, with a password that whoever made it knows. */
async function addHelper(by: TestCaller) {
  const username = newName()
  const { user_id } = (await by.post('/mgluser/staff/assistant', givenOf(username))).json.data
  await finishFirstLogIn(app.owner, username)
  return { user_id, username, caller: await app.logIn(username) }
}

async function givePasswords(by: TestCaller, user_ids: readonly number[], fields: object = {}): Promise<string[]> {
  const rows = user_ids.map((user_id) => ({ user_id, password: GIVEN_PASSWORD }))
  const body = { rows, reason, request_id: randomUUID(), ...fields }
  return (await by.post('/mgluser/people/bulk/passwords', body)).json.data.outcomes.map(({ code }) => code)
}

async function changeOwn(caller: TestCaller, old_password: string): Promise<void> {
  const change = { old_password, new_password: OWN_PASSWORD, confirm_password: OWN_PASSWORD }
  expect(codeOf(await caller.post('/mgluser/change_password', change))).toBe('ok')
}

const setStatus = async (by: TestCaller, user_id: number, own_status: 'NORMAL' | 'SUSPENDED') =>
  codeOf(await by.post(`/mgluser/staff/${user_id}/status`, { own_status, reason }))

async function listStatusChanges(user_id: number): Promise<object[]> {
  const { rows } = await app.asOwner<object>`
    select username as by, before ->> 'own_status' as before, after ->> 'own_status' as after, reason
    from audit_log join users on users.user_id = actor_id
    where subject = ${`user:${user_id}`} and action = 'change_status' order by audit_id`
  return rows
}

// Defect: a password from above gave the account back to its agent, and left the assistants of the thief with their sessions and passwords.
test.each([
  ['super1', () => above],
  ['office01', () => office],
])('a password that %s gives suspends the assistants, until the agent readmits each', async (by, giver) => {
  const { user_id, username, thief } = await addStolen()
  const [one, other] = [await addHelper(thief), await addHelper(thief)]
  expect(await givePasswords(giver(), [user_id])).toEqual(['ok'])
  for (const helper of [one, other]) {
    expect(codeOf(await helper.caller.get('/mgluser/staff'))).toBe('session_suspended')
    expect(await tryLogIn(app, helper.username, DEMO_PASSWORD)).toBe('suspended')
    expect(await listStatusChanges(helper.user_id)).toEqual([{ by, before: 'NORMAL', after: 'SUSPENDED', reason }])
    for (const caller of [above, office]) expect(await setStatus(caller, helper.user_id, 'NORMAL')).toBe('not_found')
  }
  expect(await tryLogIn(app, username, DEMO_PASSWORD)).toBe('wrong_login')
  await changeOwn((await logInWith(app, username, GIVEN_PASSWORD)).caller, GIVEN_PASSWORD)
  const { caller: back } = await logInWith(app, username, OWN_PASSWORD)
  const password = { password: GIVEN_PASSWORD, reason }
  expect(codeOf(await back.post(`/mgluser/staff/${one.user_id}/password`, password))).toBe('ok')
  expect(await setStatus(back, one.user_id, 'NORMAL')).toBe('ok')
  expect(await tryLogIn(app, one.username, DEMO_PASSWORD)).toBe('wrong_login')
  expect(await tryLogIn(app, one.username, GIVEN_PASSWORD)).toBe('ok')
  expect(await tryLogIn(app, other.username, DEMO_PASSWORD)).toBe('suspended')
})

test('many passwords at once suspend the assistants of their agents and no others, each once', async () => {
  const [first, second, third] = [await addStolen(), await addStolen(), await addStolen()]
  const member = await addPerson(app.db, newName(), 'member', first.username)
  const helpers = [await addHelper(first.thief), await addHelper(second.thief), await addHelper(third.thief)]
  const suspended = await addHelper(first.thief)
  expect(await setStatus(first.thief, suspended.user_id, 'SUSPENDED')).toBe('ok')
  const named = [second.user_id, member, first.user_id]
  expect(await givePasswords(above, named, { preview: true })).toEqual(['ok', 'ok', 'ok'])
  expect(codeOf(await helpers[0]!.caller.get('/mgluser/staff'))).toBe('ok')
  const request_id = randomUUID()
  for (let repeat = 0; repeat < 2; repeat += 1)
    expect(await givePasswords(above, named, { request_id })).toEqual(['ok', 'ok', 'ok'])
  const counts = [...helpers, suspended].map(async ({ user_id }) => (await listStatusChanges(user_id)).length)
  expect(await Promise.all(counts)).toEqual([1, 1, 0, 1])
  expect(codeOf(await helpers[2]!.caller.get('/mgluser/staff'))).toBe('ok')
})

test('a refused password suspends nobody', async () => {
  const { user_id, thief } = await addStolen()
  const helper = await addHelper(thief)
  const rows = [{ user_id, password: 'dragon77' }]
  expect(await givePasswords(above, [user_id], { rows })).toEqual(['common_password'])
  expect(codeOf(await helper.caller.get('/mgluser/staff'))).toBe('ok')
})

test('an assistant that is being made meanwhile is suspended as well', async () => {
  const { user_id, thief } = await addStolen()
  const lock = await holdLock(app.owner, sql`select ${takeLock('userHierarchy')}`)
  const username = newName()
  const making = thief.post('/mgluser/staff/assistant', givenOf(username))
  await waitForLock(app.owner)
  let isGiven = false
  const giving = givePasswords(above, [user_id]).finally(() => (isGiven = true))
  while (!isGiven && (await countWaitingForLocks(app.owner)) < 2);
  await lock.release()
  expect([codeOf(await making), await giving]).toEqual(['ok', ['ok']])
  expect(await tryLogIn(app, username, FIRST_PASSWORD)).toBe('suspended')
  expect(codeOf(await thief.post('/mgluser/staff/assistant', givenOf(newName())))).toBe('session_password_changed')
})

test('a change of the own password suspends no assistant', async () => {
  const { username, thief } = await addStolen()
  const helper = await addHelper(thief)
  await changeOwn(thief, DEMO_PASSWORD)
  expect(await tryLogIn(app, username, OWN_PASSWORD)).toBe('ok')
  expect(codeOf(await helper.caller.get('/mgluser/staff'))).toBe('ok')
})

// A principal gives its assistant another first password before the first log-in, and whoever had the one before is out.
test('an assistant that has not logged in yet gets another first password from its agent', async () => {
  const { thief } = await addStolen()
  const username = newName()
  const { user_id } = (await thief.post('/mgluser/staff/assistant', givenOf(username))).json.data
  const password = { password: GIVEN_PASSWORD, reason }
  expect(codeOf(await thief.post(`/mgluser/staff/${user_id}/password`, password))).toBe('ok')
  expect(await tryLogIn(app, username, FIRST_PASSWORD)).toBe('wrong_login')
  expect(await tryLogIn(app, username, GIVEN_PASSWORD)).toBe('ok')
})
