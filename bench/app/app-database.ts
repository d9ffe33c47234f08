// The database of an application started for a benchmark: for data that HTTP cannot create in reasonable time, and for
// figures that only the server's machine knows.

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Bettor } from '../tickets/ticket-load.ts'

export interface DatabaseAddress {
  host: string
  port: number
  user: string
  password: string
}

/** The address of the embedded server of a data folder. */
export function findDatabase(dataDir: string): DatabaseAddress {
  return {
    host: '127.0.0.1',
    port: Number(readFileSync(join(dataDir, 'postgres-port'), 'utf8')),
    user: 'postgres',
    password: readFileSync(join(dataDir, 'postgres', 'megalot-password'), 'utf8'),
  }
}

export async function openAppDatabase(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  return client
}

const CREDIT_SATANG = 100_000_000_000

/** Adds members below the demo's agent, each with credit, the agent's packages and a live session. */
export async function addBettors(database: pg.Client, count: number): Promise<Bettor[]> {
  const sessionTokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const hashes = sessionTokens.map((sessionToken) => createHash('sha256').update(sessionToken).digest())
  const sql = `
    with made as (
      insert into users (username, display_name, level, parent_id, password_hash, is_demo)
      select 'bettor' || place, 'bettor' || place, 'member', agent.user_id, agent.password_hash, true
      from generate_series(1, $1::int) place cross join (select * from users where username = 'agent01') agent
      returning user_id
    ), accounts_made as (
      insert into accounts (kind, user_id, floor_satang)
      select kind, user_id, case kind when 'cash' then -$2::bigint else 0 end
      from made cross join unnest(array['cash', 'held']) kind
    ), packages_given as (
      insert into user_packages (user_id, package_id) select user_id, package_id from made cross join packages
    )
    insert into sessions (user_id, token_hash)
    select user_id, token_hash
    from (select user_id, row_number() over () as place from made) made
    join unnest($3::bytea[]) with ordinality as given (token_hash, place) using (place)`
  await database.query(sql, [count, CREDIT_SATANG, hashes])
  await coverLimits(database)
  return sessionTokens.map((sessionToken) => ({ sessionToken }))
}

/** Gives each upline the credit that its members have, because nobody gives more than they have. */
export async function coverLimits(database: Pick<pg.Pool | pg.Client, 'query'>): Promise<void> {
  await database.query(`
    update accounts set floor_satang = -given from (
      select upline_id, -sum(floor_satang)::bigint as given
      from accounts join users using (user_id) cross join unnest(upline_ids) upline_id
      where kind = 'cash' and level = 'member' group by upline_id
    ) lines where kind = 'cash' and user_id = upline_id`)
}

/**
 * Sets limits on every number of a market, high enough to refuse nothing, so that the application has to count as in
 * real use.
 */
export async function setWideQuotas(database: pg.Client, product_code: string): Promise<void> {
  const sql = `
    insert into quotas (product_code, bet_type, full_satang, half_satang)
    select product_code, unnest(bet_types), 100000000000000, 100000000000000 from products where product_code = $1
    on conflict (period_id, product_code, package_code, bet_type) do update set full_satang = excluded.full_satang, half_satang = excluded.half_satang`
  await database.query(sql, [product_code])
}

/** Bytes of write-ahead log since the cluster was created. */
export async function readWalBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
  )
  return Number(rows[0]!.bytes)
}

export async function countItems(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ items: string }>('select coalesce(sum(item_count), 0) as items from orders')
  return Number(rows[0]!.items)
}
