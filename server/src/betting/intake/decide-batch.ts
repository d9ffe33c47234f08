// Decides the tickets of a batch: each gets the result that it would have had alone, in order of arrival. Pure: the
// snapshot is not changed, and the effects of the tickets, a quota use among them, are returned beside the decisions.

import { quotaSlotOf } from '@megalot/rules'
import { refuseOtherContent } from '../../changes/idempotent-replay.ts'
import { Refusal } from '../../lib/refusal.ts'
import { addPlayUse } from '../play-limits/index.ts'
import { createQuotaUse, type QuotaUse } from '../../markets/quotas/index.ts'
import type { AcceptedTicket, NewTicket } from '../ticket.ts'
import { decideTicket, INVALID_DETAILS } from './decide-ticket.ts'
import { addStakes } from './member-stakes.ts'
import { type MemberState, requestKey, type Snapshot } from './snapshot.ts'

/**
 * The decision on one ticket. `order_id`: it exists already. `earlier`: it repeats a ticket of this batch. `isUndecided`: the
 * snapshot is not sufficient.
 */
export type Decision =
  | { accepted: AcceptedTicket }
  | { order_id: number }
  | { earlier: AcceptedTicket }
  | { refusal: Refusal }
  | { isUndecided: true }

export interface BatchDecision {
  /** In the order of the tickets. */
  decisions: readonly Decision[]
  accepted: readonly AcceptedTicket[]
  quotaUse: QuotaUse
  /** Every member of the snapshot, after the accepted tickets. */
  members: ReadonlyMap<number, MemberState>
}

export const UNDECIDED: Decision = { isUndecided: true }

/**
 * Decides a batch from a snapshot that was read for it. A ticket that only locked quotas can decide is left undecided, and
 * with it the later ones of its member, so that a member's tickets keep their order.
 */
export function decideBatch(snapshot: Snapshot, tickets: readonly NewTicket[]): BatchDecision {
  const quotaUse = createQuotaUse(snapshot.quotas)
  const members = new Map(snapshot.members)
  const earlier = new Map<string, AcceptedTicket>()
  const undecided_user_ids = new Set<number>()
  const accepted: AcceptedTicket[] = []

  const decide = (ticket: NewTicket): Decision => {
    const { user_id, slots, stakes } = ticket
    const member = members.get(user_id)!
    refuseSession(ticket, snapshot, member)
    const key = requestKey(ticket)
    const existing = snapshot.existing.get(key)
    if (existing) {
      refuseOtherContent(existing.content_hash, ticket.content_hash)
      return { order_id: existing.order_id }
    }
    const repeated = earlier.get(key)
    if (repeated) {
      refuseOtherContent(repeated.ticket.content_hash, ticket.content_hash)
      return { earlier: repeated }
    }
    if (undecided_user_ids.has(user_id)) return UNDECIDED
    refuseMarket(snapshot)
    const decided = decideTicket(ticket, snapshot, member, quotaUse)
    if (!decided) {
      undecided_user_ids.add(user_id)
      return UNDECIDED
    }
    for (const [line, slot] of slots.entries())
      quotaUse.add(
        quotaSlotOf(slot),
        decided.differences?.[line]!.received_satang ?? stakes[line]!,
        ticket.package_code,
      )
    members.set(user_id, afterTicket(member, decided))
    earlier.set(key, decided)
    accepted.push(decided)
    return { accepted: decided }
  }
  const decisions = tickets.map((ticket) => refuseOr(() => decide(ticket)))
  return { decisions, accepted, quotaUse, members }
}

function refuseOr(decide: () => Decision): Decision {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}

/** @throws Refusal why the session behind a ticket is no longer valid */
function refuseSession({ session_to_verify }: NewTicket, { sessionRefusals }: Snapshot, { status }: MemberState): void {
  if (session_to_verify === undefined) return
  const refusal = sessionRefusals.get(session_to_verify)
  if (refusal) throw refusal
  if (status === 'SUSPENDED') throw new Refusal('session_suspended')
}

/** @throws Refusal product_disabled, maintenance */
function refuseMarket({ period: { is_enabled, maintenance } }: Snapshot): void {
  if (!is_enabled) throw new Refusal('product_disabled', INVALID_DETAILS)
  if (maintenance) throw new Refusal('maintenance', { ...maintenance })
}

/** A member after a ticket: with less credit, with more received and used of its limits, and with one more waiting ticket where this one waits. */
export function afterTicket(member: MemberState, decided: AcceptedTicket): MemberState {
  const { total, status } = decided
  return {
    ...member,
    waiting_tickets: member.waiting_tickets + (status === 'WAIT_CONFIRM' ? 1 : 0),
    credit_remain_satang: member.credit_remain_satang - total.net_satang,
    received_satang: member.received_satang + total.received_satang,
    play: addPlayUse(member.play, total.net_satang),
    already_bet: member.already_bet && addStakes(member.already_bet, receivedLines(decided)),
  }
}

function* receivedLines({ ticket, differences }: AcceptedTicket): Generator<[slot: number, satang: number]> {
  for (const [line, slot] of ticket.slots.entries())
    yield [slot, differences?.[line]!.received_satang ?? ticket.stakes[line]!]
}
