// The ids of a period's tickets. With them the index of a member's tickets, which has no period, is read from the first
// ticket of the period to the last one.

import { type RawBuilder, sql } from 'kysely'

/** SQL for whether `order_id` lies between the least and the greatest ticket id of a period; `order_id` unqualified. */
export function isInIdRangeOf(period_id: number): RawBuilder<boolean> {
  return sql`order_id between (select first_order_of(${period_id})) and (select last_order_of(${period_id}))`
}
