// Whose ticket it is: who is to hear that it changed.

import type { Db } from '../../../platform/db.ts'

/** Whose ticket it is, and of which period. */
export interface OrderOwner {
  user_id: number
  period_code: string
}

/** Nothing where there is no such ticket. */
export async function findOrderOwner(db: Db, order_id: number): Promise<OrderOwner | undefined> {
  return db
    .selectFrom('orders')
    .innerJoin('periods', 'periods.period_id', 'orders.period_id')
    .select(['period_code', 'user_id'])
    .where('order_id', '=', order_id)
    .executeTakeFirst()
}
