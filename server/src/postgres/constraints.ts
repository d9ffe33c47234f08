// Names of constraints that code outside the database relies on, in assertions and errors. A test compares the lists
// with the database.

import pg from 'pg'

/** Constraints and unique indexes of tables. */
export const tableConstraints = [
  'credit_never_overspent',
  'orders_user_id_request_id_key',
  'users_username_key',
] as const

/** Raised by triggers and functions of the database. */
export const raisedConstraints = [
  'office_keeps_an_owner',
  'orders_in_time',
  'quota_never_oversold',
  'quota_still_full',
  'removals_in_time',
  'shares_within_line',
] as const

/** Assumptions of a batch decided from the cache, asserted in the transaction that writes it. */
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

/** The violated constraint named by a database error, if it is in one of the lists. */
export function violatedConstraint(error: unknown): Constraint | undefined {
  if (!(error instanceof pg.DatabaseError) || error.constraint === undefined) return undefined
  return constraints.has(error.constraint) ? (error.constraint as Constraint) : undefined
}
