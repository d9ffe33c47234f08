// Goal: a statement sums up few entries, however many its user has had that day, and its balances are those of the ledger.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countRead } from '../../../test/count-read.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { bangkokDayOf } from '../../platform/bangkok.ts'
import type { Db } from '../../platform/db.ts'
import { listStatement, markBalances } from './statement.service.ts'
import { insertBalanceMarks, listEntries, readBalances } from './statement.store.ts'

test('a part of a statement is computed from a record nearby', async () => {
  const app = await startTestApp()
  const { user_id } = await app.logIn('member01')
  const { user_id: other_id } = await app.logIn('member02')
  /** Entries of a Baht each, from the member's agent. */
  const insertEntries = async (to: number, count: number, daysAgo: number): Promise<number[]> => {
    await sql`alter table entries disable trigger append_only`.execute(app.owner)
    const { rows } = await sql<{ entry_id: number }>`
      with moved as (
        insert into entries (kind, from_account_id, to_account_id, amount_satang)
        select 'credit_change', above.account_id, own.account_id, 100
        from generate_series(1, ${count}), users join accounts own using (user_id) join accounts above on above.user_id = users.parent_id
        where users.user_id = ${to} and own.kind = 'cash' and above.kind = 'cash' returning entry_id
      ) select entry_id from moved order by entry_id`.execute(app.owner)
    const ids = rows.map(({ entry_id }) => entry_id)
    await sql`update entries set at = at - ${daysAgo} * interval '1 day' where entry_id = any(${ids}::bigint[])`.execute(
      app.owner,
    )
    await sql`alter table entries enable trigger append_only`.execute(app.owner)
    return ids
  }
  const date_from = bangkokDayOf(new Date())
  await insertEntries(user_id, 4_000, 2)
  expect(await markBalances(app.db)).toBeGreaterThanOrEqual(2)
  expect(await markBalances(app.db)).toBe(0)
  const today = await insertEntries(user_id, 3_000, 0)
  await insertEntries(other_id, 99, 0)
  // Of the member and of the agent, and not of the other one.
  expect(await insertBalanceMarks(app.db, 1_000)).toBe(2)
  await insertEntries(user_id, 3_000, 0)
  await sql`vacuum analyze entries`.execute(app.owner)

  const filter = { date_from }
  const part = { limit: 10, offset: 0 }
  const { data, top_level } = await listStatement(app.db, user_id, filter, part)
  expect(top_level).toMatchObject({ opening_balance_satang: 400_000, closing_balance_satang: 1_000_000 })
  expect(data[0]).toMatchObject({ balance_satang: 1_000_000 })
  // Defect: after a user without a record, that of one with a record could not be read on the same connection.
  const openings = await app.db.transaction().execute(async (tx) => {
    const of = async (id: number) => (await readBalances(tx, id, filter)).opening_balance_satang
    return [await of(other_id), await of(user_id), await of(other_id)]
  })
  expect(openings).toEqual([0, 400_000, 0])
  // Both ends of the ledger, and the binary search for the day.
  expect(await countRead(app.owner, 'entries', (tx) => readBalances(tx, user_id, filter))).toBeLessThan(100)
  // Close above the record of that day.
  const before = today[2_980]!
  const early = await listStatement(app.db, user_id, {}, { ...part, before })
  expect(early.data[0]).toMatchObject({ balance_satang: 400_000 + 298_000 })
  const read = (tx: Db) => listEntries(tx, user_id, {}, { ...part, before })
  expect(await countRead(app.owner, 'entries', read)).toBeLessThan(200)
})
