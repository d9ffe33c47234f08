// Ends the sessions of many users.

import type { BulkOutcome } from '@megalot/contract'
import type { Db } from '../../../postgres/db.ts'
import { endSessionsFromAbove } from '../../sessions/index.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { lockUsers } from './bulk.store.ts'
import { type BulkCall, idsOf, runBulk, toRows } from './run-bulk.ts'

/** Ends the sessions of users, who may log in again. */
export function endPeopleSessions(
  db: Db,
  actor: PeopleActor,
  { user_ids, ...call }: BulkCall & { user_ids: readonly number[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'end_sessions',
    rows: toRows(user_ids),
    content: { user_ids },
    lock: lockUsers,
    decide: async (_db, reached) =>
      reached.map(({ user }) => ({ before: { has_session: user.has_session }, after: { has_session: false } })),
    write: (tx, accepted) => endSessionsFromAbove(tx, idsOf(accepted)),
  })
}
