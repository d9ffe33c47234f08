// Names of constraints that code outside of the database relies on: what it asserts, and what it reads from an error. A test
// holds the lists against the database.

import pg from 'pg'

/** Constraints and unique indexes of tables. */
export const tableConstraints = [
  'credit_never_overspent',
  'entries_by_idempotency_key',
  'orders_user_id_request_id_key',
  'users_username_key',
] as const

/** Raised by triggers and functions of the database. */
export const raisedConstraints = [
  'accounts_not_of_assistants',
  'approvals_are_audited',
  'approvals_decided_once',
  'approvals_in_time',
  'awards_after_draw',
  'bets_go_to_periods',
  'book_sealed',
  'breaks_only_longer',
  'cancel_rules_are_audited',
  'credit_limits_are_audited',
  'entries_have_a_cause',
  'limit_rules_are_audited',
  'office_decides',
  'office_keeps_an_owner',
  'office_needs_two',
  'orders_in_time',
  'overdrafts_are_taken_back',
  'packages_within_line',
  'periods_are_planned',
  'periods_close_once',
  'periods_go_forward',
  'quota_never_below_nothing',
  'quota_never_oversold',
  'quota_still_full',
  'quotas_are_added_to',
  'quotas_are_audited',
  'removals_in_time',
  'repairs_are_approved',
  'results_are_audited',
  'returns_within_bound',
  'shares_are_audited',
  'shares_within_line',
  'slot_index_after_close',
  'terms_are_audited',
  'timetables_leave_no_late_period',
  'two_people',
  'users_with_assistants',
  'voids_are_audited',
] as const

/** What a batch assumes when it is decided from the cache, asserted in the transaction that writes it. */
export const preconditions = [
  'far_from_number_limit',
  'members_may_bet',
  'no_overdrafts',
  'period_unchanged',
  'period_limits_unchanged',
  'sessions_open',
] as const

export type Precondition = (typeof preconditions)[number]
export type Constraint = (typeof tableConstraints)[number] | (typeof raisedConstraints)[number] | Precondition

const constraints: ReadonlySet<string> = new Set([...tableConstraints, ...raisedConstraints, ...preconditions])

/** The constraint that an error of the database says is violated, where it is one of the lists. */
export function violatedConstraint(error: unknown): Constraint | undefined {
  if (!(error instanceof pg.DatabaseError) || error.constraint === undefined) return undefined
  return constraints.has(error.constraint) ? (error.constraint as Constraint) : undefined
}
