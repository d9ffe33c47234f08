// The owner of a ticket, who is notified of its changes.

import type { OrderStatus } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'

/** The owner of a ticket, and its period. */
export interface OrderOwner {
  user_id: number
  period_code: string
}

/** The owner with its uplines, and the status, read without a lock. Undefined if the ticket does not exist. */
export async function findOrderOwner(
  db: Db,
  order_id: number,
): Promise<(OrderOwner & { upline_ids: number[]; status: OrderStatus }) | undefined> {
  return db
    .selectFrom('orders')
    .innerJoin('periods', 'periods.period_id', 'orders.period_id')
    .innerJoin('users', 'users.user_id', 'orders.user_id')
    .select(['period_code', 'orders.user_id', 'upline_ids', 'orders.status'])
    .where('order_id', '=', order_id)
    .executeTakeFirst()
}
