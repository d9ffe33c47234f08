// How a batch is placed: a table of attempts, from optimistic to pessimistic. Each attempt gets its snapshot from
// another source. Tickets go on to the next attempt where the snapshot is not sufficient, or where the database answers
// with an error of any kind except an outage (`isDatabaseError`): a violated precondition or constraint, a deadlock.
// Nothing else retries. When an attempt returns, its commit is durable.

import { TICKET_WAIT_MS } from '@megalot/contract'
import { type Constraint, violatedConstraint } from '../../postgres/constraints.ts'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { type Db, isDatabaseAway, isDatabaseError, type Tx } from '../../postgres/db.ts'
import { attemptsTotal, countCacheReads, decidedTicketsTotal, violationsTotal } from '../../lib/metrics.ts'
import { commitEmptyRecord } from '../../postgres/durable.ts'
import { runPipelined } from '../../postgres/pipelined-transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Tables } from '../../postgres/tables.ts'
import { findHeldAccountIds } from '../ledger/index.ts'
import { NOTHING_OFFERED } from '../../markets/index.ts'
import { createUseCache, type UseCache } from '../play-limits/index.ts'
import type { CachedQuotas } from '../../markets/quotas/index.ts'
import type { AcceptedTicket, NewTicket, PlacedTicket, Placement } from '../ticket.ts'
import { type BatchDecision, type Decision, decideBatch, decideFromCache } from './decide-batch.ts'
import { INVALID_DETAILS } from './decide-ticket.ts'
import { createStakesCache, type StakesCache } from './member-stakes.ts'
import { type ReadSnapshot, readSnapshot, refuseUnknownPeriod } from './read-snapshot.ts'
import type { MemberState, Snapshot } from './snapshot.ts'
import { type CachedPeriod, createSnapshotCache, type SnapshotCache, updateMembers } from './snapshot-cache.ts'
import { writeBatch } from './write.ts'

/** From the most optimistic to the most pessimistic. */
export const attemptNames = ['cached', 'read', 'readLocked', 'single'] as const
export type AttemptName = (typeof attemptNames)[number]

/** The outcome of a ticket. After an error that is no Refusal it is unknown: look the ticket up by its request_id. */
export type Outcome = { value: Placement } | { error: unknown }

/** State shared by all attempts of one node. */
export interface IntakeState {
  /** For transactions. */
  batches: pg.Pool
  /** The same connections, for calls that are transactions themselves. */
  db: Db
  cache: SnapshotCache
  /** What members near a limit per number have staked. */
  stakes: StakesCache
  /** What members with limits of their own have staked and lost. */
  playUses: UseCache
  /** In ms; used only for the age of entries and of tickets. */
  readClock: () => number
}

/** @param readClock in ms; used only for the age of entries and of tickets */
export function createIntakeState(
  batches: pg.Pool,
  playUses = createUseCache(),
  readClock = () => performance.now(),
): IntakeState {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: batches }) })
  const cache = createSnapshotCache(readClock)
  return { batches, db, cache, stakes: createStakesCache(), playUses, readClock }
}

/**
 * Whether a ticket has waited so long that it must not be placed any more: its sender may have had the answer that there is none. The
 * contract's times of a ticket count on it.
 */
function isLate({ readClock }: IntakeState, { arrived_ms }: NewTicket): boolean {
  return arrived_ms !== undefined && readClock() - arrived_ms > TICKET_WAIT_MS
}

/**
 * Places tickets of one period, each by the first attempt that decides it. One that has waited too long is refused instead, before any
 * statement.
 * @param names the attempts that are made, in order
 * @returns an outcome for each ticket, in their order; undefined where none of the attempts decided: `single` always does
 */
export async function placeBatch(
  state: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
  names: readonly AttemptName[] = attemptNames,
): Promise<(Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = tickets.map(() => undefined)
  for (const name of names) {
    for (const [index, ticket] of tickets.entries())
      if (outcomes[index] === undefined && isLate(state, ticket))
        outcomes[index] = { error: new Refusal('unavailable') }
    const pending = [...outcomes.keys()].filter((index) => outcomes[index] === undefined)
    if (pending.length === 0) break
    const attempted = await attempts[name](
      state,
      period_code,
      pending.map((index) => tickets[index]!),
    )
    for (const [pendingIndex, index] of pending.entries()) outcomes[index] = attempted[pendingIndex]
    attemptsTotal.inc({ attempt: name })
    decidedTicketsTotal.inc({ attempt: name }, attempted.filter((outcome) => outcome !== undefined).length)
  }
  return outcomes
}

