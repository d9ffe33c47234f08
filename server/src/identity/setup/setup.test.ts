// Goal: the set-up address makes one owner, once and before there is another, and that owner can make the second person
// only as long as there is none.

import { randomUUID } from 'node:crypto'
import { areas, OWNER_LINK_HOURS } from '@megalot/contract'
import argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, codeOf } from '../../../test/scenes.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { appOn, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { createEmptyDatabase } from '../../../test/test-database.ts'
import { makeSetupLink, prepareHouse } from './house.service.ts'

const PUBLIC_URL = 'https://house.example'
const PASSWORD = 'maple-lantern-77'

let app: TestApp

beforeEach(async () => {
  app = await appOn(await createEmptyDatabase())
  await prepareHouse(app.owner)
})

const tokenOf = (link: string | null | undefined): string => /#token=([\w-]{43})$/.exec(link ?? '')?.[1] ?? ''
const makeToken = async (): Promise<string> => tokenOf(await makeSetupLink(app.owner, PUBLIC_URL))

const makeOwner = (token: string, username = 'first', password = PASSWORD) =>
  app.call('POST', '/megalot/auth/setup', {
    ...{ token, username, display_name: 'First Owner', password, house_name: 'The House' },
  })

async function startWithOwner(): Promise<TestCaller> {
  const { json } = await makeOwner(await makeToken())
  return app.callerOf(json.sessionId, json.data.user_id)
}

const invite = (by: TestCaller, username = 'second') =>
  by.post('/mgluser/staff/owner', { request_id: randomUUID(), username, display_name: 'Second' })

const setPassword = (token: string) =>
  app.call('POST', '/megalot/auth/reset-password', {
    ...{ token, new_password: PASSWORD, confirm_password: PASSWORD },
  })

const listOwners = async (): Promise<string[]> => {
  const { rows } = await sql<{ username: string }>`
    select username from users where office_role = 'owner' order by user_id`.execute(app.owner)
  return rows.map(({ username }) => username)
}

test('a new house has its company and all markets, off, once', async () => {
  await prepareHouse(app.owner)
  const { rows } = await sql`
    select (select count(*)::int from users) as users, (select count(*)::int from products where is_enabled) as open,
      (select count(*) > 20 from products) as has_markets,
      (select count(*)::int from packages) = (select count(*)::int from user_packages) as has_all_packages`.execute(
    app.owner,
  )
  expect(rows).toEqual([{ users: 1, open: 0, has_markets: true, has_all_packages: true }])
})

describe('the set-up address', () => {
  test('makes the first owner, names the house, and opens a session', async () => {
    const { http, json } = await makeOwner(await makeToken())
    expect([http, json.data]).toMatchObject([200, { username: 'first', is_office: true }])
    const owner = app.callerOf(json.sessionId, json.data.user_id)
    expect((await owner.get('/mgluser/staff')).json.data).toMatchObject([{ username: 'first', office_role: 'owner' }])
    const { rows } = await sql`
      select action, subject = ${`user:${json.data.user_id}`} as is_own from audit_log where actor_id = ${json.data.user_id}
      order by audit_id`.execute(app.owner)
    expect(rows).toEqual([
      { action: 'add_user', is_own: true },
      { action: 'change_display_name', is_own: false },
      { action: 'log_in', is_own: true },
    ])
  })

  test('is stored as a hash, for a day', async () => {
    const token = await makeToken()
    const { rows } = await sql`
      select token_hash = sha256(${token}::bytea) as is_hash, expires_at <= now() + interval '24 hours' as is_short
      from setup_links`.execute(app.owner)
    expect(rows).toEqual([{ is_hash: true, is_short: true }])
  })

  test('of two browsers makes one owner', async () => {
    const token = await makeToken()
    const replies = await Promise.all(['one', 'two', 'three'].map((name) => makeOwner(token, name)))
    expect(replies.map(codeOf).toSorted()).toEqual(['ok', 'setup_link_over', 'setup_link_over'])
    expect(await listOwners()).toHaveLength(1)
  })

  test('ends with the first owner, also one that was not used', async () => {
    const other = await makeToken()
    await startWithOwner()
    expect(codeOf(await makeOwner(other, 'another'))).toBe('setup_link_over')
    expect(await makeSetupLink(app.owner, PUBLIC_URL)).toBeUndefined()
    // By hand, because a link could have been made while the owner was.
    await sql`insert into setup_links values (sha256(${other}::bytea), 'infinity')`.execute(app.owner)
    expect(codeOf(await makeOwner(other, 'another'))).toBe('setup_link_over')
    expect(await listOwners()).toEqual(['first'])
  })

  test('is refused when nobody has made it, and when it has expired, before a password is hashed', async () => {
    const token = await makeToken()
    const hash = vi.spyOn(argon2, 'hash')
    onTestFinished(() => hash.mockRestore())
    expect(codeOf(await makeOwner('A'.repeat(43)))).toBe('setup_link_over')
    await sql`update setup_links set expires_at = clock_timestamp()`.execute(app.owner)
    expect(codeOf(await makeOwner(token))).toBe('setup_link_over')
    expect(hash).not.toHaveBeenCalled()
  })

  test('survives a refused password and a taken name', async () => {
    const token = await makeToken()
    expect(codeOf(await makeOwner(token, 'first', 'password1234'))).toBe('common_password')
    expect(codeOf(await makeOwner(token, 'company'))).toBe('username_taken')
    expect(codeOf(await makeOwner(token))).toBe('ok')
  })
})

