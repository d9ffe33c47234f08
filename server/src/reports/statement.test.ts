// Goal: a statement sums up few entries, however many its user has had that day, and its balances are those of the ledger.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countRead } from '../../test/count-read.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { bangkokDayOf } from '../lib/bangkok.ts'
import type { Db } from '../postgres/db.ts'
import { listStatement, saveBalanceCheckpoints } from './statement.service.ts'
import { insertBalanceCheckpoints, listEntries, readBalances } from './statement.store.ts'

interface Scene {
  app: TestApp
  user_id: number
  /** A user without a record of its balance. */
  other_id: number
  date_from: string
  /** The first entries of today. */
  today: number[]
  /** How many records of balances were written: at midnight, once more, and of users with a thousand further entries. */
  written: { first: number; again: number; busy: number }
}

/** Entries of a Baht each, from the user's agent. @returns their ids */
async function insertEntries(owner: Db, to: number, count: number, daysAgo: number): Promise<number[]> {
  await sql`alter table entries disable trigger append_only`.execute(owner)
  const { rows } = await sql<{ entry_id: number }>`
    with moved as (
      insert into entries (kind, from_account_id, to_account_id, amount_satang)
      select 'credit_change', above.account_id, own.account_id, 100
      from generate_series(1, ${count}), users join accounts own using (user_id) join accounts above on above.user_id = users.parent_id
      where users.user_id = ${to} and own.kind = 'cash' and above.kind = 'cash' returning entry_id
    ) select entry_id from moved order by entry_id`.execute(owner)
  const ids = rows.map(({ entry_id }) => entry_id)
  await sql`update entries set at = at - ${daysAgo} * interval '1 day' where entry_id = any(${ids}::bigint[])`.execute(
    owner,
  )
  await sql`alter table entries enable trigger append_only`.execute(owner)
  return ids
}

// A member with 4,000 entries of the day before yesterday, and 6,000 of today with a record of its balance between them.
const app = await startTestApp()
const { user_id } = await app.logIn('member01')
const { user_id: other_id } = await app.logIn('member02')
const date_from = bangkokDayOf(new Date())
await insertEntries(app.owner, user_id, 4_000, 2)
const first = await saveBalanceCheckpoints(app.db)
const again = await saveBalanceCheckpoints(app.db)
const today = await insertEntries(app.owner, user_id, 3_000, 0)
await insertEntries(app.owner, other_id, 99, 0)
const busy = await insertBalanceCheckpoints(app.db, 1_000)
await insertEntries(app.owner, user_id, 3_000, 0)
await app.asOwner`vacuum analyze entries`
const scene: Scene = { app, user_id, other_id, date_from, today, written: { first, again, busy } }

const part = { limit: 10, offset: 0 }

test('a record is written of each user with further entries, and one within a day of those alone with many', () => {
  const { first, again, busy } = scene.written
  expect(first).toBeGreaterThanOrEqual(2)
  expect(again).toBe(0)
  // Of the member and of the agent, and not of the other one.
  expect(busy).toBe(2)
})

test('the balances of a statement are those of the ledger', async () => {
  const { app, user_id, date_from } = scene
  const { data, top_level } = await listStatement(app.db, user_id, { date_from }, part)
  expect(top_level).toMatchObject({ opening_balance_satang: 400_000, closing_balance_satang: 1_000_000 })
  expect(data[0]).toMatchObject({ balance_satang: 1_000_000 })
})

// Defect: after a user without a record, that of one with a record could not be read on the same connection.
test('balances of users with and without a record are read on one connection', async () => {
  const { app, user_id, other_id, date_from } = scene
  const openings = await app.db.transaction().execute(async (tx) => {
    const of = async (id: number) => (await readBalances(tx, id, { date_from })).opening_balance_satang
    return [await of(other_id), await of(user_id), await of(other_id)]
  })
  expect(openings).toEqual([0, 400_000, 0])
})

test('the balances at both ends of a day are computed from a record nearby', async () => {
  const { app, user_id, date_from } = scene
  // Both ends of the ledger, and the binary search for the day.
  expect(await countRead(app.owner, 'entries', (tx) => readBalances(tx, user_id, { date_from }))).toBeLessThan(100)
})

test('a part that begins close above a record is computed from it', async () => {
  const { app, user_id, today } = scene
  const before = today[2_980]!
  const early = await listStatement(app.db, user_id, {}, { ...part, before })
  expect(early.data[0]).toMatchObject({ balance_satang: 400_000 + 298_000 })
  const read = (tx: Db) => listEntries(tx, user_id, {}, { ...part, before })
  expect(await countRead(app.owner, 'entries', read)).toBeLessThan(200)
})
