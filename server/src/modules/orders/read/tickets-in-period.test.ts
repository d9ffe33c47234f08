// Goal: tickets of members in a period are read without the tickets of all others in it, also while the planner's statistics do not know
// the period: it opens and fills up between two analyses of the table.

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import { listDownlineSlots } from '../../book/board.store.ts'
import { invariants } from '../../invariants/index.ts'
import { findBreaks } from '../../invariants/invariant.ts'
import { listTicketIds } from '../../reports/win-loss.store.ts'
import { sumStakes } from '../intake/intake.store.ts'

const MEMBERS = 500
const TICKETS = 20_000
const NEW_PERIOD = 2_000_000

let database: TestDatabase
let member_ids: number[]
let agent_id: number

/** Tickets as rows alone, of the members in turn. */
async function writeTickets(owner: Db, period_id: number, first_id: number, count: number): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, item_count, bet_satang,
        received_satang, discount_satang, slots, lines, created_at)
      select id, gen_random_uuid(), '', (${member_ids}::bigint[])[1 + id % ${MEMBERS}], ${period_id}, 1, 'CONFIRMED', 1, 100, 100, 0,
        '{1}', '\\x000000010000010000', clock_timestamp()
      from generate_series(${first_id}::bigint, ${first_id + count - 1}) id`.execute(tx)
    await sql`
      insert into member_periods (user_id, period_id, ticket_count, bet_satang, received_satang, discount_satang, win_satang)
      select user_id, period_id, count(*), sum(bet_satang), sum(received_satang), 0, 0 from orders
      where period_id = ${period_id} group by user_id, period_id`.execute(tx)
  })
}

beforeAll(async () => {
  database = await cloneDatabase()
  const { owner } = database
  const agents = await sql<{ user_id: number }>`select user_id from users where username = 'agent01'`.execute(owner)
  agent_id = agents.rows[0]!.user_id
  const { rows } = await sql<{ user_id: number }>`
    insert into users (username, display_name, level, parent_id, password_hash)
    select 'new' || place, 'new' || place, 'member', user_id, password_hash
    from users cross join generate_series(1, ${MEMBERS}) place where user_id = ${agent_id} returning user_id`.execute(
    owner,
  )
  member_ids = rows.map(({ user_id }) => user_id)
  for (let period = 0; period < 20; period += 1)
    await writeTickets(owner, 1_000_000 + period, 1 + period * 1_000, 1_000)
  await sql`vacuum analyze orders, member_periods, users`.execute(owner)
  await sql`alter table orders set (autovacuum_enabled = off)`.execute(owner)
  await writeTickets(owner, NEW_PERIOD, 100_000, TICKETS)
})

/** What the session has read of the tickets so far, by index or from the table; its statistics are sent on now and then. */
async function readCounts(tx: Tx): Promise<number> {
  const { rows } = await sql<{ tuples: number }>`
    select (pg_stat_get_xact_tuples_returned('orders'::regclass) + pg_stat_get_xact_tuples_fetched('orders'::regclass)
      + (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) from pg_index
         where indrelid = 'orders'::regclass))::bigint as tuples`.execute(tx)
  return rows[0]!.tuples
}

/** How many tickets a query reads. */
function countRead(query: (tx: Tx) => Promise<unknown>, settings = sql`select`): Promise<number> {
  return database.owner.transaction().execute(async (tx) => {
    await settings.execute(tx)
    const before = await readCounts(tx)
    await query(tx)
    return (await readCounts(tx)) - before
  })
}

test('the auditor reads each ticket of the members once', async () => {
  const keys = member_ids.map((user_id) => user_id * 10_000_000 + NEW_PERIOD)
  const read = await countRead(async (tx) => {
    expect(await findBreaks(tx, invariants.member_period_sums, keys, 10)).toEqual([])
  })
  expect(read).toBeLessThan(3 * TICKETS)
})

test('so does the book of an agent', async () => {
  const read = await countRead(async (tx) => {
    const slots = await listDownlineSlots(tx, NEW_PERIOD, agent_id)
    expect(slots.reduce((sum, { lines }) => sum + lines, 0)).toBe(TICKETS)
  })
  expect(read).toBeLessThan(3 * TICKETS)
})

test('what one member has bet in the period is read without the others', async () => {
  const asInBatches = sql`set local plan_cache_mode = force_generic_plan`
  const read = await countRead(async (tx) => {
    expect((await sumStakes(tx, NEW_PERIOD, [member_ids[0]!])).size).toBe(1)
  }, asInBatches)
  expect(read).toBeLessThan((3 * TICKETS) / MEMBERS)
})

test('so are its tickets in the report of wins and losses', async () => {
  const read = await countRead(async (tx) => {
    expect(await listTicketIds(tx, member_ids[0]!, NEW_PERIOD, 'loss_only', undefined, 1_000)).toHaveLength(
      TICKETS / MEMBERS,
    )
  })
  expect(read).toBeLessThan((3 * TICKETS) / MEMBERS)
})
