// Tickets of members in one period. The index of a member's tickets lacks the period, so it is read from the period's
// first ticket to its last.

import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for whether a ticket is in a period, for queries by member; `order_id` and `period_id` unqualified. Compares the
 * period by a sum, which no index has. Otherwise, a planner whose statistics do not know the period yet assumes that it
 * is small, and reads all of its tickets for each member.
 */
export function isInPeriod(period_id: number): RawBuilder<boolean> {
  return sql`(period_id + 0 = ${period_id}
    and order_id between (select first_order_of(${period_id})) and (select last_order_of(${period_id})))`
}
