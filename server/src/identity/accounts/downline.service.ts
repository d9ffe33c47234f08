// What an upline, or the office, sees and decides about the users below it. Credit limits: `accounts.service.ts`.

import type { DownlineUser, UserStatus } from '@megalot/contract'
import { type Actor, type Caller, canAccess, type Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { listCreditBalances } from '../../betting/ledger/index.ts'
import { showCredit, toCreditInfo } from './accounts.service.ts'
import {
  type DownlineRecord,
  findDownlineRecord,
  listDownlineRecords,
  lockStatus,
  readReach,
  saveStatus,
  type StatusRecord,
} from './downline.store.ts'
import { getAccessibleUser, lockHierarchy, type UserInHierarchy } from './users.ts'

export interface DownlineQuery {
  parent_id?: string | undefined
  search?: string | undefined
}

type Viewer = Pick<Caller, 'permissions'>

/** The users under the caller, by name; everybody for the office. */
export async function listDownline(
  db: Db,
  caller: Scope & Viewer,
  { parent_id, search }: DownlineQuery,
  limit: number,
  offset: number,
): Promise<DownlineUser[]> {
  const filter = {
    parent_id: parent_id === undefined ? undefined : Number(parent_id),
    text: search?.trim().toLowerCase() ?? '',
  }
  return addCredit(db, caller, await listDownlineRecords(db, caller, filter, limit, offset))
}

/** @throws Error where there is none: the caller has changed this user before, so access is already checked */
export async function getDownlineUser(db: Db, viewer: Viewer, user_id: number): Promise<DownlineUser> {
  const record = await findDownlineRecord(db, user_id)
  if (!record) throw new Error(`User ${user_id} is gone`)
  return (await addCredit(db, viewer, [record]))[0]!
}

async function addCredit(db: Db, viewer: Viewer, records: readonly DownlineRecord[]): Promise<DownlineUser[]> {
  const balances = await listCreditBalances(
    db,
    records.map(({ user_id }) => user_id),
  )
  return records.map((record) => ({ ...record, ...showCredit(toCreditInfo(balances.get(record.user_id)!), viewer) }))
}

/** How many users a change of these concerns: those of them who stand below the actor, and all below them. */
export function countReach(db: Db, actor: Scope, user_ids: readonly number[]): Promise<number> {
  return readReach(db, actor, user_ids)
}

/**
 * Sets the status of a user, by any of its uplines or the office. It applies to the user and its downline from the next
 * call on; a suspension ends their sessions.
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, the company itself, an office user, who is
 * staff), status_set_above
 */
export async function changeOwnStatus(
  db: Db,
  actor: Actor,
  user_id: number,
  own_status: UserStatus,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // What is refused for its caller takes no lock.
    refuseOwnOrStaff(actor, await getAccessibleUser(tx, actor, user_id))
    // Before any row lock: a status spreads to the whole downline, so changes are serialised
    // (`0002-users.sql`).
    await lockHierarchy(tx)
    const user = await lockStatus(tx, user_id)
    await actor.verifyAgain?.(tx)
    if (!user || !canAccess(actor, { user_id, ...user })) throw new Refusal('not_found')
    refuseOwnOrStaff(actor, { user_id, ...user })
    if (isStatusSetAbove(user, actor)) throw new Refusal('status_set_above')
    await saveStatus(tx, user_id, own_status, actor.principal_id)
    await writeAudit(tx, {
      actor_id: actor.actor_id,
      action: 'change_status',
      subject: `user:${user_id}`,
      before: { own_status: user.own_status },
      after: { own_status },
      reason,
    })
  })
}

/** @throws Refusal not_allowed: a suspended company would lock out everybody, and nobody could undo it */
function refuseOwnOrStaff(
  actor: Scope,
  { user_id, parent_id, is_office }: Pick<UserInHierarchy, 'user_id' | 'parent_id' | 'is_office'>,
): void {
  if (actor.principal_id === user_id || parent_id === null || is_office) throw new Refusal('not_allowed')
}

/** Whether a restriction was set by a user above the actor; the office counts as the company. */
export function isStatusSetAbove(
  { own_status, status_set_by, upline_ids }: Pick<StatusRecord, 'own_status' | 'status_set_by' | 'upline_ids'>,
  actor: Scope,
): boolean {
  if (own_status === 'NORMAL' || status_set_by === null || actor.is_office) return false
  // It was set by an upline or, where the setter is no upline, by the office.
  const rankOfSetter = Math.max(0, upline_ids.indexOf(status_set_by))
  return rankOfSetter < upline_ids.indexOf(actor.principal_id)
}