/** @returns the outcome of each ticket; undefined where the next attempt has to decide */
type Attempt = (
  state: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
) => Promise<(Outcome | undefined)[]>

/**
 * - `cached`: the snapshot is what this node has read before; preconditions assert it when the batch is written. For
 *   the common case: a member in good standing, far from every limit, bets on open numbers far from full.
 * - `read`: the snapshot is read under the locks of period and accounts; quotas are read without a lock. It leaves tickets
 *   undecided that a quota cuts or pays half.
 * - `readLocked`: quotas are locked before they are read
 * - `single`: as `readLocked`, each ticket alone, so that one that the database refuses does not affect the others
 */
export const attempts: Readonly<Record<AttemptName, Attempt>> = {
  cached: placeFromCache,
  read: (state, period_code, tickets) => placeByReading(state, period_code, tickets, { lockQuotas: false }),
  readLocked: (state, period_code, tickets) => placeByReading(state, period_code, tickets, { lockQuotas: true }),
  single: placeEachAlone,
}

/** The constraints that fail a batch because of one of its members, and not because of the period. */
const memberConstraints: ReadonlySet<Constraint | undefined> = new Set<Constraint>([
  'credit_never_overspent',
  'far_from_number_limit',
  'members_may_bet',
  'no_overdrafts',
  'orders_user_id_request_id_key',
  'sessions_open',
])

const undecided = (tickets: readonly NewTicket[]): undefined[] => tickets.map(() => undefined)

