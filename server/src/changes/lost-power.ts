// A user's undecided proposals and first entries end when it loses its rights. Otherwise they could be approved once a
// suspension is lifted.

import type { Tx } from '../postgres/db.ts'
import type { At, AuditRow } from './change.ts'
import { isOnePerson, listWithAssistants } from './people.ts'
import { decideWaitingOf } from './proposals.store.ts'

/** Another person rejects, the same one withdraws. */
type HowToEnd = 'reject' | 'withdraw'

type EndDecisions = (tx: Tx, users: readonly number[], how: HowToEnd) => Promise<AuditRow[]>

/** Registered by rooms with two-person decisions that are not proposals. */
const others: EndDecisions[] = []

/** Registers what else ends when users lose their rights. */
export function alsoEndWithRights(...ends: readonly EndDecisions[]): void {
  others.push(...ends)
}

/**
 * Ends the undecided proposals and first entries of a user and its assistants. The hierarchy is locked and the user has
 * already lost its rights, so concurrent decisions have either finished or find the person without rights.
 * @param byTwo whether two people take the rights. A single person does not reject a proposal about itself: it stays
 * pending, and can be approved once its proposer has its rights again
 * @returns audit rows, to be written last, because holders of these locks may wait for the end of the log
 */
export async function endPendingDecisions(
  { tx, by: { caller, reason } }: At,
  user_id: number,
  byTwo = false,
): Promise<AuditRow[]> {
  const users = await listWithAssistants(tx, user_id)
  const how: HowToEnd = (await isOnePerson(tx, user_id, caller.actor_id)) ? 'withdraw' : 'reject'
  const state = how === 'reject' ? 'rejected' : 'withdrawn'
  const decision = { state, decided_by: caller.actor_id, decision_reason: reason ?? null } as const
  const ended = await decideWaitingOf(tx, users, decision, how === 'reject' && !byTwo ? caller.actor_id : null)
  const rows: AuditRow[] = ended.map(({ approval_id, kind, subject }) => ({
    ...{ action: `${how}_approval`, subject: `approval:${approval_id}` },
    before: { state: 'waiting' },
    after: { kind, subject, state },
  }))
  for (const end of others) rows.push(...(await end(tx, users, how)))
  return rows
}
