// Reads what the checks of the set-up need: users, markets and the settings of the server.

import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'

export interface OwnerRecord {
  username: string
  has_factor: boolean
  /** An invited owner who has not used the link, or one with a one-time password. */
  must_change_password: boolean
}

/** Owners who are not suspended. */
export async function listOwners(db: Db): Promise<OwnerRecord[]> {
  const { rows } = await sql<OwnerRecord>`
    select username, factor_kinds <> '{}' as has_factor, must_change_password from users
    where office_role = 'owner' and status_in_force <> 'SUSPENDED' order by username`.execute(db)
  return rows
}

/** Office users who can enter results and act. */
export async function countResultEntry(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users
    where office_role in ('owner', 'operations') and status_in_force <> 'SUSPENDED'`.execute(db)
  return rows[0]!.count
}

/** How many markets are on, and how many agents of the last level there are, from which members get their accounts. */
export async function countHouse(db: Db): Promise<{ markets: number; agents: number }> {
  const { rows } = await sql<{ markets: number; agents: number }>`
    select (select count(*)::int from products where is_enabled) as markets,
      (select count(*)::int from users where level = 'agent') as agents`.execute(db)
  return rows[0]!
}

export async function countDemoAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from users where is_demo`.execute(db)
  return rows[0]!.count
}

export interface ServerRecord {
  /** As `server_version_num`. */
  version: number
  has_commit_times: boolean
  is_durable: boolean
  now_ms: number
  /** How many migrations ran. */
  migrations: number
}

export async function readServer(db: Db): Promise<ServerRecord> {
  const { rows } = await sql<ServerRecord>`
    select current_setting('server_version_num')::int as version,
      current_setting('track_commit_timestamp') = 'on' as has_commit_times,
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
        and current_setting('synchronous_commit') <> 'off' as is_durable,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
      (select count(*)::int from migrations) as migrations`.execute(db)
  return rows[0]!
}
