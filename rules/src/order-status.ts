// The life cycle of a ticket: a table of transitions by event, and the time limits of waiting
// and cancelling. Transitions outside the table are refused ("Invalid status").
// Instants are milliseconds since 1970 (UTC). `nowMs` is always an argument, because the database's clock decides and
// only the caller can read it. Spans are half-open: they exclude the instant at which they end.

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
 * Events of a ticket.
 * - `create`: a ticket with a new `request_id` arrives
 * - `refuse`: malformed, wrong market, member not allowed, period closed, insufficient credit, or all lines closed
 * - `validate`: every check has passed
 * - `process`: quota and credit are being reserved
 * - `accept`: everything was accepted in full at the rate the member saw
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
  /** `null` before the ticket exists. */
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

/** The status that an event leads to, or `null` if the event is refused. `from` is `null` before the ticket exists. */
export function nextStatus(from: OrderStatus | null, event: OrderEvent): OrderStatus | null {
  return orderTransitions.find((row) => row.from === from && row.event === event)?.to ?? null
}

/** Whether a ticket of this status is live: its stakes are held or debited, and it takes part in the draw. */
export function isLiveStatus(status: OrderStatus): boolean {
  return status === 'WAIT_CONFIRM' || status === 'CONFIRMED'
}

/** The longest that a ticket waits for the member's confirmation. */
export const CONFIRM_WAIT_MS = 30 * 60_000

/** When a waiting ticket counts as confirmed: after 30 minutes of waiting, or at the close if that is earlier. */
export function confirmDeadlineMs(waitingSinceMs: number, closeAtMs: number): number {
  return Math.min(waitingSinceMs + CONFIRM_WAIT_MS, closeAtMs)
}

/** Whether it is too late to confirm. The deadline itself is too late. */
export function isConfirmOver(nowMs: number, waitingSinceMs: number, closeAtMs: number): boolean {
  return nowMs >= confirmDeadlineMs(waitingSinceMs, closeAtMs)
}

/** The tag of a ticket that needs or needed confirmation. */
export type ConfirmTag = 'manually_confirm' | 'exceed_30_minutes' | 'period_closed'

/**
 * The tag of a ticket that needs or needed confirmation: "Manually confirm" while the member can confirm, then "Period
 * closed" or "Exceed 30 minutes", depending on which came first ("Period closed" if both came at once).
 */
export function confirmTag(nowMs: number, waitingSinceMs: number, closeAtMs: number): ConfirmTag {
  if (!isConfirmOver(nowMs, waitingSinceMs, closeAtMs)) return 'manually_confirm'
  return closeAtMs <= waitingSinceMs + CONFIRM_WAIT_MS ? 'period_closed' : 'exceed_30_minutes'
}

/** When a member may cancel a confirmed ticket, as set for the market. */
export interface CancelRules {
  /** Minutes after placing. */
  window_minutes: number
  /** Maximum number of tickets per period. */
  max_tickets: number
  /** Minutes before the close when cancelling ends, even within the window. */
  before_close_minutes: number
}

const MINUTE_MS = 60_000

/** 30 minutes, 10 tickets a period, never in the last 5 minutes before the close. */
export const defaultCancelRules: CancelRules = { window_minutes: 30, max_tickets: 10, before_close_minutes: 5 }

/** Until when (exclusive) a member may cancel a ticket placed at `placedAtMs`. */
export function cancelUntilMs(placedAtMs: number, closeAtMs: number, rules: CancelRules = defaultCancelRules): number {
  const { window_minutes, before_close_minutes } = rules
  return Math.min(placedAtMs + window_minutes * MINUTE_MS, closeAtMs - before_close_minutes * MINUTE_MS)
}

/** Why a confirmed ticket cannot be cancelled. */
export type CancelProblem = 'cancel_window_over' | 'too_close_to_close' | 'too_many_cancelled'

export interface CancelCase {
  nowMs: number
  /** When the bet was placed, not confirmed: waiting for confirmation does not extend the window. */
  placedAtMs: number
  closeAtMs: number
  /** Confirmed tickets of this period that the member has already cancelled. */
  cancelled_tickets: number
}

/**
 * All reasons why the member cannot cancel this confirmed ticket now, in the order of `CancelProblem`; empty if it can.
 * A waiting ticket can be cancelled until its deadline: see `isConfirmOver`.
 */
export function checkCancel(ticket: CancelCase, rules: CancelRules = defaultCancelRules): readonly CancelProblem[] {
  const problems: CancelProblem[] = []
  if (ticket.nowMs >= ticket.placedAtMs + rules.window_minutes * MINUTE_MS) problems.push('cancel_window_over')
  if (ticket.nowMs >= ticket.closeAtMs - rules.before_close_minutes * MINUTE_MS) problems.push('too_close_to_close')
  if (ticket.cancelled_tickets >= rules.max_tickets) problems.push('too_many_cancelled')
  return problems
}
