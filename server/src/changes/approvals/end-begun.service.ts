// What somebody has begun and no second person has decided ends with its power: after a suspension that is lifted it would be approved, as if
// nothing had been.

import type { Tx } from '../../postgres/db.ts'
import type { DecisionAuthority } from '../decision-authority.ts'
import { isOnePerson, listWithAssistants } from '../index.ts'
import { type EndedRecord } from '../../identity/accounts/index.ts'
import { writeAudits } from '../audit/index.ts'
import { endAwardEntriesOf, endPeriodVoidRequestsOf } from '../../results/index.ts'
import { endVoidRequestsOf } from '../../betting/index.ts'
import { decideWaitingOf } from './approvals.store.ts'

/**
 * Ends the proposals, requests to void and first entries of a user and its assistants. The caller has locked the hierarchy, and the user's row
 * by its change: whoever makes or decides any of it meanwhile has either ended, or finds its person without power.
 * @param actor who takes the power; as another person it rejects, as the same one it withdraws. Nobody rejects alone what concerns itself
 * (`rejectProposal`), so such a proposal goes on waiting, and can be approved once its proposer has its power again
 */
export async function endBegun(
  tx: Tx,
  { actor_id }: { actor_id: number },
  user_id: number,
  reason: string,
  authority: DecisionAuthority,
): Promise<void> {
  const users = await listWithAssistants(tx, [user_id])
  const how = (await isOnePerson(tx, user_id, actor_id)) ? 'withdraw' : 'reject'
  const notAbout = how === 'reject' && authority === 'alone' ? actor_id : null
  // All rows before the first record: whoever holds one of them may wait for the end of the log.
  const ended = [
    ...(await endProposalsOf(tx, users, { how, actor_id, reason, notAbout })),
    ...(await endVoidRequestsOf(tx, users, how)),
    ...(await endPeriodVoidRequestsOf(tx, users, how)),
    ...(await endAwardEntriesOf(tx, users)),
  ]
  await writeAudits(
    tx,
    ended.map((record) => ({ ...record, actor_id, reason })),
  )
}

async function endProposalsOf(
  tx: Tx,
  users: readonly number[],
  {
    how,
    actor_id,
    reason,
    notAbout,
  }: { how: 'reject' | 'withdraw'; actor_id: number; reason: string; notAbout: number | null },
): Promise<EndedRecord[]> {
  const state = how === 'reject' ? 'rejected' : 'withdrawn'
  const decision = { state, decided_by: actor_id, decision_reason: reason } as const
  const ended = await decideWaitingOf(tx, users, decision, notAbout)
  return ended.map(({ approval_id, kind, subject }) => ({
    ...{ action: `${how}_approval`, subject: `approval:${approval_id}` },
    before: { state: 'waiting' },
    after: { kind, subject, state },
  }))
}
