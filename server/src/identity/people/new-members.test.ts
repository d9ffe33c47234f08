// Goal: many members are opened in one call, each by the rules for one: a refused row stops no other, credit comes out of the
// parent's own, and a repeated call makes nobody twice.

import { randomUUID } from 'node:crypto'
import type { DataOf, createMembers } from '@megalot/contract'
import { expect, test } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { addPerson, codeOf } from '../../../test/scenes.ts'
import { startTestApp } from '../../../test/test-app.ts'

const app = await startTestApp()
await addPerson(app.db, 'shop1', 'agent', 'company', 100_000)
await addPerson(app.db, 'shop2', 'agent', 'company', 100_000)
await addPerson(app.db, 'taken1', 'member', 'shop2', 0)
const shop = await app.logIn('shop1')

const rowOf = (username: string, credit_limit_satang = 0) => ({
  username,
  display_name: `คุณ ${username}`,
  password: 'maple-once-26',
  credit_limit_satang,
})
const send = (body: object, request_id = randomUUID()) => shop.post('/mgluser/people/bulk/new', { request_id, ...body })
async function make(body: object, request_id = randomUUID()): Promise<DataOf<typeof createMembers>> {
  const { http, json } = await send(body, request_id)
  expect([http, json.error]).toEqual([200, undefined])
  return json.data
}
const codesOf = ({ outcomes }: DataOf<typeof createMembers>) =>
  outcomes.map(({ username, code }) => `${username} ${code}`)
async function limitsOf(pattern: string): Promise<string[]> {
  const { rows } = await app.asOwner<{ text: string }>`
    select username || ' ' || (0 - floor_satang) || ' ' || must_change_password as text
    from users join accounts using (user_id)
    where kind = 'cash' and username like ${pattern} order by username`
  return rows.map(({ text }) => text)
}

test('a preview says what each row would do, and writes nothing', async () => {
  const rows = [
    rowOf('fresh1', 60_000),
    rowOf('taken1'),
    rowOf('fresh2', 50_000),
    rowOf('fresh3', 40_000),
    rowOf('Fresh1'),
  ]
  const found = await make({ rows, preview: true })
  expect(codesOf(found)).toEqual([
    'fresh1 ok',
    'taken1 username_taken',
    'fresh2 not_enough_to_give',
    'fresh3 ok',
    'Fresh1 username_taken',
  ])
  expect(found.messages.map(({ code }) => code)).toEqual(['username_taken', 'not_enough_to_give'])
  expect(await limitsOf('fresh%')).toEqual([])
})

test('each row is made or refused by itself, once for a request', async () => {
  const request_id = randomUUID()
  const rows = [rowOf('made1', 60_000), rowOf('taken1'), rowOf('made2', 50_000), rowOf('made3', 40_000)]
  const first = await make({ rows }, request_id)
  expect(codesOf(first)).toEqual(['made1 ok', 'taken1 username_taken', 'made2 not_enough_to_give', 'made3 ok'])
  expect(await limitsOf('made%')).toEqual(['made1 60000 true', 'made3 40000 true'])
  expect(codesOf(await make({ rows }, request_id))).toEqual(codesOf(first))
  expect(await limitsOf('made%')).toHaveLength(2)
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})

test('rows that one person could not make are refused as a whole', async () => {
  const named = (username: string) => ({ rows: [rowOf(username)] })
  expect(codeOf(await send(named('x y')))).toBe('bad_input')
  expect(codeOf(await send({ rows: [] }))).toBe('bad_input')
  expect(codeOf(await send({ rows: Array.from({ length: 51 }, (_, at) => rowOf(`many${at}`)) }))).toBe('bad_input')
  const { json } = await send({ ...named('cousin1'), parent_id: 1 })
  expect(json.data.outcomes[0]!.code).toBe('not_found')
})
