// Goal: the list of ended entries of results is read by its index, however long the log is: the index is of exactly the actions that are listed, and
// of the log no other rows are read.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/test-database.ts'
import { listEndings } from './decisions.store.ts'
import { beginningOf } from './endings.ts'

const actions = Object.keys(beginningOf)

const database = await cloneDatabase()

test('the index is of the actions that are listed', async () => {
  const { rows } = await database.asOwner<{ definition: string }>`
    select pg_get_indexdef('audit_log_of_decisions'::regclass) as definition`
  const indexed = [...rows[0]!.definition.matchAll(/'([a-z_]+)'/g)].map(([, action]) => action)
  expect(new Set(indexed)).toEqual(new Set(actions))
})

test('a part is read by the index, among many rows of other actions', async () => {
  const { owner } = database
  await sql`alter table audit_log disable trigger user`.execute(owner)
  await sql`insert into audit_log (actor_id, action, subject)
    select user_id, case n % 100 when 0 then 'award_agreed' else 'log_in' end, 'period:' || n
    from generate_series(1, 20000) n, users where username = 'office01'`.execute(owner)
  await sql`alter table audit_log enable trigger user`.execute(owner)
  await sql`analyze audit_log`.execute(owner)
  const { found, scans, read } = await owner.transaction().execute(async (tx) => {
    const found = await listEndings(tx, null, 20)
    const { rows } = await sql<{ scans: number; read: number }>`
      select pg_stat_get_xact_numscans('audit_log_of_decisions'::regclass)::int as scans,
        pg_stat_get_xact_tuples_returned('audit_log'::regclass)::int as read`.execute(tx)
    return { found, ...rows[0]! }
  })
  expect(found.map(({ period_code }) => period_code)).toEqual(
    Array.from({ length: 20 }, (_, at) => String(20_000 - at * 100)),
  )
  expect(scans).toBe(actions.length)
  // None by reading the table.
  expect(read).toBe(0)
})
