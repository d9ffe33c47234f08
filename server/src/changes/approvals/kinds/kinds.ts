// The kinds of proposals, by name.

import { type ApprovalKind, approvalKinds, type Permission } from '@megalot/contract'
import { changeCreditLimit } from '../../../identity/accounts/index.ts'
import { changeGameConfig, changeTimetable, createPeriod, movePeriod, postponePeriod } from '../../../markets/index.ts'
import { addPostponementNotice } from '../../../results/notices/index.ts'
import { changeShareTerms } from '../../../identity/people/index.ts'
import { setPackageQuota, setPeriodQuota, setQuota } from '../../../markets/quotas/index.ts'
import type { Decider, Kind } from './kind.ts'
import { kindOfChange } from './kind-of-change.ts'
import { grantRoleKind } from './grant-role.ts'
import { repairTicketKind } from './repair-ticket.ts'
import { resetFactorsKind } from './reset-factors.ts'
import { resetPasswordKind } from './reset-password.ts'

const kinds: { readonly [K in ApprovalKind]: Kind<K> } = {
  create_period: kindOfChange(createPeriod, { locks_market: true }),
  move_period: kindOfChange(movePeriod, { locks_market: true }),
  postpone_period: kindOfChange(postponePeriod, { locks_market: true, after: addPostponementNotice }),
  change_timetable: kindOfChange(changeTimetable, { locks_market: true }),
  change_share_terms: kindOfChange(changeShareTerms),
  change_game_config: kindOfChange(changeGameConfig, { locks_market: true }),
  change_credit_limit: kindOfChange(changeCreditLimit),
  set_quota: kindOfChange(setQuota),
  set_period_quota: kindOfChange(setPeriodQuota),
  set_package_quota: kindOfChange(setPackageQuota),
  change_office_role: grantRoleKind,
  reset_password: resetPasswordKind,
  reset_factors: resetFactorsKind,
  repair_ticket: repairTicketKind,
}

/** A kind by its name. Its payload is checked by the schema of the kind where it enters: in the call, and in the store. */
export function kindOf(kind: ApprovalKind): Kind<ApprovalKind> {
  return kinds[kind]
}

/** The kinds that somebody may see: whoever may view the area of those who approve. */
export function listVisibleKinds({ permissions }: Pick<Decider, 'permissions'>): ApprovalKind[] {
  return approvalKinds.filter((kind) => permissions.has(viewOf(kinds[kind].permission)))
}

function viewOf(permission: Permission): Permission {
  return permission.replace(/\.do$/, '.view') as Permission
}
