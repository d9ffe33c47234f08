// Goal: the first and the last ticket of a period are found without reading the tickets of others, however many those are.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/test-database.ts'

const TICKETS = 30_000

/** Tickets as rows alone: their members, packages and entries do not matter here. */
async function writeTickets(period_id: number, first_id: number, count: number): Promise<void> {
  await database.owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
        received_satang, discount_satang, slots, lines, created_at)
      select id, gen_random_uuid(), '', 1, ${period_id}, 1, 'CONFIRMED', 1, 100, 100, 0, '{1}', '\\x000000010000010000', clock_timestamp()
      from generate_series(${first_id}::bigint, ${first_id + count - 1}) id`.execute(tx)
  })
}

const database = await cloneDatabase()
// One period has nearly all tickets; two small ones have the oldest and the newest.
await writeTickets(1, 1, 2)
await writeTickets(2, 3, TICKETS)
await writeTickets(3, TICKETS + 3, 2)
await database.asOwner`analyze orders`

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
}

/** The result, and how many pages a second call read: the first one fills the caches of the catalog. */
async function call(name: 'first_order_of' | 'last_order_of', period_id: number) {
  return database.owner.connection().execute(async (connection) => {
    const found = sql<{ order_id: number | null }>`select ${sql.ref(name)}(${sql.lit(period_id)}) as order_id`
    const { rows } = await found.execute(connection)
    const explained = await sql<{ 'QUERY PLAN': Plan[] }>`explain (analyze, buffers, format json) ${found}`.execute(
      connection,
    )
    const { Plan: plan } = explained.rows[0]!['QUERY PLAN'][0]!
    return { order_id: rows[0]!.order_id, pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
  })
}

test.each([
  [1, 1, 2],
  [2, 3, TICKETS + 2],
  [3, TICKETS + 3, TICKETS + 4],
  [4, null, null],
])('of period %i', async (period_id, first_id, last_id) => {
  const [first, last] = [await call('first_order_of', period_id), await call('last_order_of', period_id)]
  expect([first.order_id, last.order_id]).toEqual([first_id, last_id])
  // Pages of one index, and up to some thirty of the catalog where they are not cached; the tickets of the large period alone have hundreds.
  expect(Math.max(first.pages, last.pages)).toBeLessThan(50)
})
