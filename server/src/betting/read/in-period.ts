// Tickets of members in one period. The index of a member's tickets has no period: it is read from the first ticket of the period to
// the last one.

import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for whether a ticket is of a period, for queries by member; `order_id` and `period_id` unqualified. The period is compared by
 * a sum, which no index has: a planner whose statistics do not know the period yet takes it for small, and would read all of its
 * tickets for each member.
 */
export function isInPeriod(period_id: number): RawBuilder<boolean> {
  return sql`(period_id + 0 = ${period_id}
    and order_id between (select first_order_of(${period_id})) and (select last_order_of(${period_id})))`
}
