import { sql } from 'kysely'
import { unquotedArray, type Db, type Tx } from '../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import type { Progress } from './ticket-steps.ts'

/** In the transaction of its approval, which the database notes with it. */
export async function insertVoid(tx: Tx, period_id: number): Promise<void> {
  await tx.insertInto('period_voids').values({ period_id }).execute()
}

export async function listPeriodIdsToVoid(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('periods').select('period_id').where('outcome', '=', 'voiding').execute()
  return rows.map((row) => row.period_id)
}

export async function lockVoid(tx: Tx, period_id: number): Promise<Progress> {
  const { rows } = await sql<Omit<Progress, 'round'>>`
    select refunded_up_to_order_id as done_up_to_order_id, finished_at is not null as "isFinished" from period_voids
    where period_id = ${period_id} for update`.execute(tx)
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
  approved_by: string
  approved_at: Date
  finished_at: Date | null
  reason: string
  refunded_orders: number
  refunded_satang: number
}

/** Newest first. */
export async function listVoids(db: Db, limit: number, offset: number): Promise<VoidRecord[]> {
  const { rows } = await sql<VoidRecord>`
    select ${periodColumns}, proposer.username as requested_by, proposed_at as requested_at, approver.username as approved_by,
      decided_at as approved_at, finished_at, reason, refunded_orders, refunded_satang
    from period_voids join periods using (period_id) join approvals using (approval_id)
      join users proposer on proposer.user_id = proposed_by join users approver on approver.user_id = decided_by
    order by decided_at desc, periods.period_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}
