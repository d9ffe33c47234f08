// What somebody has begun and no second person has decided ends with its power: otherwise it could be approved once a suspension is lifted.

import type { Tx } from '../postgres/db.ts'
import type { At, AuditRow } from './change.ts'
import { isOnePerson, listWithAssistants } from './people.ts'
import { decideWaitingOf } from './proposals.store.ts'

/** Another person rejects, the same one withdraws. */
type HowToEnd = 'reject' | 'withdraw'

type EndBegun = (tx: Tx, users: readonly number[], how: HowToEnd) => Promise<AuditRow[]>

/** By rooms whose decisions of two people are no proposals. */
const others: EndBegun[] = []

/** Names what else ends with the power of its users. */
export function endWithPower(...ends: readonly EndBegun[]): void {
  others.push(...ends)
}

/**
 * Ends the proposals and first entries of a user and its assistants. The hierarchy is locked, and the user has lost its power already: whoever
 * makes or decides any of it meanwhile has either ended, or finds its person without power.
 * @param byTwo whether two people take the power. One alone rejects no proposal about itself: it goes on waiting, and can be approved once its
 * proposer has its power again
 * @returns the rows of the audit log, which are written last: whoever holds one of these may wait for the end of the log
 */
export async function endBegun(
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
