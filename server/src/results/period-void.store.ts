import { sql } from 'kysely'
import { unquotedArray, type Db, type Tx } from '../postgres/db.ts'
import type { RequestToVoid } from '../identity/accounts/index.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import type { Progress } from './ticket-steps.ts'

/** How many hours a request waits for approval. */
const REQUEST_HOURS = 24

export interface VoidRequest extends RequestToVoid {
  reason: string
}

export async function findVoid(tx: Tx, period_id: number): Promise<VoidRequest | undefined> {
  const { rows } = await sql<VoidRequest>`
    select void_request_id, requested_by, reason,
      requested_at <= clock_timestamp() - ${REQUEST_HOURS} * interval '1 hour' as "isExpired",
      approved_by is not null as "isApproved"
    from period_voids where period_id = ${period_id}`.execute(tx)
  return rows[0]
}

/** @returns its void_request_id */
export async function insertVoid(tx: Tx, period_id: number, requested_by: number, reason: string): Promise<number> {
  const request = tx.insertInto('period_voids').values({ period_id, requested_by, reason })
  return (await request.returning('void_request_id').executeTakeFirstOrThrow()).void_request_id
}

/** Of `period_voids` and `periods`: whether a request can still be approved. */
const isWaiting = sql`approved_by is null and outcome = 'pending'
  and requested_at > clock_timestamp() - ${REQUEST_HOURS} * interval '1 hour'`

/** How many requests of the person behind a user can still be approved. */
export async function countWaitingVoidsOf(tx: Tx, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from period_voids join periods using (period_id)
    where ${isWaiting} and principal_of(requested_by) = principal_of(${user_id})`.execute(tx)
  return rows[0]!.count
}

export async function removeVoid(tx: Tx, period_id: number): Promise<void> {
  await tx.deleteFrom('period_voids').where('period_id', '=', period_id).execute()
}

export interface RemovedVoid {
  period_code: string
  requested_by: number
  reason: string
}

/**
 * Removes every request that can still be approved.
 * @param users only those of these users
 */
export async function removeWaitingVoids(tx: Tx, users: readonly number[] | null = null): Promise<RemovedVoid[]> {
  const { rows } = await sql<RemovedVoid>`
    delete from period_voids using periods where periods.period_id = period_voids.period_id and ${isWaiting}
      and (${users}::bigint[] is null or requested_by = any(${users}::bigint[]))
    returning period_code, requested_by, reason`.execute(tx)
  return rows
}

export async function approveVoid(tx: Tx, period_id: number, approved_by: number): Promise<void> {
  await sql`
    update period_voids set approved_by = ${approved_by}, approved_at = clock_timestamp()
    where period_id = ${period_id}`.execute(tx)
}

export async function listPeriodIdsToVoid(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('periods').select('period_id').where('outcome', '=', 'voiding').execute()
  return rows.map((row) => row.period_id)
}

export async function lockVoid(tx: Tx, period_id: number): Promise<Progress> {
  const { rows } = await sql<Omit<Progress, 'round'>>`
    select refunded_up_to_order_id as done_up_to_order_id, finished_at is not null as "isFinished" from period_voids
    where period_id = ${period_id} and approved_by is not null for update`.execute(tx)
  if (!rows[0]) throw new Error(`Period ${period_id} is to be refunded without an approved void`)
  return { ...rows[0], round: 0 }
}

/** Confirmed tickets of a period after a given id, ordered by id. */
export async function listRefundableOrderIds(tx: Tx, period_id: number, after_order_id: number): Promise<number[]> {
  // By the index of the period's tickets, whatever the statistics say.
  await sql`set local enable_seqscan = off`.execute(tx)
  const { rows } = await sql<{ order_ids: number[] | null }>`
    select array_agg(order_id order by order_id) as order_ids from orders
    where period_id = ${period_id} and status = 'CONFIRMED' and order_id > ${after_order_id}`.execute(tx)
  return rows[0]!.order_ids ?? []
}

export interface Stake {
  order_id: number
  user_id: number
  net_satang: number
}

export async function listStakes(tx: Tx, order_ids: readonly number[]): Promise<Stake[]> {
  const { rows } = await sql<Stake>`
    select order_id, user_id, received_satang - discount_satang as net_satang from orders
    where order_id = any(${unquotedArray(order_ids)}::bigint[]) order by order_id`.execute(tx)
  return rows
}

/** What a void would refund now: live tickets, including waiting ones, which the close confirms before the refund. */
export async function sumRefund(
  db: Db,
  period_id: number,
): Promise<{ tickets: number; members: number; refund_satang: number }> {
  const { rows } = await sql<{ tickets: number; members: number; refund_satang: number }>`
    select count(*)::int as tickets, count(distinct user_id)::int as members,
      coalesce(sum(received_satang - discount_satang), 0)::bigint as refund_satang
    from orders where period_id = ${period_id} and status in ('CONFIRMED', 'WAIT_CONFIRM')`.execute(db)
  return rows[0]!
}

export async function saveRefunds(
  tx: Tx,
  period_id: number,
  refunds: { up_to_order_id: number; orders: number; satang: number },
): Promise<void> {
  await sql`
    update period_voids set refunded_up_to_order_id = ${refunds.up_to_order_id},
      refunded_orders = refunded_orders + ${refunds.orders}, refunded_satang = refunded_satang + ${refunds.satang}
    where period_id = ${period_id}`.execute(tx)
}

export async function finishVoid(tx: Tx, period_id: number): Promise<void> {
  await sql`update period_voids set finished_at = clock_timestamp() where period_id = ${period_id}`.execute(tx)
}

export interface VoidRecord extends PeriodRecord {
  requested_by: string
  requested_at: Date
  approved_by: string | null
  approved_at: Date | null
  finished_at: Date | null
  reason: string
  refunded_orders: number
  refunded_satang: number
}

const voids = sql`
  select ${periodColumns}, requester.username as requested_by, requested_at, approver.username as approved_by, approved_at,
    finished_at, reason, refunded_orders, refunded_satang
  from period_voids join periods using (period_id) join users requester on requester.user_id = requested_by
    left join users approver on approver.user_id = approved_by`

/** Requests that have not expired, and voids, newest first. */
export async function listVoids(db: Db, limit: number, offset: number): Promise<VoidRecord[]> {
  const { rows } = await sql<VoidRecord>`
    ${voids}
    where approved_by is not null
      or (outcome = 'pending' and requested_at > clock_timestamp() - ${REQUEST_HOURS} * interval '1 hour')
    order by requested_at desc, periods.period_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export interface WaitingPeriodVoid {
  void_request_id: number
  period_code: string
  product_code: string
  begun_by: number
  begun_at: Date
  expires_at: Date
  reason: string
}

/** Requests that can still be approved, oldest first. */
export async function listWaitingVoidsOfPeriods(db: Db): Promise<WaitingPeriodVoid[]> {
  const { rows } = await sql<WaitingPeriodVoid>`
    select void_request_id, period_code, product_code, requested_by as begun_by, requested_at as begun_at,
      requested_at + ${REQUEST_HOURS} * interval '1 hour' as expires_at, reason
    from period_voids join periods using (period_id)
    where ${isWaiting}
    order by requested_at, period_id limit 500`.execute(db)
  return rows
}
