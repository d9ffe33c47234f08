// Goal: calls that state in the same moment what is durable cost as much as one or two of them, and none relies on a commit or a search
// for writers that began before it asked.

import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { cloneDatabase } from '../../test/test-database.ts'
import { createDurableState } from './durable.ts'
import type { Tables } from './tables.ts'

test('many who ask at once share commits and searches for writers, on one connection', async () => {
  const { url, owner } = await cloneDatabase()
  const statements: string[] = []
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query.sql),
  })
  closeAtFileEnd(() => db.destroy())
  const durable = createDurableState(db, 'orders')
  const count = (part: string) => statements.filter((text) => text.includes(part)).length
  await Promise.all(Array.from({ length: 100 }, () => durable.commit()))
  expect(count('pg_logical_emit_message')).toBeLessThanOrEqual(2)
  await Promise.all(Array.from({ length: 100 }, () => durable.waitForWriters()))
  expect(count('pg_locks')).toBeLessThanOrEqual(2)
  expect(pool.totalCount).toBe(1)
  // A transaction that has written is waited for by all of them.
  let hasEnded = false
  let waiting!: Promise<boolean[]>
  await owner.transaction().execute(async (tx) => {
    await sql`update orders set note = note where false`.execute(tx)
    waiting = Promise.all(Array.from({ length: 100 }, () => durable.waitForWriters().then(() => hasEnded)))
    const before = count('pg_locks')
    while (count('pg_locks') < before + 4) await new Promise(setImmediate)
    hasEnded = true
  })
  expect(new Set(await waiting)).toEqual(new Set([true]))
  expect(pool.totalCount).toBe(1)
})
