import type { UserLevel, UserStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Lock } from '../../../changes/index.ts'
import { type Db, type Tx, unquotedArray } from '../../../postgres/db.ts'

/** A user as a change of many users needs it. */
export interface BulkUser {
  user_id: number
  parent_id: number | null
  upline_ids: number[]
  is_office: boolean
  level: UserLevel
  username: string
  display_name: string
  own_status: UserStatus
  status_set_by: number | null
  has_session: boolean
  /** At all levels. */
  below_count: number
}

/** Locks users until the transaction ends. */
export function lockOfUsers(users: readonly { user_id: number }[]): Lock {
  const user_ids = users.map(({ user_id }) => user_id)
  const ids = unquotedArray(user_ids)
  const lock = sql`select 1 from users where user_id = any(${ids}::bigint[]) order by user_id for no key update`
  return { rank: 'users', key: user_ids.join(), take: (tx) => lock.execute(tx) }
}

/** Users by id; assistants stand outside of the hierarchy. */
export async function listBulkUsers(db: Db, user_ids: readonly number[]): Promise<Map<number, BulkUser>> {
  const ids = unquotedArray(user_ids)
  const { rows } = await sql<BulkUser>`
    select user_id, parent_id, upline_ids, is_office, level, username, display_name, own_status, status_set_by,
      exists (select 1 from sessions s where s.user_id = users.user_id and s.ended_at is null) as has_session,
      coalesce(member_count + agent_count, 0) as below_count
    from users left join downline_sizes using (user_id)
    where user_id = any(${ids}::bigint[]) and principal_id is null`.execute(db)
  return new Map(rows.map((user) => [user.user_id, user]))
}

/** Triggers run for each row, so that thousands would take longer than one statement may. */
const ROWS_AT_ONCE = 500

export async function saveStatuses(
  tx: Tx,
  user_ids: readonly number[],
  own_status: UserStatus,
  set_by: number,
): Promise<void> {
  for (let from = 0; from < user_ids.length; from += ROWS_AT_ONCE) {
    const ids = unquotedArray(user_ids.slice(from, from + ROWS_AT_ONCE))
    await sql`
      update users set own_status = ${own_status}, status_set_by = ${set_by}
      where user_id = any(${ids}::bigint[])`.execute(tx)
  }
}

export async function saveDisplayNames(
  tx: Tx,
  rows: readonly { user_id: number; display_name: string }[],
): Promise<void> {
  await sql`
    update users set display_name = given.display_name
    from unnest(${rows.map((row) => row.user_id)}::bigint[], ${rows.map((row) => row.display_name)}::text[])
      as given (user_id, display_name)
    where users.user_id = given.user_id`.execute(tx)
}

/** The cash account of a user, and what it has given to its children. */
export interface CashState {
  user_id: number
  credit_limit_satang: number
  balance_satang: number
  given_satang: number
}

/** Of users, by id. The caller has locked the accounts where it changes them. */
export async function listCashStates(db: Db, user_ids: readonly number[]): Promise<Map<number, CashState>> {
  const ids = unquotedArray(user_ids)
  const { rows } = await sql<CashState>`
    select user_id, 0 - floor_satang as credit_limit_satang, balance_satang, given_satang from accounts
    where kind = 'cash' and user_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((state) => [state.user_id, state]))
}

export async function saveCreditLimits(
  tx: Tx,
  rows: readonly { user_id: number; credit_limit_satang: number }[],
): Promise<void> {
  await sql`
    update accounts set floor_satang = 0 - given.credit_limit_satang
    from unnest(${unquotedArray(rows.map((row) => row.user_id))}::bigint[],
      ${unquotedArray(rows.map((row) => row.credit_limit_satang))}::bigint[]) as given (user_id, credit_limit_satang)
    where accounts.kind = 'cash' and accounts.user_id = given.user_id`.execute(tx)
}

/** The packages of users, by user. */
export async function listPackageIds(db: Db, user_ids: readonly number[]): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<{ user_id: number; package_id: number }>`
    select user_id, package_id from user_packages where user_id = any(${unquotedArray(user_ids)}::bigint[])`.execute(db)
  const packages = new Map(user_ids.map((user_id) => [user_id, new Set<number>()]))
  for (const { user_id, package_id } of rows) packages.get(user_id)!.add(package_id)
  return packages
}

export interface GivenPackage {
  user_id: number
  package_id: number
}

export async function insertPackages(tx: Tx, given: readonly GivenPackage[]): Promise<void> {
  await sql`
    insert into user_packages (user_id, package_id)
    select * from unnest(${unquotedArray(given.map((each) => each.user_id))}::bigint[],
      ${unquotedArray(given.map((each) => each.package_id))}::int[]) on conflict do nothing`.execute(tx)
}

export interface TakenPackage extends GivenPackage {
  upline_ids: number[]
}

/** Takes packages from users and from everybody below them. */
export async function deletePackagesBelow(
  tx: Tx,
  user_ids: readonly number[],
  /** Those of the users who have anybody below. */
  upline_ids: readonly number[],
  package_ids: readonly number[],
): Promise<TakenPackage[]> {
  const ids = unquotedArray(user_ids)
  const { rows } = await sql<TakenPackage>`
    delete from user_packages given using users
    where users.user_id = given.user_id and given.package_id = any(${unquotedArray(package_ids)}::int[])
      and (users.user_id = any(${ids}::bigint[]) or users.upline_ids && ${unquotedArray(upline_ids)}::bigint[])
    returning given.user_id, given.package_id, users.upline_ids`.execute(tx)
  return rows
}

/** How many users below have one of these packages, by upline. */
export async function countHoldersBelow(
  db: Db,
  upline_ids: readonly number[],
  package_ids: readonly number[],
): Promise<Map<number, number>> {
  if (upline_ids.length === 0) return new Map()
  const { rows } = await sql<{ upline_id: number; count: number }>`
    select upline_id, (select count(*)::int from users where upline_ids @> array[upline_id]
      and package_ids && ${unquotedArray(package_ids)}::int[]) as count
    from unnest(${unquotedArray(upline_ids)}::bigint[]) as upline (upline_id)`.execute(db)
  return new Map(rows.map(({ upline_id, count }) => [upline_id, count]))
}
