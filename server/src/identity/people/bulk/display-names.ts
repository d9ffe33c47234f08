// Names of many users.

import type { BulkOutcome } from '@megalot/contract'
import type { Db } from '../../../postgres/db.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { lockUsers, saveDisplayNames } from './bulk.store.ts'
import { type BulkCall, runBulk, type UserRow } from './run-bulk.ts'

interface NameRow extends UserRow {
  display_name: string
}

export function changeDisplayNames(
  db: Db,
  actor: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly NameRow[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'change_display_name',
    rows,
    content: { rows },
    lock: lockUsers,
    decide: async (_db, reached) =>
      reached.map(({ row: { display_name }, user }) => ({
        before: { display_name: user.display_name },
        after: { display_name },
      })),
    write: (tx, accepted) =>
      saveDisplayNames(
        tx,
        accepted.map(({ row }) => row),
      ),
  })
}
