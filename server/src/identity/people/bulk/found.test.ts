// Goal: a change of everybody whom a filter finds concerns exactly the users of the caller's line who match it under the lock.

import { randomUUID } from 'node:crypto'
import { type BulkResult, MAX_FOUND_ROWS } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrolKey, logInWith } from '../../../../test/factor-callers.ts'
import { findViolatedInvariants } from '../../../../test/invariants.ts'
import { findCaller } from '../../../../test/nodes.ts'
import { addPerson, changeWhileLocked, codeOf, finishFirstLogIn, FIRST_PASSWORD } from '../../../../test/scenes.ts'
import { hireAssistant } from '../../../../test/staff.ts'
import { startTestApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await startTestApp()
// company ┬ shop1 ┬ player1, player2, player3; │ sub-line: none
//         └ shop2 ─ cousin1.
await addPerson(app.db, 'shop1', 'agent', 'company', 1_000_000)
await addPerson(app.db, 'shop2', 'agent', 'company', 1_000_000)
for (const name of ['player1', 'player2', 'player3']) await addPerson(app.db, name, 'member', 'shop1', 100_000)
await addPerson(app.db, 'cousin1', 'member', 'shop2', 100_000)
const clerk = { username: 'clerk1', display_name: 'Clerk', password: FIRST_PASSWORD, areas: ['people'] as const }
await hireAssistant(app.db, await findCaller(app.db, 'shop1'), { ...clerk, areas: [...clerk.areas] })
await finishFirstLogIn(app.owner, 'clerk1')

const callers = new Map<string, TestCaller>()
for (const name of ['shop1', 'company', 'office01', 'clerk1']) callers.set(name, await app.logIn(name))

const reason = 'เพื่อการทดสอบ'
const send = (by: string, kind: string, body: object) =>
  callers.get(by)!.post(`/mgluser/people/bulk/${kind}`, { request_id: randomUUID(), reason, ...body })

async function change(by: string, kind: string, body: object): Promise<BulkResult> {
  const { http, json } = await send(by, kind, body)
  expect([http, json.error]).toEqual([200, undefined])
  return json.data as BulkResult
}

const namesOf = ({ outcomes }: BulkResult) => outcomes.map(({ username, code }) => `${username} ${code}`).toSorted()

async function statuses(): Promise<string> {
  const { rows } = await app.asOwner<{ text: string }>`
    select string_agg(username || ' ' || own_status, ', ' order by username) as text from users
    where level = 'member' and own_status <> 'NORMAL'`
  return rows[0]!.text ?? ''
}

beforeEach(async () => {
  await app.asOwner`update users set own_status = 'NORMAL', status_set_by = null where own_status <> 'NORMAL'`
  await app.asOwner`update accounts set floor_satang = -100000 where kind = 'cash' and floor_satang <> -100000
    and user_id in (select user_id from users where level = 'member')`
})

const suspendMembers = { filter: { level: 'member' }, own_status: 'SUSPENDED' }

describe('a status', () => {
  test('is set for everybody of the line who matches, and for nobody else', async () => {
    const found = await change('shop1', 'status', suspendMembers)
    expect(namesOf(found)).toEqual(['player1 ok', 'player2 ok', 'player3 ok'])
    expect(await statuses()).toBe('player1 SUSPENDED, player2 SUSPENDED, player3 SUSPENDED')
  })

  test('of a preview says who would change and writes nothing', async () => {
    const found = await change('shop1', 'status', { ...suspendMembers, preview: true })
    expect([found.is_preview, found.ok_count]).toEqual([true, 3])
    expect(await statuses()).toBe('')
  })

  test('is set once for a request', async () => {
    const request_id = randomUUID()
    const body = { ...suspendMembers, request_id }
    const first = await change('shop1', 'status', body)
    await app.asOwner`update users set own_status = 'NORMAL', status_set_by = null where level = 'member'`
    expect(await change('shop1', 'status', body)).toEqual(first)
    expect(await statuses()).toBe('')
  })

  test('needs ids or a filter, and not both', async () => {
    const own_status = 'SUSPENDED'
    expect(codeOf(await send('shop1', 'status', { own_status }))).toBe('bad_input')
    expect(codeOf(await send('shop1', 'status', { ...suspendMembers, user_ids: [1] }))).toBe('bad_input')
    expect(codeOf(await send('shop1', 'status', { own_status, filter: { parent_id: '1' } }))).toBe('bad_input')
  })

  test('is refused by a filter that shows what the caller may not view', async () => {
    const filter = { product_code: 'egypt', package_code: '70' }
    expect(codeOf(await send('clerk1', 'status', { filter, own_status: 'SUSPENDED' }))).toBe('not_allowed')
    expect(await statuses()).toBe('')
  })

  test('of the whole house leaves the company alone', async () => {
    const found = await change('office01', 'sessions/end', { filter: { search: 'o' }, preview: true })
    expect(found.outcomes.map(({ username }) => username)).not.toContain('company')
    expect(found.refused_count).toBe(0)
  })
})

describe('credit', () => {
  const filter = { level: 'member' }
  const limits = async () => {
    const { rows } = await app.asOwner<{ limit: number }>`
      select 0 - floor_satang as limit from accounts join users using (user_id)
      where kind = 'cash' and username like 'player%' order by username`
    return rows.map(({ limit }) => limit)
  }

  test.each([
    ['set', 7_000, 7_000],
    ['add', 7_000, 107_000],
    ['take', 7_000, 93_000],
    ['take', 900_000, 0],
  ] as const)('of mode %s by %i leaves %i', async (mode, amount_satang, left) => {
    const found = await change('shop1', 'credit', { filter, change: { mode, amount_satang } })
    expect(namesOf(found)).toEqual(['player1 ok', 'player2 ok', 'player3 ok'])
    expect(await limits()).toEqual([left, left, left])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('concerns nobody who has left the filter before the lock is taken', async () => {
    const [player1, player2] = [await findCaller(app.db, 'player1'), await findCaller(app.db, 'player2')]
    const body = { filter: { ...filter, status: 'NORMAL' }, change: { mode: 'set', amount_satang: 5 } }
    const reply = await changeWhileLocked(
      app.owner,
      sql`select from accounts where user_id = ${player1.user_id} for update`,
      () => change('shop1', 'credit', body),
      () => app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${player2.user_id}`,
    )
    expect(namesOf(reply)).toEqual(['player1 ok', 'player3 ok'])
    expect(await limits()).toEqual([5, 100_000, 5])
  })

  test('is given until the parent has nothing left', async () => {
    const found = await change('shop1', 'credit', { filter, change: { mode: 'add', amount_satang: 350_000 } })
    expect(namesOf(found)).toEqual(['player1 ok', 'player2 ok', 'player3 not_enough_to_give'])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('needs a change with the filter, and rows without', async () => {
    const rows = [{ user_id: 1, credit_limit_satang: 1 }]
    const change_ = { mode: 'set', amount_satang: 1 }
    for (const body of [{ filter }, { change: change_ }, { rows, change: change_ }, { rows, filter }, {}])
      expect(codeOf(await send('shop1', 'credit', body))).toBe('bad_input')
  })

  test('of much needs a recent factor, for the sum of all limits', async () => {
    await app.asOwner`update accounts set floor_satang = -1000000000 where kind = 'cash'
      and user_id = (select user_id from users where username = 'shop1')`
    const much = { filter, change: { mode: 'set', amount_satang: 4_000_000 } }
    const { caller } = await logInWith(app, 'shop1')
    callers.set('shop1', caller)
    await enrolKey(caller)
    const ageFactor = (seconds: number) =>
      app.asOwner`update sessions set factor_verified_at = clock_timestamp() - ${seconds} * interval '1 second'
        where user_id = ${caller.user_id} and ended_at is null`
    await ageFactor(301)
    try {
      expect(codeOf(await send('shop1', 'credit', { ...much, preview: true }))).toBe('ok')
      expect(codeOf(await send('shop1', 'credit', much))).toBe('step_up_needed')
      expect(await limits()).toEqual([100_000, 100_000, 100_000])
      await ageFactor(1)
      expect(codeOf(await send('shop1', 'credit', much))).toBe('ok')
    } finally {
      await app.asOwner`delete from second_factors where user_id = ${caller.user_id}`
    }
  })
})

test('more users than a call may change are refused', async () => {
  await app.asOwner`
    with added as (
      insert into users (username, display_name, level, parent_id, password_hash)
      select 'crowd' || n, 'Crowd ' || n, 'member', (select user_id from users where username = 'shop2'), 'x'
      from generate_series(1, ${MAX_FOUND_ROWS + 1}::int) n returning user_id)
    insert into accounts (kind, user_id, floor_satang)
    select kind, user_id, 0 from added cross join unnest(array['cash', 'held']) kind`
  const body = { filter: { search: 'crowd' }, own_status: 'DISABLED_BET' }
  expect(codeOf(await send('office01', 'status', body))).toBe('too_many_found')
  await app.asOwner`update users set own_status = 'SUSPENDED' where username = 'crowd1'`
  await sql`analyze users, accounts`.execute(app.owner)
  const filter = { search: 'crowd', status: 'NORMAL' }
  const given = { product_code: 'egypt', package_code: '70' }
  for (const [kind, fields] of [
    ['credit', { change: { mode: 'set', amount_satang: 1 } }],
    ['packages', { change: 'give', packages: [given] }],
    ['sessions/end', {}],
    ['status', { own_status: 'DISABLED_BET' }],
  ] as const) {
    const found = await change('office01', kind, { ...fields, filter, preview: true })
    expect([kind, found.ok_count]).toEqual([kind, MAX_FOUND_ROWS])
  }
})
