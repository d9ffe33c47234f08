import type { UserLevel, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'

export interface DownlineRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  is_office: boolean
  parent_id: number | null
  own_status: UserStatus
  /** The strictest of its own status and its uplines' statuses. */
  status: UserStatus
}

async function selectUsers(
  db: Db,
  where: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<DownlineRecord[]> {
  const { rows } = await sql<DownlineRecord>`
    select user_id, username, display_name, level, is_office, parent_id, own_status, status_in_force as status
    from users where ${where} order by username limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export interface DownlineFilter {
  parent_id: number | undefined
  /** Lower case; part of the username or the name. Empty for all. */
  text: string
}

/** The users below a user, by name, without the office; all users for the office. */
export function listDownlineRecords(
  db: Db,
  { principal_id, is_office }: Scope,
  { parent_id, text }: DownlineFilter,
  limit: number,
  offset: number,
): Promise<DownlineRecord[]> {
  // Assistants are not in the hierarchy. The office is below the company, and only the office reads its names
  // (`seenActor`).
  const line = sql`(${is_office} or (upline_ids @> array[${principal_id}]::bigint[] and not is_office))`
  const conditions = [sql`principal_id is null`, line]
  if (parent_id !== undefined) conditions.push(sql`parent_id = ${parent_id}`)
  if (text !== '') conditions.push(sql`(strpos(username, ${text}) > 0 or strpos(lower(display_name), ${text}) > 0)`)
  return selectUsers(db, sql.join(conditions, sql` and `), limit, offset)
}

export async function findDownlineRecord(db: Db, user_id: number): Promise<DownlineRecord | undefined> {
  return (await selectUsers(db, sql`user_id = ${user_id}`, 1, 0))[0]
}

export interface StatusRecord {
  upline_ids: number[]
  own_status: UserStatus
  /** The principal of the user who set it last, whose level decides who may undo it; null if no one has set it. */
  status_set_by: number | null
}

/**
 * How many of these users are below a principal (any user for the office), and how many distinct users are below them.
 */
export async function readReach(
  db: Db,
  { principal_id, is_office }: Scope,
  user_ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ reach: number }>`
    with reached as materialized (
      select user_id, upline_ids from users
      where user_id = any(${[...user_ids]}::bigint[]) and (${is_office} or upline_ids @> array[${principal_id}]::bigint[])
    )
    select (count(*) + coalesce(sum(size.member_count + size.agent_count), 0))::int as reach
    from reached left join downline_sizes size using (user_id)
    where not upline_ids && coalesce((select array_agg(user_id) from reached), '{}')`.execute(db)
  return rows[0]!.reach
}

export async function getStatus(db: Db, user_id: number): Promise<StatusRecord> {
  return db
    .selectFrom('users')
    .select(['upline_ids', 'own_status', 'status_set_by'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
}

export async function saveStatus(tx: Tx, user_id: number, own_status: UserStatus, set_by: number): Promise<void> {
  await tx.updateTable('users').set({ own_status, status_set_by: set_by }).where('user_id', '=', user_id).execute()
}
