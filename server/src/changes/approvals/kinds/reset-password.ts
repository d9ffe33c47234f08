// The password of an office user who has lost it. Proposer and approver get a half of the new one each: whoever set a
// colleague's password alone could act as the second person.

import { proposalPayloads } from '@megalot/contract'
import { lockRole } from '../../../identity/staff/index.ts'
import { beginAnew } from './begin-anew.ts'
import type { Kind } from './kind.ts'
import { findSubject } from './reset-factors.ts'

export const resetPasswordKind: Kind<'reset_password'> = {
  payload: proposalPayloads.reset_password,
  permission: 'staff.do',
  // A reset has no refusals besides those of `describe`, so it is not tried out.
  validate: async () => {},
  async describe(tx, { user_id }, decider) {
    const { needs } = await findSubject(tx, user_id, decider)
    const { username, display_name, office_role, own_status } = await lockRole(tx, decider, user_id)
    const before = { office_role, own_status }
    const after = { ...before, must_change_password: true }
    const figures = { username, display_name }
    return { subject: `user:${user_id}`, product_code: null, before, after, figures, needs, gives_password: true }
  },
  async execute(tx, { user_id }, approver, reason, password) {
    await beginAnew(tx, user_id, password!, approver, reason)
  },
}
