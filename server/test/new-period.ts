// A period that opened and filled up after the last analysis of the tickets, so the planner's statistics do not know
// it. Queries for a member's tickets in it must not read all others'.

import { sql } from 'kysely'
import type { Db, Tx } from '../src/postgres/db.ts'
import { cloneDatabase, type TestDatabase } from './test-database.ts'

const MEMBERS = 500
export const TICKETS = 20_000
export const TICKETS_OF_ONE = TICKETS / MEMBERS
export const NEW_PERIOD = 2_000_000

let database: TestDatabase
/** The members, all below one agent. */
export let member_ids: number[]
export let agent_id: number

/** Tickets as rows only, of the members in turn. */
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

/** Fills the period; called before a file's tests. */
export async function fillNewPeriod(): Promise<void> {
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
}

/** Cancels a member's first ticket in it, as rows only. */
export async function takeBack(user_id: number): Promise<void> {
  await database.owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      update orders set status = 'CANCELLED' where order_id = (
        select min(order_id) from orders where period_id = ${NEW_PERIOD} and user_id = ${user_id})`.execute(tx)
  })
}

/**
 * Reads of tickets by the session so far, by index or from the table. Its statistics are sent only from time to time.
 */
async function readCounts(tx: Tx): Promise<number> {
  const { rows } = await sql<{ tuples: number }>`
    select (pg_stat_get_xact_tuples_returned('orders'::regclass) + pg_stat_get_xact_tuples_fetched('orders'::regclass)
      + (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) from pg_index
         where indrelid = 'orders'::regclass))::bigint as tuples`.execute(tx)
  return rows[0]!.tuples
}

/** How many tickets a query reads. */
export function countRead(query: (tx: Tx) => Promise<unknown>, settings = sql`select`): Promise<number> {
  return database.owner.transaction().execute(async (tx) => {
    await settings.execute(tx)
    const before = await readCounts(tx)
    await query(tx)
    return (await readCounts(tx)) - before
  })
}
