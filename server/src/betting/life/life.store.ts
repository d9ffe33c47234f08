// Writes changes of placed tickets.

import type { OrderStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'
import { isInPeriod } from '../read/in-period.ts'
import { confirmDeadline } from '../read/orders.store.ts'

export interface LockedOrder {
  order_id: number
  user_id: number
  username: string
  upline_ids: number[]
  period_id: number
  status: OrderStatus
  placed_at: Date
}

/** The ticket, locked against every other change. */
export async function lockOrder(tx: Tx, order_id: number): Promise<LockedOrder> {
  return findLockedOrder(tx, order_id, sql`for no key update of orders`)
}

/** The ticket as `lockOrder` gives it. @param lock absent: it is locked already */
export async function findLockedOrder(tx: Tx, order_id: number, lock = sql``): Promise<LockedOrder> {
  const { rows } = await sql<LockedOrder>`
    select order_id, orders.user_id, username, upline_ids, period_id, orders.status, placed_at
    from orders join users using (user_id) where order_id = ${order_id} ${lock}`.execute(tx)
  return rows[0]!
}

/** Returns items: their bet becomes 0, and the ticket's amounts become the sums of the others. */
export async function returnLines(tx: Tx, order_id: number, line_nos: readonly number[]): Promise<void> {
  await sql`update orders set returned_lines = ${line_nos}::int[] where order_id = ${order_id}`.execute(tx)
  await sql`
    update orders set bet_satang = total.bet, received_satang = total.received, discount_satang = total.discount
    from (select sum(bet_satang)::bigint as bet, sum(received_satang)::bigint as received,
      sum(discount_satang)::bigint as discount from order_items where order_id = ${order_id}) total
    where order_id = ${order_id}`.execute(tx)
}

export async function setStatus(
  tx: Tx,
  order_id: number,
  status: OrderStatus,
  change: { isDecided: boolean; cancelled_by: number | null },
): Promise<void> {
  await sql`
    update orders set status = ${status}, cancelled_by = coalesce(${change.cancelled_by}, cancelled_by),
      decided_at = case when ${change.isDecided} then clock_timestamp() else decided_at end
    where order_id = ${order_id}`.execute(tx)
}

export interface NewOrderEvent {
  order_id: number
  event: string
  from_status: OrderStatus
  to_status: OrderStatus
  actor_id: number | null
  reason: string | null
  details: object | null
}

export async function insertOrderEvent(tx: Tx, event: NewOrderEvent): Promise<void> {
  const details = event.details ? JSON.stringify(event.details) : null
  await tx
    .insertInto('order_events')
    .values({ ...event, details })
    .execute()
}

export interface OrderEventRecord {
  at: Date
  event: string
  from_status: OrderStatus
  to_status: OrderStatus
  actor: string | null
  is_by_office: boolean
  reason: string | null
}

export async function listOrderEvents(db: Db, order_id: number): Promise<OrderEventRecord[]> {
  const { rows } = await sql<OrderEventRecord>`
    select at, event, from_status, to_status, username as actor, coalesce(is_office, false) as is_by_office, reason
    from (
      select at, event_id, event, from_status, to_status, actor_id, reason from order_events where order_id = ${order_id}
      union all
      -- Who asked for a void is shown once the second person has agreed. The void itself says why.
      select proposed_at, 0, 'void_request', state_before ->> 'status', state_before ->> 'status', proposed_by, null
      from approvals where kind = 'void_order' and state = 'executed' and subject = ${`order:${order_id}`}
      union all
      -- A void of the period is no row of its tickets.
      select finished_at, 9223372036854775807, 'period_void', orders.status, orders.status, decided_by, approvals.reason
      from orders join period_voids using (period_id) join approvals using (approval_id)
      where order_id = ${order_id} and orders.status = 'CONFIRMED' and finished_at is not null
      union all
      -- Nor is its result. A correction begins another round of the settlement, and the first one was over soon after both agreed.
      select case when round = 0 then finished_at else coalesce(repeated_at, started_at) end, 9223372036854775806, 'settle',
        orders.status, orders.status, null, null
      from orders join settlements using (period_id) join awards using (period_id)
      where order_id = ${order_id} and orders.status = 'CONFIRMED' and (finished_at is not null or round > 0)
      union all
      select settled_at, 9223372036854775807, 'correct', orders.status, orders.status, null, null
      from orders join award_corrections corrections using (period_id)
      where order_id = ${order_id} and orders.status = 'CONFIRMED' and corrections.state = 'settled'
    ) shown left join users on users.user_id = actor_id
    order by at, event_id`.execute(db)
  return rows
}

/** How many other confirmed tickets of the period the member has cancelled; counts up to `most`. */
export async function countCancelled(
  tx: Tx,
  { order_id, user_id, period_id }: LockedOrder,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from orders join order_events events using (order_id)
      where user_id = ${user_id} and status = 'CANCELLED' and ${isInPeriod(period_id)}
        and order_id <> ${order_id} and event = 'cancel' and from_status = 'CONFIRMED'
      limit ${most}) counted`.execute(tx)
  return rows[0]!.count
}

/**
 * Waiting tickets that now count as confirmed (`isConfirmOver`, `timeOfDecision`), ordered by id.
 * @param after the last id of the previous list
 */
export async function listOverdueOrders(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<{ order_id: number; period_id: number }[]> {
  const { rows } = await sql<{ order_id: number; period_id: number }>`
    select order_id, period_id from orders join periods using (period_id)
    where status = 'WAIT_CONFIRM' and order_id > ${after}
      and (${confirmDeadline} <= clock_timestamp() or closed_at is not null)
    order by order_id limit ${limit}`.execute(db)
  return rows
}

export async function listWaitingOrderIds(tx: Tx, period_id: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ order_id: number }>`
    select order_id from orders where period_id = ${period_id} and status = 'WAIT_CONFIRM'
    order by order_id limit ${limit}`.execute(tx)
  return rows.map((row) => row.order_id)
}
