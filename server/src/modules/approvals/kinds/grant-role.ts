// A role that may do more than the user's present one: who could make a second person alone would need none.

import { permissionsOfRole, proposalPayloads } from '@megalot/contract'
import { changeOfficeRole, lockRole } from '../../staff/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const grantRoleKind: Kind<'grant_role'> = {
  payload: proposalPayloads.grant_role,
  may_propose: 'staff.do',
  may_approve: 'staff.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => grantRoleKind.execute(tx, payload, proposer, reason)),
  async describe(tx, { user_id, office_role }, decider) {
    const { username, display_name, permissions, last_log_in_at, ...user } = await lockRole(tx, decider, user_id)
    const before = { office_role: user.office_role, own_status: user.own_status }
    const gained = [...permissionsOfRole[office_role]].filter((permission) => !permissions.includes(permission))
    // Before its first log-in, whoever made the user knows its password.
    const figures = { username, display_name, gained, last_log_in_at }
    return { subject: `user:${user_id}`, product_code: null, before, after: { office_role }, figures }
  },
  async execute(tx, { user_id, office_role }, approver, reason) {
    await changeOfficeRole(tx, approver, user_id, { office_role, reason }, 'two_people')
  },
}
