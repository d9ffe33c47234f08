// The life cycle of a ticket (§6 of the domain rules): a table of which event leads from which status to which, and the
// time limits of waiting and cancelling. A transition that is not in the table is refused ("Invalid status").
//
// Instants are milliseconds since 1970 (UTC), and `nowMs` is always an argument: the database's clock decides, and only
// the caller can read it. Every span is half-open: at the instant at which it ends, it is over.

export const orderStatuses = [
  'CREATED',
  'INVALID',
  'VALIDATED',
  'PROCESSING',
  'WAIT_CONFIRM',
  'CONFIRMED',
  'CANCELLED',
  'DELETED',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * What can happen to a ticket.
 * - `create`: a ticket with a new `request_id` arrives
 * - `refuse`: malformed, wrong market, member not allowed, period closed, credit short, or all lines closed
 * - `validate`: every check has passed
 * - `process`: quota and credit are being reserved
 * - `accept`: everything was received in full at the rate the member saw
 * - `ask`: less is accepted than requested; the member must confirm
 * - `confirm`: the member has confirmed all, or the last open item
 * - `expire`: the deadline or the close passes; the computed amounts apply (actor SYSTEM)
 * - `return_all`: the member has returned every item
 * - `cancel`: the member cancels the whole ticket
 * - `delete`: an upline or the office removes it with a reason; it stays visible
 */
export const orderEvents = [
  'create',
  'refuse',
  'validate',
  'process',
  'accept',
  'ask',
  'confirm',
  'expire',
  'return_all',
  'cancel',
  'delete',
] as const
export type OrderEvent = (typeof orderEvents)[number]

export interface OrderTransition {
  /** `null`: there is no ticket yet. */
  readonly from: OrderStatus | null
  readonly event: OrderEvent
  readonly to: OrderStatus
}

/** All transitions. */
export const orderTransitions: readonly OrderTransition[] = [
  { from: null, event: 'create', to: 'CREATED' },
  { from: 'CREATED', event: 'refuse', to: 'INVALID' },
  { from: 'CREATED', event: 'validate', to: 'VALIDATED' },
  { from: 'VALIDATED', event: 'process', to: 'PROCESSING' },
  { from: 'PROCESSING', event: 'accept', to: 'CONFIRMED' },
  { from: 'PROCESSING', event: 'ask', to: 'WAIT_CONFIRM' },
  { from: 'WAIT_CONFIRM', event: 'confirm', to: 'CONFIRMED' },
  { from: 'WAIT_CONFIRM', event: 'expire', to: 'CONFIRMED' },
  { from: 'WAIT_CONFIRM', event: 'return_all', to: 'CANCELLED' },
  { from: 'WAIT_CONFIRM', event: 'cancel', to: 'CANCELLED' },
  { from: 'WAIT_CONFIRM', event: 'delete', to: 'DELETED' },
  { from: 'CONFIRMED', event: 'cancel', to: 'CANCELLED' },
  { from: 'CONFIRMED', event: 'delete', to: 'DELETED' },
]

/** The status an event leads to, or `null` where the event is refused. `from` is `null` for a ticket that is not there yet. */
export function nextStatus(from: OrderStatus | null, event: OrderEvent): OrderStatus | null {
  return orderTransitions.find((row) => row.from === from && row.event === event)?.to ?? null
}

/** Whether a ticket of this status is live: its stakes are held or debited, and it takes part in the draw. */
export function isLiveStatus(status: OrderStatus): boolean {
  return status === 'WAIT_CONFIRM' || status === 'CONFIRMED'
}

/** How long a ticket waits for the member's confirmation, at most. */
export const CONFIRM_WAIT_MS = 30 * 60_000

/**
 * When a waiting ticket counts as confirmed: 30 minutes after it began to wait, or at the close where that is earlier.
 */
export function confirmDeadlineMs(waitingSinceMs: number, closeAtMs: number): number {
  return Math.min(waitingSinceMs + CONFIRM_WAIT_MS, closeAtMs)
}

/** Whether the member's confirmation is too late: the deadline itself is already too late. */
export function isConfirmOver(nowMs: number, waitingSinceMs: number, closeAtMs: number): boolean {
  return nowMs >= confirmDeadlineMs(waitingSinceMs, closeAtMs)
}

/** The tag on a ticket whose confirmation is unfinished. */
export type ConfirmTag = 'manually_confirm' | 'exceed_30_minutes' | 'period_closed'

/**
 * The tag of a ticket that waits or waited for confirmation: "Manually confirm" while the member can still answer;
 * afterwards whichever came first, "Period closed" or "Exceed 30 minutes" ("Period closed" where both came at once).
 */
export function confirmTag(nowMs: number, waitingSinceMs: number, closeAtMs: number): ConfirmTag {
  if (!isConfirmOver(nowMs, waitingSinceMs, closeAtMs)) return 'manually_confirm'
  return closeAtMs <= waitingSinceMs + CONFIRM_WAIT_MS ? 'period_closed' : 'exceed_30_minutes'
}

/** When a member may cancel a confirmed ticket: a setting of the market. */
export interface CancelRules {
  /** How long after the bet was placed. */
  window_minutes: number
  /** How many tickets of one period, at most. */
  max_tickets: number
  /** How long before the close cancelling ends, whatever the window says. */
  before_close_minutes: number
}

const MINUTE_MS = 60_000

/** 30 minutes, 10 tickets a period, never in the last 5 minutes before the close. */
export const defaultCancelRules: CancelRules = { window_minutes: 30, max_tickets: 10, before_close_minutes: 5 }

/** Until when (exclusive) a ticket placed at `placedAtMs` can be cancelled by its member. */
export function cancelUntilMs(placedAtMs: number, closeAtMs: number, rules: CancelRules = defaultCancelRules): number {
  const { window_minutes, before_close_minutes } = rules
  return Math.min(placedAtMs + window_minutes * MINUTE_MS, closeAtMs - before_close_minutes * MINUTE_MS)
}

/** Why a confirmed ticket cannot be cancelled. */
export type CancelProblem = 'cancel_window_over' | 'too_close_to_close' | 'too_many_cancelled'

export interface CancelCase {
  nowMs: number
  /** When the bet was placed, not when it was confirmed: waiting for confirmation does not lengthen the window. */
  placedAtMs: number
  closeAtMs: number
  /** Confirmed tickets of this period that the member has already cancelled. */
  cancelled_tickets: number
}

/**
 * Every reason why the member cannot cancel this confirmed ticket now, in the order of `CancelProblem`; empty where it
 * can. A ticket that still waits for confirmation can be cancelled until its deadline: see `isConfirmOver`.
 */
export function checkCancel(ticket: CancelCase, rules: CancelRules = defaultCancelRules): readonly CancelProblem[] {
  const problems: CancelProblem[] = []
  if (ticket.nowMs >= ticket.placedAtMs + rules.window_minutes * MINUTE_MS) problems.push('cancel_window_over')
  if (ticket.nowMs >= ticket.closeAtMs - rules.before_close_minutes * MINUTE_MS) problems.push('too_close_to_close')
  if (ticket.cancelled_tickets >= rules.max_tickets) problems.push('too_many_cancelled')
  return problems
}
