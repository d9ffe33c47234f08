// Reads staff: office users and assistants.

import type { StaffUser } from '@megalot/contract'
import type { At, AuditRow, By } from '../../changes/index.ts'
import { refuseMoreThanOwn, type Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { permissionsOf } from '../accounts/index.ts'
import { findStaffRecord, listStaffRecords, type StaffRecord, suspendAssistantsOf } from './staff.store.ts'

/** The assistants of the caller's principal; for the office all office users and their assistants. */
export async function listStaff(db: Db, caller: Scope): Promise<StaffUser[]> {
  return (await listStaffRecords(db, caller)).map(toStaffUser)
}

function toStaffUser(record: StaffRecord): StaffUser {
  const { own_role, assistant_areas, created_at, last_log_in_at, ...rest } = record
  const { user_id, username, display_name, principal, own_status, status, has_session } = rest
  return {
    user_id,
    username,
    display_name,
    office_role: own_role,
    principal,
    areas: assistant_areas,
    permissions: [...permissionsOf(record)],
    own_status,
    status,
    created_at: created_at.toISOString(),
    last_log_in_at: last_log_in_at?.toISOString() ?? null,
    has_session,
  }
}

export const subjectOf = (user_id: number) => `user:${user_id}`

export const isOfficeUser = ({ own_role }: StaffRecord): boolean => own_role !== null

/** @throws Refusal not_found (not the caller's staff) */
export async function loadStaff({ tx, by }: At, { user_id }: { user_id: number }): Promise<StaffRecord> {
  const record = await findStaffRecord(tx, by.caller, user_id)
  if (!record) throw new Refusal('not_found')
  return record
}

/** @throws Refusal not_allowed, more_than_own (somebody who may do more than the caller) */
export function requireAllowed(isAllowed: boolean, record: StaffRecord, { caller }: By): void {
  if (!isAllowed) throw new Refusal('not_allowed')
  refuseMoreThanOwn(caller, permissionsOf(record))
}

/** The outcome of every change of staff: the user afterwards. */
export async function writtenOf(
  { tx, by }: At,
  user_id: number,
  rows: readonly AuditRow[] = [],
): Promise<{ outcome: StaffUser; rows: readonly AuditRow[] }> {
  return { outcome: toStaffUser((await findStaffRecord(tx, by.caller, user_id))!), rows }
}

/**
 * Suspends the assistants of users who get a new password from somebody else, because anyone who had the account may have
 * created them. Their principal can readmit each of them. The hierarchy is locked.
 */
export async function suspendAssistants(
  { tx, by }: Pick<At, 'tx' | 'by'>,
  principal_ids: readonly number[],
): Promise<{ user_id: number; row: AuditRow }[]> {
  const suspended = await suspendAssistantsOf(tx, principal_ids, by.caller.principal_id)
  return suspended.map(({ user_id, own_status }) => ({
    user_id,
    row: {
      ...{ action: 'change_status', subject: subjectOf(user_id) },
      before: { own_status },
      after: { own_status: 'SUSPENDED' },
    },
  }))
}