async function placeFromCache(
  { db, cache }: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<(Outcome | undefined)[]> {
  const cached = cache.get(period_code)
  const cachedQuotas = cache.quotas.get(period_code)
  countCacheReads('periods', cached ? 1 : 0, cached ? 0 : 1)
  countCacheReads('quotas', cachedQuotas ? 1 : 0, cachedQuotas ? 0 : 1)
  if (!cached || !cachedQuotas) return undecided(tickets)
  const snapshot = toSnapshot(cached, cachedQuotas, tickets)
  const decision = decideFromCache(
    snapshot,
    tickets,
    (ticket, member) => !cache.isLeftOut(ticket.user_id) && isEligible(ticket, member, cached, cachedQuotas),
  )
  if (decision.accepted.length === 0) return undecided(tickets)
  const user_ids = new Set(decision.accepted.map(({ ticket }) => ticket.user_id))
  const session_ids = new Set(decision.accepted.flatMap(({ ticket }) => ticket.session_to_verify ?? []))
  try {
    const { placed, blocks } = await writeBatch(db, snapshot, decision, {
      assumptions: {
        session_ids: [...session_ids],
        max_received_satang: cached.lowest_number_limit_satang,
        blocks_to_read: cachedQuotas.listDue(),
      },
    })
    cachedQuotas.storeBlocks(blocks)
    updateMembers(cached, decision.members, (user_id) => user_ids.has(user_id))
    return toOutcomes(decision, placed)
  } catch (error) {
    countViolation('cached', error)
    for (const user_id of user_ids) cached.members.delete(user_id)
    const constraint = violatedConstraint(error)
    if (memberConstraints.has(constraint)) for (const { ticket } of decision.accepted) ticket.isFromFailedBatch = true
    if (constraint === 'quota_still_full' || constraint === 'quota_never_oversold') cache.quotas.evict(period_code)
    if (isDatabaseError(error)) return undecided(tickets)
    return decision.decisions.map((each) => ('accepted' in each ? { error } : undefined))
  }
}

/** Whether a ticket is eligible for the cached attempt. */
function isEligible(
  { canBeDuplicate, slots, stakes, package_code }: NewTicket,
  member: MemberState,
  { lowest_number_limit_satang }: CachedPeriod,
  cachedQuotas: CachedQuotas,
): boolean {
  if (canBeDuplicate || member.status !== 'NORMAL' || member.has_play_limits || member.isBelowFloor) return false
  let received_satang = member.received_satang
  for (const stake of stakes) received_satang += stake
  return received_satang <= lowest_number_limit_satang && cachedQuotas.isFarFromFull(slots, package_code)
}

function toSnapshot(
  { period, packages, members }: CachedPeriod,
  cachedQuotas: CachedQuotas,
  tickets: readonly NewTicket[],
): Snapshot {
  const involved = new Map<number, MemberState>()
  let missing = 0
  for (const { user_id } of tickets) {
    const member = members.get(user_id)
    if (member) involved.set(user_id, member)
    else missing += 1
  }
  countCacheReads('members', tickets.length - missing, missing)
  return {
    period,
    packages,
    members: involved,
    quotas: cachedQuotas.snapshot,
    existing: new Map(),
    sessionRefusals: new Map(),
    offered: NOTHING_OFFERED,
  }
}

async function placeByReading(
  state: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
  locking: { lockQuotas: boolean },
): Promise<(Outcome | undefined)[]> {
  try {
    return await readAndPlace(state, period_code, tickets, locking)
  } catch (error) {
    countViolation(locking.lockQuotas ? 'readLocked' : 'read', error)
    return isDatabaseError(error) ? undecided(tickets) : tickets.map(() => ({ error }))
  }
}

async function placeEachAlone(
  state: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let outage: unknown
  for (const ticket of tickets) {
    if (isLate(state, ticket)) {
      outcomes.push({ error: new Refusal('unavailable') })
      continue
    }
    // Each would wait for the database as long as the one before, and everybody behind the batch for all of them.
    if (outage !== undefined) {
      outcomes.push({ error: outage })
      continue
    }
    const alone = await readAndPlace(state, period_code, [ticket], { lockQuotas: true }).catch((error: unknown) => {
      countViolation('single', error)
      if (isDatabaseAway(error)) outage = error
      return [{ error: toRefusal(error) }]
    })
    // The quotas are locked: nothing is left undecided.
    outcomes.push(alone[0]!)
  }
  return outcomes
}

/** Counts the errors of the database; a deadlock and the like violate no constraint and go by their SQLSTATE. */
function countViolation(attempt: AttemptName, error: unknown): void {
  if (!isDatabaseError(error)) return
  const { code = 'unknown' } = error as { code?: string }
  violationsTotal.inc({ attempt, constraint: violatedConstraint(error) ?? code })
}

/** The Refusal for a violated constraint, where there is one for the member. */
function toRefusal(error: unknown): unknown {
  // The period closed between the decision and the write.
  return violatedConstraint(error) === 'orders_in_time' ? new Refusal('period_closed', INVALID_DETAILS) : error
}

/** @throws the error of the database; then nothing was written */
async function readAndPlace(
  state: IntakeState,
  period_code: string,
  tickets: readonly NewTicket[],
  locking: { lockQuotas: boolean },
): Promise<(Outcome | undefined)[]> {
  const { batches, cache, stakes, playUses } = state
  const done = await runPipelined(batches, async (tx) => {
    const snapshot = await readSnapshot(tx, period_code, tickets, { ...locking, stakes, playUses })
    if (!snapshot) return { refusals: await refuseUnknownPeriod(tx, tickets) }
    const decision = decideBatch(snapshot, tickets)
    // Reading may have waited for locks: then only the call that writes is left to be counted.
    if (tickets.some((ticket) => isLate(state, ticket))) throw new Refusal('unavailable')
    // A ticket that another call has written is promised again. That the locks of this one are replicated too is not relied on.
    if (decision.decisions.some((each) => 'order_id' in each)) await commitEmptyRecord(tx)
    return { snapshot, decision, placed: await writeRead(tx, snapshot, decision) }
  })
  if (done.refusals) return done.refusals.map((error) => ({ error }))
  const { snapshot, decision, placed } = done
  storeRead(cache, snapshot, decision, tickets)
  return toOutcomes(decision, placed)
}

async function writeRead(tx: Tx, snapshot: ReadSnapshot, decision: BatchDecision): Promise<readonly PlacedTicket[]> {
  const { accepted } = decision
  if (accepted.length === 0) return []
  const waiting_ids = accepted.flatMap(({ status, ticket }) => (status === 'WAIT_CONFIRM' ? [ticket.user_id] : []))
  const held_ids = await findHeldAccountIds(tx, waiting_ids)
  return (await writeBatch(tx, snapshot, decision, { held_ids, created_at: snapshot.now })).placed
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

/** @param placed the accepted tickets of the decision, in their order */
function toOutcomes({ decisions, accepted }: BatchDecision, placed: readonly PlacedTicket[]): (Outcome | undefined)[] {
  const placedOf = new Map<AcceptedTicket, PlacedTicket>(accepted.map((each, index) => [each, placed[index]!]))
  return decisions.map((decision): Outcome | undefined => {
    if ('refusal' in decision) return { error: decision.refusal }
    if ('order_id' in decision) return { value: { order_id: decision.order_id } }
    if ('earlier' in decision) return { value: { order_id: placedOf.get(decision.earlier)!.order_id } }
    if ('isUndecided' in decision) return undefined
    const ticket = placedOf.get(decision.accepted)!
    return { value: { order_id: ticket.order_id, placed: ticket } }
  })
}
