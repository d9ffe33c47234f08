// The attempts that read before they decide, from optimistic to pessimistic. A ticket goes on to the next one where its snapshot is not
// sufficient, or where the database answers with an error of any kind except an outage (`isDatabaseError`): a violated constraint, a
// deadlock. Nothing else retries.

import { Refusal } from '../../lib/refusal.ts'
import { batchSeconds, batchTickets } from '../../lib/metrics.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import { isDatabaseAway, isDatabaseError, type Tx } from '../../postgres/db.ts'
import { commitEmptyRecord } from '../../postgres/durable.ts'
import { runPipelined } from '../../postgres/pipelined-transaction.ts'
import { queueConfirmPushes } from '../../identity/push/index.ts'
import { findHeldAccountIds } from '../ledger/index.ts'
import type { NewTicket, PlacedTicket } from '../ticket.ts'
import { attempt, countViolation, isLate, type Outcome, type Outcomes, toOutcomes, undecided } from './attempt.ts'
import { type BatchDecision, type Decision, decideBatch } from './decide-batch.ts'
import { INVALID_DETAILS } from './decide-ticket.ts'
import type { Intake } from './intake.ts'
import { type ReadSnapshot, readSnapshot, refuseUnknownPeriod } from './read-snapshot.ts'
import { updateMembers, type SnapshotCache } from './snapshot-cache.ts'
import { writeBatch } from './write.ts'

/**
 * Places tickets of one period, each by the first attempt that decides it. Where it returns, the commit is durable.
 * - `read` reads quotas without a lock. It leaves tickets undecided that a quota cuts or pays half.
 * - `readLocked` locks quotas before it reads them
 * - `single` does the same for each ticket alone, so that one that the database refuses does not affect the others
 * @returns an outcome for each ticket
 */
export async function placeByReading(
  intake: Intake,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcomes> {
  batchTickets.observe({ queue: 'read' }, tickets.length)
  const endTimer = batchSeconds.startTimer({ queue: 'read' })
  const read = await attempt(intake, 'read', tickets, undecided(tickets), (pending) =>
    placeTogether(intake, 'read', period_code, pending),
  )
  const locked = await attempt(intake, 'readLocked', tickets, read, (pending) =>
    placeTogether(intake, 'readLocked', period_code, pending),
  )
  const outcomes = await attempt(intake, 'single', tickets, locked, (pending) =>
    placeEachAlone(intake, period_code, pending),
  )
  endTimer()
  return outcomes
}

export async function placeTogether(
  intake: Intake,
  name: 'read' | 'readLocked',
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcomes> {
  try {
    return await readAndPlace(intake, period_code, tickets, name === 'readLocked')
  } catch (error) {
    countViolation(name, error)
    return isDatabaseError(error) ? undecided(tickets) : tickets.map(() => ({ error }))
  }
}

export async function placeEachAlone(
  intake: Intake,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let outage: unknown
  for (const ticket of tickets) {
    if (isLate(intake, ticket)) {
      outcomes.push({ error: new Refusal('unavailable') })
      continue
    }
    // Each would wait for the database as long as the one before, and everybody behind the batch for all of them.
    if (outage !== undefined) {
      outcomes.push({ error: outage })
      continue
    }
    const alone = await readAndPlace(intake, period_code, [ticket], true).catch((error: unknown) => {
      countViolation('single', error)
      if (isDatabaseAway(error)) outage = error
      return [{ error: toRefusal(error) }]
    })
    // The quotas are locked: nothing is left undecided.
    outcomes.push(alone[0]!)
  }
  return outcomes
}

/** The Refusal for a violated constraint, where there is one for the member. */
function toRefusal(error: unknown): unknown {
  // The period closed between the decision and the write.
  return violatedConstraint(error) === 'orders_in_time' ? new Refusal('period_closed', INVALID_DETAILS) : error
}

/** @throws the error of the database; then nothing was written */
async function readAndPlace(
  intake: Intake,
  period_code: string,
  tickets: readonly NewTicket[],
  lockQuotas: boolean,
): Promise<Outcomes> {
  const done = await runPipelined(intake.batches, async (tx) => {
    const snapshot = await readSnapshot(tx, intake, period_code, tickets, lockQuotas)
    if (!snapshot) return { refusals: await refuseUnknownPeriod(tx, tickets) }
    const decision = decideBatch(snapshot, tickets)
    // Reading may have waited for locks: then only the call that writes is left to be counted.
    if (tickets.some((ticket) => isLate(intake, ticket))) throw new Refusal('unavailable')
    // A ticket that another call has written is promised again. That the locks of this one are replicated too is not relied on.
    if (decision.decisions.some((each) => 'order_id' in each)) await commitEmptyRecord(tx)
    return { snapshot, decision, placed: await writeRead(tx, snapshot, decision) }
  })
  if (done.refusals) return done.refusals.map((error) => ({ error }))
  const { snapshot, decision, placed } = done
  storeRead(intake.cache, snapshot, decision, tickets)
  return toOutcomes(decision, placed)
}

async function writeRead(tx: Tx, snapshot: ReadSnapshot, decision: BatchDecision): Promise<readonly PlacedTicket[]> {
  const { accepted } = decision
  if (accepted.length === 0) return []
  const waiting_ids = accepted.flatMap(({ status, ticket }) => (status === 'WAIT_CONFIRM' ? [ticket.user_id] : []))
  const held_ids = await findHeldAccountIds(tx, waiting_ids)
  const { placed } = await writeBatch(tx, snapshot, decision, { held_ids, created_at: snapshot.now })
  const waiting = placed.filter(({ status }) => status === 'WAIT_CONFIRM')
  await queueConfirmPushes(
    tx,
    waiting.map(({ order_id, ticket: { user_id } }) => ({ order_id, user_id })),
  )
  return placed
}

function storeRead(
  cache: SnapshotCache,
  snapshot: ReadSnapshot,
  { decisions, members }: BatchDecision,
  tickets: readonly NewTicket[],
): void {
  cache.store(snapshot)
  for (const [index, { isFromFailedBatch, user_id }] of tickets.entries())
    if (isFromFailedBatch && isWrongInCache(decisions[index]!)) cache.leaveOut(user_id)
  const refused = new Set(tickets.flatMap(({ user_id }, index) => ('accepted' in decisions[index]! ? [] : user_id)))
  const cached = cache.get(snapshot.period.period_code)
  if (cached) updateMembers(cached, members, (user_id) => !refused.has(user_id))
}

/** Whether a ticket that was accepted from the cache should not have been. */
function isWrongInCache(decision: Decision): boolean {
  return 'refusal' in decision || 'order_id' in decision
}
