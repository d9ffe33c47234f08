// The first attempt at a batch: decides it from what this node has read before, and writes it by one call, which asserts all of that. For
// the common case: a member in good standing, far from every limit, bets on open numbers far from full.

import { batchSeconds, batchTickets, countCacheReads } from '../../lib/metrics.ts'
import { NOTHING_OFFERED } from '../../markets/index.ts'
import { type CachedQuotas, createQuotaUse } from '../../markets/quotas/index.ts'
import { type Constraint, violatedConstraint } from '../../postgres/constraints.ts'
import { isDatabaseError } from '../../postgres/db.ts'
import type { AcceptedTicket, NewTicket } from '../ticket.ts'
import { attempt, countViolation, type Outcomes, toOutcomes, undecided } from './attempt.ts'
import { afterTicket, type BatchDecision, type Decision, UNDECIDED } from './decide-batch.ts'
import { acceptInFull } from './decide-ticket.ts'
import type { Intake } from './intake.ts'
import type { MemberState, Snapshot } from './snapshot.ts'
import { type CachedPeriod, updateMembers } from './snapshot-cache.ts'
import { writeBatch } from './write.ts'

/** The constraints that fail a batch because of one of its members, and not because of the period. */
const memberConstraints: ReadonlySet<Constraint | undefined> = new Set<Constraint>([
  'credit_never_overspent',
  'far_from_number_limit',
  'members_may_bet',
  'no_overdrafts',
  'orders_user_id_request_id_key',
  'sessions_open',
])

/**
 * Places tickets of one period from the cache. Where it returns, the commit is durable.
 * @returns an outcome for each ticket; undefined for those that `placeByReading` has to decide
 */
export async function placeFromCache(
  intake: Intake,
  period_code: string,
  tickets: readonly NewTicket[],
): Promise<Outcomes> {
  batchTickets.observe({ queue: 'cached' }, tickets.length)
  const endTimer = batchSeconds.startTimer({ queue: 'cached' })
  const outcomes = await attempt(intake, 'cached', tickets, undecided(tickets), (pending) =>
    decideAndWrite(intake, period_code, pending),
  )
  endTimer()
  return outcomes
}

async function decideAndWrite(intake: Intake, period_code: string, tickets: readonly NewTicket[]): Promise<Outcomes> {
  const { db, cache } = intake
  const cached = cache.get(period_code)
  const cachedQuotas = cache.quotas.get(period_code)
  countCacheReads('periods', cached ? 1 : 0, cached ? 0 : 1)
  countCacheReads('quotas', cachedQuotas ? 1 : 0, cachedQuotas ? 0 : 1)
  if (!cached || !cachedQuotas) return undecided(tickets)
  const snapshot = toSnapshot(cached, cachedQuotas, tickets)
  const decision = decideCached(intake, cached, cachedQuotas, snapshot, tickets)
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

/** Decides what may be out of date: a ticket is accepted in full, or left undecided, with the later ones of its member. */
function decideCached(
  { cache }: Intake,
  cached: CachedPeriod,
  cachedQuotas: CachedQuotas,
  snapshot: Snapshot,
  tickets: readonly NewTicket[],
): BatchDecision {
  const quotaUse = createQuotaUse(snapshot.quotas)
  const members = new Map(snapshot.members)
  const undecided_user_ids = new Set<number>()
  const request_ids = new Set<string>()
  const accepted: AcceptedTicket[] = []
  const decisions = tickets.map((ticket): Decision => {
    const { user_id, request_id } = ticket
    // The second of a pair with one request_id would violate its key, and fail the whole batch.
    if (request_ids.has(request_id)) undecided_user_ids.add(user_id)
    request_ids.add(request_id)
    const member = undecided_user_ids.has(user_id) || cache.isLeftOut(user_id) ? undefined : members.get(user_id)
    const decided =
      member && isEligible(ticket, member, cached, cachedQuotas)
        ? acceptInFull(ticket, snapshot, member, quotaUse)
        : undefined
    if (!decided) {
      undecided_user_ids.add(user_id)
      return UNDECIDED
    }
    members.set(user_id, afterTicket(member!, decided))
    accepted.push(decided)
    return { accepted: decided }
  })
  return { decisions, accepted, quotaUse, members }
}

/** Whether a ticket may be decided from the cache. */
function isEligible(
  { slots, stakes, package_code }: NewTicket,
  member: MemberState,
  { lowest_number_limit_satang }: CachedPeriod,
  cachedQuotas: CachedQuotas,
): boolean {
  if (member.status !== 'NORMAL' || member.has_play_limits || member.isBelowFloor) return false
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