describe('the second owner', () => {
  test('sets the password by a link, once, and then takes part in what needs two', async () => {
    const first = await startWithOwner()
    const { json } = await invite(first)
    expect(json.data.link).toMatch(/^http:.*\/auth\/reset-password#token=/)
    expect(Date.parse(json.data.expires_at) - Date.now()).toBeLessThan((OWNER_LINK_HOURS + 1) * 3_600_000)
    const token = tokenOf(json.data.link)
    expect(codeOf(await setPassword(token))).toBe('ok')
    expect(codeOf(await setPassword(token))).toBe('recovery_link_over')
    const second = await app.logIn('second', PASSWORD)
    expect(codeOf(await second.get('/mgluser/staff'))).toBe('ok')
    expect(codeOf(await invite(first, 'third'))).toBe('second_owner_exists')
    expect(codeOf(await invite(second, 'third'))).toBe('second_owner_exists')
    // Nor after a reset, which two people give: the first alone would get the second's password.
    await sql`update users set must_change_password = true where username = 'second'`.execute(app.owner)
    expect(codeOf(await invite(first))).toBe('second_owner_exists')
  })

  test('gets another link as long as none was used, and only that person', async () => {
    const first = await startWithOwner()
    const [old, link] = [await invite(first), await invite(first)].map(({ json }) => tokenOf(json.data.link))
    expect(codeOf(await setPassword(old!))).toBe('recovery_link_over')
    const other = await invite(first, 'other')
    expect([codeOf(other), other.json.error.details]).toEqual(['second_owner_exists', { username: 'second' }])
    expect(codeOf(await setPassword(link!))).toBe('ok')
    // Afterwards the first would get the second's password.
    expect(codeOf(await invite(first))).toBe('second_owner_exists')
    expect(await listOwners()).toEqual(['first', 'second'])
  })

  test('is one who is suspended too, and of two invitations at once one is made', async () => {
    const first = await startWithOwner()
    const replies = await Promise.all(['second', 'third'].map((name) => invite(first, name)))
    expect(replies.map(codeOf).toSorted()).toEqual(['ok', 'second_owner_exists'])
    const [, invited] = await listOwners()
    await setPassword(tokenOf(replies.find((reply) => codeOf(reply) === 'ok')!.json.data.link))
    await sql`update users set own_status = 'SUSPENDED' where username = ${invited!}`.execute(app.owner)
    expect(codeOf(await invite(first, 'fourth'))).toBe('second_owner_exists')
  })

  test('is not invited by an assistant of the first, which would become its own second person', async () => {
    const { user_id } = await startWithOwner()
    const owner = await findCaller(app.db, 'first')
    await hireAssistant(app.db, owner, {
      ...{ username: 'clerk', display_name: 'Clerk', password: PASSWORD, areas: [...areas] },
    })
    await app.asOwner`update users set must_change_password = false where username = 'clerk'`
    expect(codeOf(await invite(await app.logIn('clerk', PASSWORD)))).toBe('not_allowed')
    expect(user_id).toBe(owner.user_id)
    expect(await listOwners()).toEqual(['first'])
  })

  test('is no other user, whose password the link would set', async () => {
    const first = await startWithOwner()
    await addPerson(app.owner, 'agent1', 'super_senior', 'company', 0)
    expect(codeOf(await invite(first, 'agent1'))).toBe('username_taken')
  })
})
