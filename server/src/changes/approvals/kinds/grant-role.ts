// A role with more permissions than the user's present one. Two people grant it, because whoever could grant it alone could make
// a second person for every other approval. The user starts anew: with a one-time password, of which proposer and approver know
// a half each, and without the factors and the assistants that somebody may have enrolled or made before.

import { listGained, permissionsOfRole, proposalPayloads } from '@megalot/contract'
import { carryOutApproved } from '../../index.ts'
import { lockFactors, resetFactors } from '../../../identity/second-factor/index.ts'
import { changeOfficeRole, lockRole } from '../../../identity/staff/index.ts'
import { beginAnew } from './begin-anew.ts'
import { type Kind, tryOut } from './kind.ts'

export const grantRoleKind: Kind<'change_office_role'> = {
  payload: proposalPayloads.change_office_role,
  permission: 'staff.do',
  validate: (tx, payload, proposer, reason) => tryOut(tx, () => grantRoleKind.execute(tx, payload, proposer, reason)),
  async describe(tx, { user_id, office_role }, decider) {
    const { username, display_name, last_log_in_at, ...user } = await lockRole(tx, decider, user_id)
    const before = { office_role: user.office_role, own_status: user.own_status }
    const gained = listGained(user.office_role!, office_role)
    const figures = { username, display_name, gained, last_log_in_at }
    const gives_password = gained.length > 0
    return {
      subject: `user:${user_id}`,
      product_code: null,
      before,
      after: { office_role },
      figures,
      needs: [...permissionsOfRole[user.office_role!], ...permissionsOfRole[office_role]],
      gives_password,
    }
  },
  async execute(tx, { user_id, office_role }, approver, reason, password) {
    await carryOutApproved(tx, changeOfficeRole, { caller: approver, input: { user_id, office_role }, reason })
    if (!password) return
    await beginAnew(tx, user_id, password, approver, reason)
    const { actor_id } = approver
    if ((await lockFactors(tx, user_id)).length > 0) await resetFactors(tx, user_id, { actor_id, reason })
  },
}
