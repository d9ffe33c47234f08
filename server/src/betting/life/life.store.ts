// Writes changes of placed tickets.

import type { OrderStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'
import type { RequestToVoid } from '../../identity/accounts/index.ts'
import { isInPeriod } from '../read/in-period.ts'
import { confirmDeadline } from '../read/orders.store.ts'

export interface LockedOrder {
  order_id: number
  user_id: number
  upline_ids: number[]
  period_id: number
  status: OrderStatus
  placed_at: Date
}

/** The ticket, locked against every other change. */
export async function lockOrder(tx: Tx, order_id: number): Promise<LockedOrder> {
  const { rows } = await sql<LockedOrder>`
    select order_id, orders.user_id, upline_ids, period_id, orders.status, placed_at
    from orders join users using (user_id) where order_id = ${order_id} for no key update of orders`.execute(tx)
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
      -- What the first one of the office has said is shown once the second one has agreed.
      select requested_at, 0, 'void_request', from_status, from_status, requested_by, requests.reason
      from void_requests requests join order_events events using (order_id)
      where order_id = ${order_id} and events.event = 'void'
      union all
      -- A void of the period is no row of its tickets.
      select finished_at, 9223372036854775807, 'period_void', orders.status, orders.status, approved_by, voids.reason
      from orders join period_voids voids using (period_id)
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

/** How many hours a request waits for approval. */
const REQUEST_HOURS = 24

export async function findVoidRequest(tx: Tx, order_id: number): Promise<RequestToVoid | undefined> {
  const { rows } = await sql<RequestToVoid>`
    select void_request_id, requested_by, requested_at <= clock_timestamp() - ${REQUEST_HOURS} * interval '1 hour' as "isExpired",
      approved_by is not null as "isApproved"
    from void_requests where order_id = ${order_id}`.execute(tx)
  return rows[0]
}

export async function removeVoidRequest(tx: Tx, order_id: number): Promise<void> {
  await tx.deleteFrom('void_requests').where('order_id', '=', order_id).execute()
}

/** Requests that can still be approved. */
const isWaiting = sql`approved_at is null and outcome = 'pending' and orders.status in ('WAIT_CONFIRM', 'CONFIRMED')
  and requested_at > clock_timestamp() - ${REQUEST_HOURS} * interval '1 hour'`

/** How many requests of the person behind a user can still be approved. */
export async function countWaitingVoidRequestsOf(tx: Tx, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from void_requests join orders using (order_id) join periods using (period_id)
    where ${isWaiting} and principal_of(requested_by) = principal_of(${user_id})`.execute(tx)
  return rows[0]!.count
}

/** A removed request, with its ticket. */
export interface RemovedVoidRequest {
  order_id: number
  user_id: number
  status: OrderStatus
  period_code: string
  net_satang: number
  requested_by: number
}

/**
 * Removes every request that can still be approved.
 * @param users only those of these users
 */
export async function removeWaitingVoidRequests(
  tx: Tx,
  users: readonly number[] | null = null,
): Promise<RemovedVoidRequest[]> {
  const { rows } = await sql<RemovedVoidRequest>`
    delete from void_requests using orders, periods
    where orders.order_id = void_requests.order_id and periods.period_id = orders.period_id and ${isWaiting}
      and (${users}::bigint[] is null or requested_by = any(${users}::bigint[]))
    returning orders.order_id, orders.user_id, orders.status, period_code,
      received_satang - discount_satang as net_satang, requested_by`.execute(tx)
  return rows
}

/** A ticket that needs a second office user. */
export interface OpenVoidRequest {
  void_request_id: number
  order_id: number
  requested_by: string
  requested_at: Date
  reason: string
}

/** Requests that can still be approved, oldest first. */
export async function listOpenVoidRequests(db: Db, limit: number): Promise<OpenVoidRequest[]> {
  const { rows } = await sql<OpenVoidRequest>`
    select void_request_id, order_id, requester.username as requested_by, requested_at, reason
    from void_requests join orders using (order_id) join periods using (period_id)
      join users requester on requester.user_id = requested_by
    where ${isWaiting}
    order by requested_at, order_id limit ${limit}`.execute(db)
  return rows
}

export interface WaitingVoid {
  void_request_id: number
  order_id: number
  order: { username: string; status: OrderStatus; received_satang: number; discount_satang: number }
  period_code: string
  product_code: string
  begun_by: number
  begun_at: Date
  expires_at: Date
  reason: string
}

/** For all requests that can still be approved: who asked for which ticket, oldest first. */
export async function listWaitingVoidRequests(db: Db, limit: number): Promise<WaitingVoid[]> {
  const { rows } = await sql<WaitingVoid>`
    select void_request_id, order_id, period_code, product_code, requested_by as begun_by, requested_at as begun_at, reason,
      requested_at + ${REQUEST_HOURS} * interval '1 hour' as expires_at,
      json_build_object('username', username, 'status', orders.status, 'received_satang', received_satang,
        'discount_satang', discount_satang) as "order"
    from void_requests join orders using (order_id) join periods using (period_id)
      join users on users.user_id = orders.user_id
    where ${isWaiting}
    order by requested_at, order_id limit ${limit}`.execute(db)
  return rows
}

/** @returns its void_request_id */
export async function insertVoidRequest(
  tx: Tx,
  order_id: number,
  requested_by: number,
  reason: string,
): Promise<number> {
  const request = tx.insertInto('void_requests').values({ order_id, requested_by, reason })
  return (await request.returning('void_request_id').executeTakeFirstOrThrow()).void_request_id
}

export async function approveVoidRequest(tx: Tx, order_id: number, approved_by: number): Promise<void> {
  await sql`
    update void_requests set approved_by = ${approved_by}, approved_at = clock_timestamp()
    where order_id = ${order_id}`.execute(tx)
}
