// What an upline, or the office, sees and decides about the users below it. Credit limits: `accounts.service.ts`.

import type { DownlineUser, UserLevel, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { takeLock } from '../../platform/advisory-locks.ts'
import { type Caller, canAccess } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { listCreditBalances } from '../ledger/index.ts'
import { toCreditInfo } from './accounts.service.ts'

interface UserRecord {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  is_office: boolean
  parent_id: number | null
  own_status: UserStatus
  status: UserStatus
}

async function selectUsers(db: Db, where: RawBuilder<unknown>, limit: number, offset: number): Promise<DownlineUser[]> {
  const { rows } = await sql<UserRecord>`
    select user_id, username, display_name, level, is_office, parent_id, own_status, status_in_force as status
    from users where ${where} order by username limit ${limit} offset ${offset}`.execute(db)
  const balances = await listCreditBalances(
    db,
    rows.map((row) => row.user_id),
  )
  return rows.map((row) => ({ ...row, ...toCreditInfo(balances.get(row.user_id)!) }))
}

export interface DownlineQuery {
  parent_id?: string | undefined
  search?: string | undefined
}

/** The users under the caller, by name; everybody for the office. */
export async function listDownline(
  db: Db,
  caller: Pick<Caller, 'user_id' | 'is_office'>,
  { parent_id, search }: DownlineQuery,
  limit: number,
  offset: number,
): Promise<DownlineUser[]> {
  const conditions = [sql`(${caller.is_office} or upline_ids @> array[${caller.user_id}]::bigint[])`]
  if (parent_id !== undefined) conditions.push(sql`parent_id = ${Number(parent_id)}`)
  const text = search?.trim().toLowerCase() ?? ''
  if (text !== '') conditions.push(sql`(strpos(username, ${text}) > 0 or strpos(lower(display_name), ${text}) > 0)`)
  return selectUsers(db, sql.join(conditions, sql` and `), limit, offset)
}

/** @throws Error where there is none: the caller has changed this user before, so access is already checked */
export async function getDownlineUser(db: Db, user_id: number): Promise<DownlineUser> {
  const [user] = await selectUsers(db, sql`user_id = ${user_id}`, 1, 0)
  if (!user) throw new Error(`User ${user_id} is gone`)
  return user
}

/**
 * Until the transaction ends no user is added to the tree, and no other change spreads down it. Taken before any row
 * lock.
 */
export async function lockTree(tx: Tx): Promise<void> {
  await sql`select ${takeLock('userTree')}`.execute(tx)
}

/**
 * Sets the status of a user, by any of its uplines or the office. It applies to the user and its downline from the next
 * call on; a suspension ends their sessions.
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, the company itself), status_set_above
 */
export async function changeOwnStatus(
  db: Db,
  actor: Pick<Caller, 'user_id' | 'is_office'>,
  user_id: number,
  own_status: UserStatus,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Before any row lock: a status spreads to the whole downline, so changes are serialised
    // (`0002-users.sql`).
    await lockTree(tx)
    const user = await tx
      .selectFrom('users')
      .select(['parent_id', 'upline_ids', 'own_status', 'status_set_by'])
      .where('user_id', '=', user_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user || !canAccess(actor, { user_id, ...user })) throw new Refusal('not_found')
    // A suspended company would lock out everybody, and nobody could undo it.
    if (actor.user_id === user_id || user.parent_id === null) throw new Refusal('not_allowed')
    if (isSetAbove(user, actor)) throw new Refusal('status_set_above')
    await tx
      .updateTable('users')
      .set({ own_status, status_set_by: actor.user_id })
      .where('user_id', '=', user_id)
      .execute()
    await writeAudit(tx, {
      actor_id: actor.user_id,
      action: 'change_status',
      subject: `user:${user_id}`,
      before: { own_status: user.own_status },
      after: { own_status },
      reason,
    })
  })
}

/** Whether a restriction was set by a user above the actor; the office counts as the company. */
function isSetAbove(
  {
    own_status,
    status_set_by,
    upline_ids,
  }: { own_status: UserStatus; status_set_by: number | null; upline_ids: number[] },
  actor: Pick<Caller, 'user_id' | 'is_office'>,
): boolean {
  if (own_status === 'NORMAL' || status_set_by === null || actor.is_office) return false
  // It was set by an upline or, where the setter is no upline, by the office.
  const rankOfSetter = Math.max(0, upline_ids.indexOf(status_set_by))
  return rankOfSetter < upline_ids.indexOf(actor.user_id)
}
