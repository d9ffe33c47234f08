// Statuses of many users, by the rule for one (`changeUserStatus`).

import type { BulkOutcome, UserStatus } from '@megalot/contract'
import type { Db } from '../../../postgres/db.ts'
import { isStatusSetAbove, lockHierarchy } from '../../accounts/index.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { lockUsers, saveStatuses } from './bulk.store.ts'
import { type BulkCall, idsOf, type RowDecision, runBulk, toRows } from './run-bulk.ts'

/** Sets statuses. Rows are refused with status_set_above besides. */
export function changeStatuses(
  db: Db,
  caller: PeopleActor,
  { user_ids, own_status, ...call }: BulkCall & { user_ids: readonly number[]; own_status: UserStatus },
): Promise<BulkOutcome[]> {
  return runBulk(db, caller, call, {
    action: 'change_status',
    rows: toRows(user_ids),
    content: { user_ids, own_status },
    lock: async (tx, users) => {
      // Before any row lock, as for one user (`changeUserStatus`).
      await lockHierarchy(tx)
      await lockUsers(tx, users)
    },
    decide: async (_db, rows, actor) =>
      rows.map(({ user }): RowDecision => {
        if (isStatusSetAbove(user, actor)) return { code: 'status_set_above' }
        const { own_status: before, status_set_by, below_count } = user
        // Whose restriction it is: those below may not lift it from now on.
        const isChanged = own_status !== 'NORMAL' && status_set_by !== actor.principal_id
        return { before: { own_status: before }, after: { own_status }, below_count, isChanged }
      }),
    write: (tx, rows) => saveStatuses(tx, idsOf(rows), own_status, caller.principal_id),
  })
}
