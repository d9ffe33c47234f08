// The list of staff: office users with their roles, and assistants with their areas.

import type { StaffUser } from '@megalot/contract'
import type { Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockHierarchy, permissionsOf } from '../accounts/index.ts'
import { type AuditRecord } from '../../changes/audit/index.ts'
import { findStaffRecord, listStaffRecords, type StaffRecord, suspendAssistantsOf } from './staff.store.ts'

/** The assistants of the caller's principal; for the office all office users and their assistants. */
export async function listStaff(db: Db, caller: Scope): Promise<StaffUser[]> {
  return (await listStaffRecords(db, caller)).map(toStaffUser)
}

export function toStaffUser(record: StaffRecord): StaffUser {
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

/**
 * Suspends the assistants of users who get a new password from somebody else: whoever had the account may have made them, and knows their
 * passwords. Their principal readmits each that is its own. The caller has locked the hierarchy, and writes the records.
 */
export async function suspendAssistants(
  tx: Tx,
  { actor_id, principal_id }: Scope & { actor_id: number },
  principal_ids: readonly number[],
  reason: string,
): Promise<{ user_id: number; record: AuditRecord }[]> {
  const suspended = await suspendAssistantsOf(tx, principal_ids, principal_id)
  return suspended.map(({ user_id, own_status }) => ({
    user_id,
    record: {
      ...{ actor_id, action: 'change_status', subject: `user:${user_id}`, reason },
      before: { own_status },
      after: { own_status: 'SUSPENDED' },
    },
  }))
}

/** The role of an office user in the caller's charge, while no other change of staff happens. @throws Refusal not_found, not_allowed */
export async function lockRole(tx: Tx, caller: Scope, user_id: number): Promise<StaffUser> {
  await lockHierarchy(tx)
  const record = await findStaffRecord(tx, caller, user_id)
  if (!record) throw new Refusal('not_found')
  if (record.own_role === null) throw new Refusal('not_allowed')
  return toStaffUser(record)
}
