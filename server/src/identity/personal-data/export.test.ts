// Goal: a person gets everything that is stored about it and nothing about others, and no secret.

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, makeTicket, openPeriod, placeTicket } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { personalTables } from './personal-columns.ts'

type Copy = Record<string, Record<string, unknown>[]>

let app: TestApp
let member: TestCaller
let member_id: number
const note = 'for my sister Malee'

beforeAll(async () => {
  app = await startTestApp()
  member_id = await addPerson(app.db, 'somchai', 'member', 'agent01', 5_000_000)
  await addPerson(app.db, 'another', 'member', 'agent01', 5_000_000)
  await sql`
    update users set display_name = 'Somchai Jaidee', phone = '0812345678', email = 'somchai@example.org',
      email_verified_at = now() where user_id = ${member_id}`.execute(app.owner)
  await sql`insert into email_links (user_id, email) values (${member_id}, 'new@example.org')`.execute(app.owner)
  await sql`insert into recovery_requests (identifier) values ('somchai@example.org'), ('another')`.execute(app.owner)
  member = await app.logIn('somchai')
  const period_code = await openPeriod(app.owner)
  // More tickets than one statement reads.
  for (let ticket = 0; ticket < 103; ticket += 1) await placeTicket(member, makeTicket(period_code, { note }))
  await placeTicket(await app.logIn('another'), makeTicket(period_code, { note: 'of another' }))
})

const readCopy = async (reply: Promise<{ http: number; text: string }>): Promise<{ copy: Copy; text: string }> => {
  const { http, text } = await reply
  expect(http).toBe(200)
  return { copy: JSON.parse(text) as Copy, text }
}

test('a copy has every table with what is stored about its person', async () => {
  const { copy } = await readCopy(member.post('/mgluser/personal_data', undefined))
  expect(Object.keys(copy)).toEqual(['user_id', 'made_at', ...Object.keys(personalTables)])
  expect(copy['users']).toMatchObject([
    { username: 'somchai', display_name: 'Somchai Jaidee', phone: '0812345678', email: 'somchai@example.org' },
  ])
  expect(copy['email_links']).toMatchObject([{ email: 'new@example.org' }])
  expect(copy['recovery_requests']!.map(({ identifier }) => identifier)).toEqual(['somchai@example.org'])
  expect(copy['sessions']).toMatchObject([{ address: '127.0.0.1', ended_at: null }])
  expect(copy['known_devices']!.length).toBe(1)
  expect(copy['audit_log']!.map(({ action }) => action)).toEqual(expect.arrayContaining(['log_in', 'export_own_data']))
})

test('a copy has all tickets with their items, and every entry once', async () => {
  const { copy } = await readCopy(member.post('/mgluser/personal_data', undefined))
  const { orders, entries } = copy as Record<'orders' | 'entries', Record<string, unknown>[]>
  expect(new Set(orders.map(({ order_id }) => order_id)).size).toBe(103)
  for (const order of orders) {
    expect(order).toMatchObject({ note, user_id: member_id })
    expect((order['items'] as object[]).length).toBe(order['item_count'])
  }
  const { rows } = await sql<{ entry_id: number }>`
    select entry_id from entries where from_account_id in (select account_id from accounts where user_id = ${member_id})
      or to_account_id in (select account_id from accounts where user_id = ${member_id}) order by entry_id`.execute(
    app.owner,
  )
  expect(entries.map(({ entry_id }) => entry_id)).toEqual(rows.map(({ entry_id }) => entry_id))
})

test('a copy has no secret and nothing of another person', async () => {
  const { copy, text } = await readCopy(member.post('/mgluser/personal_data', undefined))
  expect(text).not.toContain('of another')
  expect(text).not.toContain('argon2')
  for (const [name, { given, nested = {} }] of Object.entries(personalTables))
    for (const row of copy[name]!)
      expect([name, Object.keys(row)]).toEqual([name, [...given.trim().split(/\s+/), ...Object.keys(nested)]])
})

test('the office gets the same, with its reason in the audit log', async () => {
  const office = await app.logIn('office01')
  const path = `/api/admin/people/${member_id}/personal_data` as '/api/admin/people/:user_id/personal_data'
  const { copy } = await readCopy(office.post(path, { reason: 'asked for by letter' }))
  expect(copy['orders']!.length).toBe(103)
  expect(copy['audit_log']!.at(-1)).toMatchObject({ action: 'export_person_data', reason: 'asked for by letter' })
})

test('the office gets no copy of an office user', async () => {
  const office = await app.logIn('office01')
  const { user_id } = await findCaller(app.db, 'office02')
  const path = `/api/admin/people/${user_id}/personal_data` as '/api/admin/people/:user_id/personal_data'
  const { text } = await office.post(path, { reason: 'asked for by letter' })
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'not_allowed' } })
})
