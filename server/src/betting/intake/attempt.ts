// The common part of the attempts to place a batch: late tickets, metrics, and the outcome of each ticket.

import { TICKET_WAIT_MS } from '@megalot/contract'
import { attemptsTotal, decidedTicketsTotal, violationsTotal } from '../../lib/metrics.ts'
import { Refusal } from '../../lib/refusal.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import { isDatabaseError } from '../../postgres/db.ts'
import type { AcceptedTicket, NewTicket, PlacedTicket, Placement } from '../ticket.ts'
import type { BatchDecision } from './decide-batch.ts'
import type { Intake } from './intake.ts'

/** From the most optimistic to the most pessimistic. */
export type AttemptName = 'cached' | 'read' | 'readLocked' | 'single'

/** The outcome of a ticket. After an error that is no Refusal it is unknown: look the ticket up by its request_id. */
export type Outcome = { value: Placement } | { error: unknown }

/** By ticket, in their order; undefined: undecided. */
export type Outcomes = (Outcome | undefined)[]

export const undecided = (tickets: readonly NewTicket[]): Outcomes => tickets.map(() => undefined)

/**
 * Makes an attempt at the tickets that are undecided. One that has waited too long is refused instead, before any statement.
 * @returns the outcomes of all tickets
 */
export async function attempt(
  intake: Intake,
  name: AttemptName,
  tickets: readonly NewTicket[],
  outcomes: Outcomes,
  place: (pending: readonly NewTicket[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  const before = outcomes.map(
    (outcome, index) =>
      outcome ?? (isLate(intake, tickets[index]!) ? { error: new Refusal('unavailable') } : undefined),
  )
  const pending = tickets.filter((_, index) => before[index] === undefined)
  if (pending.length === 0) return before
  const attempted = await place(pending)
  attemptsTotal.inc({ attempt: name })
  decidedTicketsTotal.inc({ attempt: name }, attempted.filter((outcome) => outcome !== undefined).length)
  let next = 0
  return before.map((outcome) => outcome ?? attempted[next++])
}

/**
 * Whether a ticket has waited so long that it must not be placed any more: its sender may have had the answer that there is none. The
 * contract's times of a ticket count on it.
 */
export function isLate({ readClock }: Intake, { arrived_ms }: NewTicket): boolean {
  return arrived_ms !== undefined && readClock() - arrived_ms > TICKET_WAIT_MS
}

/** Counts the errors of the database; a deadlock and the like violate no constraint and go by their SQLSTATE. */
export function countViolation(attempt: AttemptName, error: unknown): void {
  if (!isDatabaseError(error)) return
  const { code = 'unknown' } = error as { code?: string }
  violationsTotal.inc({ attempt, constraint: violatedConstraint(error) ?? code })
}

/** @param placed the accepted tickets of the decision, in their order */
export function toOutcomes({ decisions, accepted }: BatchDecision, placed: readonly PlacedTicket[]): Outcomes {
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
