// Lists the changes that two people make, by the kind of their proposal.

import { type ApprovalKind, approvalKinds, type Permission } from '@megalot/contract'
import { repairTicket, voidOrder } from '../../betting/index.ts'
import { changeCreditLimit } from '../../identity/accounts/index.ts'
import { changeShareTerms } from '../../identity/people/index.ts'
import { erasePerson } from '../../identity/personal-data/index.ts'
import { resetFactors } from '../../identity/second-factor/index.ts'
import { changeOfficeRole, resetPassword } from '../../identity/staff/index.ts'
import { changeGameConfig, changeTimetable, createPeriod, movePeriod, postponePeriod } from '../../markets/index.ts'
import { setPackageQuota, setPeriodQuota, setQuota } from '../../markets/quotas/index.ts'
import { adjustBalance, recordPayment, reversePayment } from '../../money/index.ts'
import { voidPeriod } from '../../results/index.ts'
import { addPostponementNotice } from '../../results/notices/index.ts'
import type { Tx } from '../../postgres/db.ts'
import type { Change, ChangeCaller } from '../change.ts'

/** A change whose input is the payload of a proposal. */
type ChangeOfTwo = Change<unknown, unknown, unknown, unknown, unknown, unknown>

const kinds: Readonly<Record<ApprovalKind, ChangeOfTwo>> = {
  create_period: createPeriod,
  move_period: movePeriod,
  postpone_period: followedBy(postponePeriod, addPostponementNotice),
  change_timetable: changeTimetable,
  change_share_terms: changeShareTerms,
  change_game_config: changeGameConfig,
  change_credit_limit: changeCreditLimit,
  set_quota: setQuota,
  set_period_quota: setPeriodQuota,
  set_package_quota: setPackageQuota,
  change_office_role: changeOfficeRole,
  reset_password: resetPassword,
  reset_factors: resetFactors,
  erase_person: erasePerson,
  record_payment: recordPayment,
  adjust_balance: adjustBalance,
  reverse_payment: reversePayment,
  repair_ticket: repairTicket,
  void_order: voidOrder,
  void_period: voidPeriod,
}

/** Adds a write in another room to a change. */
function followedBy<Input, Found, State, Plan, Ready, Outcome>(
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  follow: (tx: Tx, outcome: Outcome) => Promise<unknown>,
): Change<Input, Found, State, Plan, Ready, Outcome> {
  return {
    ...change,
    async write(at, ...rest) {
      const written = await change.write(at, ...rest)
      await follow(at.tx, written!.outcome!)
      return written
    },
  }
}

export function changeOf(kind: ApprovalKind): ChangeOfTwo {
  return kinds[kind]
}

/** The permission that proposer and approver need. */
export function permissionOf(kind: ApprovalKind): Permission {
  return kinds[kind].needs!
}

/** The kinds that a caller may see: those whose area it may view. */
export function listVisibleKinds({ permissions }: Pick<ChangeCaller, 'permissions'>): ApprovalKind[] {
  return approvalKinds.filter((kind) => permissions.has(viewOf(permissionOf(kind))))
}

function viewOf(permission: Permission): Permission {
  return permission.replace(/\.do$/, '.view') as Permission
}
