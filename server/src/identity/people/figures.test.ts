// Goal: a line is sorted, narrowed and added up by figures that bets change, each only for who may view it.

import { type Person, refusals } from '@megalot/contract'
import { expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import {
  addPerson,
  codeOf,
  finishFirstLogIn,
  FIRST_PASSWORD,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  settleWith,
} from '../../../test/scenes.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { startTestApp } from '../../../test/test-app.ts'

const app = await startTestApp()
await addPerson(app.db, 'shop1', 'agent', 'company', 100_000_000)
await addPerson(app.db, 'shop2', 'agent', 'company', 100_000_000)
for (const name of ['winner1', 'loser1', 'idle1']) await addPerson(app.db, name, 'member', 'shop1', 100_000)
await addPerson(app.db, 'cousin1', 'member', 'shop2', 100_000)
const clerk = { username: 'clerk1', display_name: 'Clerk', password: FIRST_PASSWORD }
await hireAssistant(app.db, await findCaller(app.db, 'shop1'), { ...clerk, areas: ['people'] })
await finishFirstLogIn(app.owner, 'clerk1')

const period_code = await openPeriod(app.owner)
const bet = async (name: string, number: string, baht: number) => {
  const items = [makeLine('3top', number, baht)]
  await placeTicket(await app.logIn(name), makeTicket(period_code, { items }))
}
await bet('winner1', '111', 10)
await bet('loser1', '222', 900)
await bet('cousin1', '222', 100)
await settleWith(app, period_code, makeResult('111'))
const shop = await app.logIn('shop1')

const list = async (query: string, by = shop) =>
  ((await by.get(`/mgluser/people?${query}`)).json.data as Person[] | undefined)?.map(({ username }) => username)
const read = async (path: string, by = shop) => by.get(`/mgluser/people${path}` as never)

test.each([
  // A member who has won owes nothing, like one who has not bet.
  ['sort=used&order=desc', ['loser1', 'winner1', 'idle1']],
  ['sort=net', ['loser1', 'idle1', 'winner1']],
  ['sort=net&order=desc', ['winner1', 'idle1', 'loser1']],
  ['sort=last_bet&order=desc', ['loser1', 'winner1', 'idle1']],
  ['sort=last_bet', ['idle1', 'winner1', 'loser1']],
  ['sort=owed&order=desc', ['loser1', 'idle1', 'winner1']],
  ['owed=collect', ['loser1']],
  ['owed=pay', ['winner1']],
  ['net=won', ['winner1']],
  ['net=lost', ['loser1']],
  ['used=some', ['loser1']],
  ['used=most', []],
  ['idle_days=7', ['idle1']],
])('%s', async (query, names) => {
  expect(await list(query)).toEqual(names)
})

test('a member who uses four fifths of its limit is near it', async () => {
  const { user_id } = await findCaller(app.db, 'loser1')
  const { rows } = await app.asOwner<{ used: number }>`
    select 0 - balance_satang as used from accounts where kind = 'cash' and user_id = ${user_id}`
  const used = rows[0]!.used
  await app.asOwner`update accounts set floor_satang = ${-Math.floor(used / 0.8)} where kind = 'cash' and user_id = ${user_id}`
  expect(await list('used=most')).toEqual(['loser1'])
  await app.asOwner`update accounts set floor_satang = ${-Math.floor(used / 0.8) - 100} where kind = 'cash' and user_id = ${user_id}`
  expect(await list('used=most')).toEqual([])
  await app.asOwner`update accounts set floor_satang = -100000 where kind = 'cash' and user_id = ${user_id}`
})

test('sums are those of the rows, of the own line alone', async () => {
  const rows = (await read('?level=member')).json.data as Person[]
  const sum = (
    name: 'credit_limit_satang' | 'credit_used_satang' | 'held_satang' | 'net_7_days_satang' | 'owed_satang',
  ) => rows.reduce((total, row) => total + row[name]!, 0)
  expect(rows).toHaveLength(3)
  expect((await read('/sums?level=member')).json.data).toEqual({
    credit_limit_satang: sum('credit_limit_satang'),
    credit_used_satang: sum('credit_used_satang'),
    held_satang: sum('held_satang'),
    net_7_days_satang: sum('net_7_days_satang'),
    owed_satang: sum('owed_satang'),
  })
  expect(sum('credit_used_satang')).toBeGreaterThan(0)
})

test('who may not view a figure neither sorts nor narrows by it, and gets no sum of it', async () => {
  const helper = await app.logIn('clerk1')
  for (const query of [
    'sort=used',
    'sort=net',
    'sort=last_bet',
    'used=some',
    'net=won',
    'idle_days=7',
    'sort=owed',
    'owed=pay',
  ])
    expect([query, codeOf(await read(`?${query}`, helper))]).toEqual([query, 'not_allowed'])
  const nothing = {
    credit_limit_satang: null,
    credit_used_satang: null,
    held_satang: null,
    net_7_days_satang: null,
    owed_satang: null,
  }
  expect((await read('/sums', helper)).json.data).toEqual(nothing)
  const rows = (await read('', helper)).json.data as Person[]
  expect(rows.map(({ last_bet_at }) => last_bet_at)).toEqual([null, null, null])
})

test('more people than the server adds up are refused, and found again by a narrower filter', async () => {
  expect(refusals.too_many_found).toBeDefined()
  await app.asOwner`
    with added as (
      insert into users (username, display_name, level, parent_id, password_hash)
      select 'crowd' || n, 'Crowd ' || n, 'member', (select user_id from users where username = 'shop2'), 'x'
      from generate_series(1, 5001) n returning user_id)
    insert into accounts (kind, user_id, floor_satang)
    select kind, user_id, 0 from added cross join unnest(array['cash', 'held']) kind`
  const office = await app.logIn('office01')
  for (const path of ['?sort=used', '?net=won', '/sums'])
    expect([path, codeOf(await read(path, office))]).toEqual([path, 'too_many_found'])
  expect(await list('sort=net&search=cousin', office)).toEqual(['cousin1'])
})
