// Helpers for tests that create office users and assistants.

import type { Area, OfficeRole, StaffUser } from '@megalot/contract'
import { carryOut, type ChangeCaller } from '../src/changes/index.ts'
import { carryOutApproved } from './changes.ts'
import { changeOfficeRole, createAssistant, createOfficeUser } from '../src/identity/staff/index.ts'
import type { Db } from '../src/postgres/db.ts'

interface NewStaff {
  username: string
  display_name: string
  password: string
}

/** Creates an assistant of the caller. */
export async function hireAssistant(
  db: Db,
  caller: ChangeCaller,
  { areas, ...given }: NewStaff & { areas: readonly Area[] },
): Promise<StaffUser> {
  return (await carryOut(db, createAssistant, { caller, input: { ...given, areas: [...areas] } }))!
}

/** Creates an office user with a role, by two people. */
export async function hireOfficeUser(
  db: Db,
  owner: ChangeCaller,
  { office_role, username, display_name }: Omit<NewStaff, 'password'> & { office_role: OfficeRole },
): Promise<StaffUser> {
  const { user_id } = (await carryOut(db, createOfficeUser, { caller: owner, input: { username, display_name } }))!
  return setRoleByTwo(db, owner, user_id, office_role)
}

/** Sets a role as the approval of two people does, without a password. */
export async function setRoleByTwo(
  db: Db,
  approver: ChangeCaller,
  user_id: number,
  office_role: OfficeRole,
  reason = 'for a test',
): Promise<StaffUser> {
  const call = { caller: approver, input: { user_id, office_role }, reason }
  return (await carryOutApproved(db, changeOfficeRole, call))!
}
