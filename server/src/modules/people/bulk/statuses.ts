// Statuses of many users, by the rule for one (`changeUserStatus`).

import type { BulkOutcome, UserStatus } from '@megalot/contract'
import type { Db, Tx } from '../../../platform/db.ts'
import { isStatusSetAbove, lockHierarchy } from '../../accounts/index.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { listBulkUsers, saveStatuses } from './bulk.store.ts'
import { type BulkCall, idsOf, type RowDecision, runBulk, toRows } from './run-bulk.ts'

/** Sets statuses. Rows are refused with status_set_above besides. */
export function changeStatuses(
  db: Db,
  actor: PeopleActor,
  { user_ids, own_status, ...call }: BulkCall & { user_ids: readonly number[]; own_status: UserStatus },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'change_status',
    rows: toRows(user_ids),
    content: { user_ids, own_status },
    load: async (tx, ids, isPreview) => {
      // Before any row lock, as for one user (`changeOwnStatus`).
      if (!isPreview) await lockHierarchy(tx as Tx)
      return listBulkUsers(tx, ids, !isPreview)
    },
    decide: async (_db, rows) =>
      rows.map(({ user }): RowDecision =>
        isStatusSetAbove(user, actor)
          ? { code: 'status_set_above' }
          : { before: { own_status: user.own_status }, after: { own_status }, below_count: user.below_count },
      ),
    write: (tx, rows) => saveStatuses(tx, idsOf(rows), own_status, actor.principal_id),
  })
}
