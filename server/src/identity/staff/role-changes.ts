// Roles and lost passwords of office users. Two people grant a higher role or replace a password: alone, a person could
// create the second person for every other decision. Proposer and approver each learn one half of the user's one-time password.

import * as contract from '@megalot/contract'
import { listGained, permissionsOfRole } from '@megalot/contract'
import { type At, type AuditRow, defineChange, endPendingDecisions, lockOfHierarchy } from '../../changes/index.ts'
import { refuseMoreThanOwn } from '../../http/caller.ts'
import { permissionsOf, type SplitPassword } from '../accounts/index.ts'
import { givePassword, passwordHalves } from '../credentials/index.ts'
import { dropFactors } from '../second-factor/index.ts'
import { isOfficeUser, loadStaff, requireAllowed, subjectOf, suspendAssistants, writtenOf } from './staff.service.ts'
import { saveRole } from './staff.store.ts'

/**
 * Sets the role of an office user from its next call on. A role with further permissions, or another role for an owner,
 * needs two people. With further permissions the user gets a new password and loses its factors and assistants, because
 * somebody else may have set them up. With fewer, its undecided proposals and first entries end.
 * @throws Refusal not_found, not_allowed (an assistant), more_than_own (the role or the user may do more than the caller),
 * last_owner
 */
export const changeOfficeRole = defineChange({
  name: 'change_office_role',
  needs: 'staff.do',
  input: contract.proposalPayloads.change_office_role,
  locks: () => [lockOfHierarchy],
  load: (at, input) => loadStaff(at, input),
  decide(record, { user_id, office_role }, by) {
    requireAllowed(isOfficeUser(record), record, by)
    refuseMoreThanOwn(by.caller, permissionsOfRole[office_role])
    const { username, display_name, own_status, last_log_in_at } = record
    const before = record.own_role!
    const gained = listGained(before, office_role)
    const byTwo = gained.length > 0 || (before === 'owner' && office_role !== 'owner')
    return {
      plan: { user_id, office_role, byTwo, isLess: listGained(office_role, before).length > 0 },
      rows: [{ subject: subjectOf(user_id), before: { office_role: before }, after: { office_role } }],
      needsTwo: byTwo && {},
      proposal: {
        before: { office_role: before, own_status },
        figures: { username, display_name, gained, last_log_in_at },
        alsoNeeds: [...permissionsOfRole[before], ...permissionsOfRole[office_role]],
        givesPassword: gained.length > 0,
      },
    }
  },
  halves: passwordHalves,
  async write(at, { user_id, office_role, byTwo, isLess }, _by, password) {
    await saveRole(at.tx, user_id, office_role)
    const rows = isLess ? await endPendingDecisions(at, user_id, byTwo) : []
    if (password) rows.push(...(await beginAnew(at, user_id, password)), ...(await dropFactors(at.tx, user_id)))
    return writtenOf(at, user_id, rows)
  },
  refusals: { office_keeps_an_owner: 'last_owner' },
})

/**
 * Gives an office user who has lost its password a new one. Two people do it.
 * @throws Refusal not_found, not_allowed (an assistant, oneself), more_than_own
 */
export const resetPassword = defineChange({
  name: 'reset_password',
  needs: 'staff.do',
  input: contract.proposalPayloads.reset_password,
  locks: () => [lockOfHierarchy],
  load: (at, input) => loadStaff(at, input),
  decide(record, { user_id }, by) {
    requireAllowed(isOfficeUser(record) && user_id !== by.caller.principal_id, record, by)
    const { username, display_name, own_role: office_role, own_status } = record
    const before = { office_role, own_status }
    return {
      plan: user_id,
      needsTwo: {},
      proposal: {
        subject: subjectOf(user_id),
        before,
        after: { ...before, must_change_password: true },
        figures: { username, display_name },
        alsoNeeds: [...permissionsOf(record)],
        givesPassword: true,
      },
    }
  },
  halves: passwordHalves,
  async write(at, user_id, _by, password) {
    return { rows: password ? await beginAnew(at, user_id, password) : [] }
  },
})

/** Sets the password, and suspends the user's assistants: somebody else may have had the account. */
async function beginAnew(at: At, user_id: number, password: SplitPassword): Promise<AuditRow[]> {
  const rows = [await givePassword(at.tx, user_id, password)]
  for (const suspended of await suspendAssistants(at, [user_id]))
    rows.push(suspended.row, ...(await endPendingDecisions(at, suspended.user_id, true)))
  return rows
}
