import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

export interface PastResult {
  period_date: string
  top3: string
  bottom2: string
  is_demo: boolean
}

/** Settled results of a market, newest first. */
export async function listResults(
  db: Db,
  product_code: string,
  { date_from = null, date_to = null }: { date_from?: string | null | undefined; date_to?: string | null | undefined },
  limit: number,
): Promise<PastResult[]> {
  const { rows } = await sql<PastResult>`
    select period_date, result ->> 'top3' as top3, result ->> 'bottom2' as bottom2, is_demo
    from periods join awards using (period_id)
    where product_code = ${product_code} and outcome = 'settled'
      and (${date_from}::date is null or period_date >= ${date_from}::date)
      and (${date_to}::date is null or period_date <= ${date_to}::date)
    order by close_at desc limit ${limit}`.execute(db)
  return rows
}

export interface OwnWinRecord {
  period_code: string
  order_id: number
  line_no: number
  bet_type: BetTypeCode
  number: string
  received_satang: number
  rate: number
  win_satang: number
}

/**
 * The tickets of a member's newest wins in settled periods, up to a number of win rows.
 * @param behind only tickets before this one
 * @returns newest first; the last one's wins may be incomplete
 */
export async function listTicketsOfWins(
  db: Db,
  user_id: number,
  period_codes: readonly string[],
  behind: number,
  row_count: number,
): Promise<{ order_ids: number[]; isFull: boolean }> {
  // `between` and the order by user too; otherwise the planner may read all members' wins from the newest ticket on.
  const { rows } = await sql<{ order_id: number }>`
    select newest.order_id from periods cross join lateral (
      select order_id from order_wins
      where order_wins.period_id = periods.period_id and user_id between ${user_id}::bigint and ${user_id}::bigint
        and order_id < ${behind}
      order by user_id, order_id desc limit ${row_count}) newest
    where period_code = any(${period_codes}::text[]) and outcome = 'settled'
    order by order_id desc limit ${row_count}`.execute(db)
  return { order_ids: [...new Set(rows.map(({ order_id }) => order_id))], isFull: rows.length === row_count }
}

/** The winning items of these tickets, newest ticket first; none of a period whose correction has begun meanwhile. */
export async function listWinsOf(db: Db, order_ids: readonly number[]): Promise<OwnWinRecord[]> {
  const { rows } = await sql<OwnWinRecord>`
    select period_code, order_id, line_no, bet_type_of(slot) as bet_type, number_of(slot) as number,
      received_satang, rate, sum(win_satang)::bigint as win_satang
    from order_wins join periods using (period_id)
    where order_id = any(${order_ids}::bigint[]) and outcome = 'settled'
    group by period_code, order_id, line_no, slot, received_satang, rate having sum(sign) > 0
    order by order_id desc, line_no`.execute(db)
  return rows
}
