import type { BetTypeCode, DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { type PeriodRecord, periodColumns } from '../markets/markets.service.ts'
import { betKey } from '../orders/orders.service.ts'

export interface AwardRecord {
  state: 'entered' | 'locked' | 'agreed'
  result: DrawResult
  entered_by: number | null
}

export async function findAward(db: Db, period_id: number): Promise<AwardRecord | undefined> {
  return db
    .selectFrom('awards')
    .select(['state', 'result', 'entered_by'])
    .where('period_id', '=', period_id)
    .executeTakeFirst()
}

export async function insertAward(tx: Tx, period_id: number, result: DrawResult, entered_by: number): Promise<void> {
  await sql`
    insert into awards (period_id, state, result, entered_by)
    values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${entered_by})`.execute(tx)
}

export async function repeatAward(
  tx: Tx,
  period_id: number,
  state: 'agreed' | 'locked',
  result: DrawResult,
  repeated_by: number,
): Promise<void> {
  await sql`
    update awards set state = ${state}, repeated_result = ${JSON.stringify(result)}::jsonb, repeated_by = ${repeated_by},
      repeated_at = clock_timestamp()
    where period_id = ${period_id}`.execute(tx)
}

export async function removeAward(tx: Tx, period_id: number): Promise<void> {
  await tx.deleteFrom('awards').where('period_id', '=', period_id).execute()
}

/** Settled results with their periods, newest first, of one market or of all. */
export async function listSettledAwards(
  db: Db,
  wanted: { product_code?: string; date_from?: string },
  limit: number,
): Promise<(PeriodRecord & { result: DrawResult })[]> {
  const { rows } = await sql<PeriodRecord & { result: DrawResult }>`
    select ${periodColumns}, awards.result from awards join periods using (period_id)
    where periods.outcome = 'settled'
      and (${wanted.product_code ?? null}::text is null or periods.product_code = ${wanted.product_code ?? null})
      and (${wanted.date_from ?? null}::date is null or periods.period_date >= ${wanted.date_from ?? null}::date)
    order by periods.period_date desc, periods.close_at desc limit ${limit}`.execute(db)
  return rows
}

export async function listPeriodIdsToSettle(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('periods').select('period_id').where('outcome', '=', 'settling').execute()
  return rows.map((row) => row.period_id)
}

/** How far settling has come; made on first sight, and locked: one settler at a time. */
export async function lockSettlement(
  tx: Tx,
  period_id: number,
): Promise<{ paid_up_to_order_id: number; isFinished: boolean }> {
  await sql`insert into settlements (period_id) values (${period_id}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ paid_up_to_order_id: number; isFinished: boolean }>`
    select paid_up_to_order_id, finished_at is not null as "isFinished" from settlements
    where period_id = ${period_id} for update`.execute(tx)
  return rows[0]!
}

export interface WinningItem {
  order_id: number
  user_id: number
  line_no: number
  received_satang: number
  rate: number
}

/**
 * The winning items of the next tickets after one, by ticket number. Tickets are found by the numbers they bet on: those
 * that have lost are not looked at.
 * @returns the items, and the last ticket that was looked at; null where there is none left
 */
export async function listWinningItems(
  tx: Tx,
  period_id: number,
  winning: readonly { bet_type: BetTypeCode; number: string }[],
  after_order_id: number,
  tickets: number,
): Promise<{ items: WinningItem[]; last_order_id: number | null }> {
  const keys = winning.map(({ bet_type, number }) => betKey(period_id, bet_type, number))
  const { rows } = await sql<WinningItem & { bet_type: BetTypeCode; number: string }>`
    with found as materialized (
      select order_id from orders
      where bet_keys && ${keys}::bigint[] and status = 'CONFIRMED' and order_id > ${after_order_id}
    ), next as materialized (
      select order_id from found order by order_id limit ${tickets}
    )
    select items.order_id, user_id, line_no, bet_type, number, received_satang, rate
    from next cross join lateral (select * from order_items where order_items.order_id = next.order_id offset 0) items
    order by items.order_id, line_no`.execute(tx)
  const names = new Set(winning.map(({ bet_type, number }) => `${bet_type} ${number}`))
  const items = rows.filter((row) => row.received_satang > 0 && names.has(`${row.bet_type} ${row.number}`))
  return { items, last_order_id: rows.at(-1)?.order_id ?? null }
}

/** Writes wins of items and the sums on their tickets. */
export async function writeWins(
  tx: Tx,
  wins: readonly { order_id: number; line_no: number; win_satang: number }[],
): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${wins.map((win) => win.order_id)}::bigint[], ${wins.map((win) => win.line_no)}::int[],
        ${wins.map((win) => win.win_satang)}::bigint[]) as given (order_id, line_no, win_satang)
    ), items as (
      insert into order_wins (order_id, line_no, win_satang)
      select order_id, line_no, win_satang from given where win_satang > 0
    )
    update orders set win_satang = total.win_satang
    from (select order_id, sum(win_satang)::bigint as win_satang from given group by order_id) total
    where orders.order_id = total.order_id`.execute(tx)
}

export async function noteProgress(
  tx: Tx,
  period_id: number,
  progress: { paid_up_to_order_id: number; orders: number; satang: number },
): Promise<void> {
  await sql`
    update settlements set paid_up_to_order_id = ${progress.paid_up_to_order_id},
      paid_orders = paid_orders + ${progress.orders}, paid_satang = paid_satang + ${progress.satang}
    where period_id = ${period_id}`.execute(tx)
}

export async function finishSettlement(tx: Tx, period_id: number): Promise<void> {
  await sql`update settlements set finished_at = clock_timestamp() where period_id = ${period_id}`.execute(tx)
}
