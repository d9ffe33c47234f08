// What an upline, or the office, sees and decides about the users below it. Credit limits: `accounts.service.ts`.

import * as contract from '@megalot/contract'
import type { DownlineUser } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange, lockOfHierarchy } from '../../changes/index.ts'
import type { Caller, Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { listCreditBalances } from '../../betting/ledger/index.ts'
import { showCredit, toCreditInfo } from './accounts.service.ts'
import {
  type DownlineRecord,
  findDownlineRecord,
  getStatus,
  listDownlineRecords,
  readReach,
  saveStatus,
  type StatusRecord,
} from './downline.store.ts'
import { getAccessibleUser, lockOfUser, type UserInHierarchy } from './users.ts'

export interface DownlineQuery {
  parent_id?: string | undefined
  search?: string | undefined
}

type Viewer = Pick<Caller, 'permissions'>

/** The users under the caller, by name; all users for the office. */
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

/** @throws Error if it does not exist: the caller has just changed this user, so access is already checked */
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

/** How many users a change affects: those of them below the actor, and all users below those. */
export function countReach(db: Db, actor: Scope, user_ids: readonly number[]): Promise<number> {
  return readReach(db, actor, user_ids)
}

/**
 * Sets a user's status, by any of its uplines or the office. It applies to the user and its downline from the next call
 * on; a suspension ends their sessions.
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, the company, or an office user, who is
 * staff), status_set_above
 */
export const changeUserStatus = defineChange({
  name: 'change_status',
  needs: 'people.do',
  input: z.strictObject({ user_id: z.int(), own_status: contract.userStatus }),
  async find(db, { user_id }, caller) {
    refuseOwnOrStaff(caller, await getAccessibleUser(db, caller, user_id))
  },
  // A status applies to the whole downline, so its changes are serialised (`0002-users.sql`).
  locks: ({ user_id }) => [lockOfHierarchy, lockOfUser(user_id)],
  load: ({ tx }, { user_id }) => getStatus(tx, user_id),
  decide(user, input, { caller }) {
    if (isStatusSetAbove(user, caller)) throw new Refusal('status_set_above')
    const { user_id, own_status } = input
    return {
      plan: input,
      rows: [{ subject: `user:${user_id}`, before: { own_status: user.own_status }, after: { own_status } }],
    }
  },
  async write({ tx, by }, { user_id, own_status }) {
    await saveStatus(tx, user_id, own_status, by.caller.principal_id)
    return { outcome: user_id }
  },
})

/** @throws Refusal not_allowed: a suspended company would lock everyone out, and no one could undo it */
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
  // Set by an upline or, if the setter is no upline, by the office.
  const rankOfSetter = Math.max(0, upline_ids.indexOf(status_set_by))
  return rankOfSetter < upline_ids.indexOf(actor.principal_id)
}
