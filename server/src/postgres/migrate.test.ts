// Goal: a database is brought forward or left alone: never half migrated, and never on top of a schema that is not ours.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/test-database.ts'
import { migrate } from './migrate.ts'

test('a migrated database is left as it is, by several nodes at once too', async () => {
  const { url } = await createEmptyDatabase()
  expect(await Promise.all([migrate(url), migrate(url)])).toEqual([[], []])
})

test('a migration that was edited after it ran is refused', async () => {
  const { url, owner } = await createEmptyDatabase()
  await sql`update migrations set hash = 'another' where name = '0002-users.sql'`.execute(owner)
  await expect(migrate(url)).rejects.toThrow('0002-users.sql was edited after it ran')
})

test('a database of an older version is refused, in words for the operator', async () => {
  const { url, owner } = await createEmptyDatabase()
  await sql`update migrations set name = '0001-guards.sql' where name = '0001-foundation.sql'`.execute(owner)
  await expect(migrate(url)).rejects.toThrow('made by an older version')
})
