// The kinds of proposals, by name.

import { type ApprovalKind, approvalKinds, type Permission } from '@megalot/contract'
import { setPackageQuota, setPeriodQuota, setQuota } from '../../quotas/index.ts'
import type { Decider, Kind } from './kind.ts'
import { kindOfChange } from './kind-of-change.ts'
import { changeShareKind } from './change-share.ts'
import { changeTermsKind } from './change-terms.ts'
import { changeTimetableKind } from './change-timetable.ts'
import { companyCreditKind } from './company-credit.ts'
import { createPeriodKind } from './create-period.ts'
import { grantRoleKind } from './grant-role.ts'
import { movePeriodKind } from './move-period.ts'
import { postponePeriodKind } from './postpone-period.ts'
import { repairTicketKind } from './repair-ticket.ts'
import { resetFactorsKind } from './reset-factors.ts'
import { resetPasswordKind } from './reset-password.ts'

const kinds: { readonly [K in ApprovalKind]: Kind<K> } = {
  create_period: createPeriodKind,
  move_period: movePeriodKind,
  postpone_period: postponePeriodKind,
  change_timetable: changeTimetableKind,
  change_share: changeShareKind,
  change_terms: changeTermsKind,
  change_company_credit: companyCreditKind,
  set_quota: kindOfChange(setQuota),
  set_period_quota: kindOfChange(setPeriodQuota),
  set_package_quota: kindOfChange(setPackageQuota),
  grant_role: grantRoleKind,
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
