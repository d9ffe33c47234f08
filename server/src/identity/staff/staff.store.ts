import type { Area, OfficeRole, StaffUser, UserLevel, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'

/** An office user or an assistant. */
export interface StaffRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  is_office: boolean
  /** Of an office user itself; null for an assistant. */
  own_role: OfficeRole | null
  /** For an assistant that of its principal. */
  office_role: OfficeRole | null
  principal: StaffUser['principal']
  assistant_areas: Area[] | null
  own_status: UserStatus
  status: UserStatus
  created_at: Date
  last_log_in_at: Date | null
  has_session: boolean
}

/** The staff that a caller is in charge of: its principal's assistants; for the office all of the office. */
function isTheirs({ principal_id, is_office }: Scope): RawBuilder<unknown> {
  return is_office ? sql`u.is_office` : sql`u.principal_id = ${principal_id}`
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<StaffRecord[]> {
  const { rows } = await sql<StaffRecord>`
    select u.user_id, u.username, u.display_name, u.level, u.is_office, u.office_role as own_role,
      coalesce(u.office_role, p.office_role) as office_role,
      case when p.user_id is not null then
        json_build_object('user_id', p.user_id, 'username', p.username, 'display_name', p.display_name) end as principal,
      u.assistant_areas, u.own_status, u.status_in_force as status, u.created_at,
      (select max(created_at) from sessions s where s.user_id = u.user_id) as last_log_in_at,
      exists (select 1 from sessions s where s.user_id = u.user_id and s.ended_at is null) as has_session
    from users u left join users p on p.user_id = u.principal_id
    where ${where}
    order by p.username nulls first, u.username`.execute(db)
  return rows
}

/** By principal, office users first. */
export function listStaffRecords(db: Db, scope: Scope): Promise<StaffRecord[]> {
  return select(db, isTheirs(scope))
}

/** A member of the caller's staff. */
export async function findStaffRecord(db: Db, scope: Scope, user_id: number): Promise<StaffRecord | undefined> {
  return (await select(db, sql`u.user_id = ${user_id} and ${isTheirs(scope)}`))[0]
}

/** The assistants of a principal that are not suspended themselves. */
export async function countAssistants(db: Db, principal_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where principal_id = ${principal_id} and own_status <> 'SUSPENDED'`.execute(
    db,
  )
  return rows[0]!.count
}

export async function saveAreas(tx: Tx, user_id: number, areas: readonly Area[]): Promise<void> {
  await tx
    .updateTable('users')
    .set({ assistant_areas: [...areas] })
    .where('user_id', '=', user_id)
    .execute()
}

export async function saveRole(tx: Tx, user_id: number, office_role: OfficeRole): Promise<void> {
  await tx.updateTable('users').set({ office_role }).where('user_id', '=', user_id).execute()
}

export async function saveStaffStatus(
  tx: Tx,
  user_id: number,
  own_status: UserStatus,
  status_set_by: number,
): Promise<void> {
  await tx.updateTable('users').set({ own_status, status_set_by }).where('user_id', '=', user_id).execute()
}

/** Suspends all assistants of these principals that are not. Their rows are locked in one order. @returns them, with the status of before */
export async function suspendAssistantsOf(
  tx: Tx,
  principal_ids: readonly number[],
  status_set_by: number,
): Promise<Pick<StaffRecord, 'user_id' | 'own_status'>[]> {
  const { rows } = await sql<Pick<StaffRecord, 'user_id' | 'own_status'>>`
    with before as (
      select user_id, own_status from users where principal_id = any(${principal_ids}::bigint[]) and own_status <> 'SUSPENDED'
      order by user_id for no key update)
    update users u set own_status = 'SUSPENDED', status_set_by = ${status_set_by}
    from before where u.user_id = before.user_id
    returning u.user_id, before.own_status`.execute(tx)
  return rows.toSorted((one, other) => one.user_id - other.user_id)
}
