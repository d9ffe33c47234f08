// Reads other modules' data about the periods of a day: results, seals, voids, sums of members.

import type { DayResult } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../../markets/index.ts'

export interface DayRow extends PeriodRecord {
  is_enabled: boolean
  result: DayResult
  seal: 'open' | 'sealed' | 'differs'
  is_void_requested: boolean
  /** Progress of payment or refund, in percent; null if neither is under way. */
  done_percent: number | null
}

/**
 * Periods that close or are drawn between two days, by close.
 * @param includesOpen also those open now, and earlier ones that are closed and undecided or being corrected
 */
export async function listDayRows(db: Db, from: string, until: string, includesOpen: boolean): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    with span as (
      select ${from}::timestamp at time zone 'Asia/Bangkok' as from_at, ${until}::timestamp at time zone 'Asia/Bangkok' as until_at
    )
    -- With offset 0 each id is looked up once: without it the subquery is inlined, and each mention is a look-up.
    select ${periodColumns}, products.is_enabled,
      case when outcome in ('settling', 'voiding', 'void') then outcome
        when outcome = 'settled' then case correction.state when 'entered' then 'correction_one_of_two'
          when 'locked' then 'correction_differs' else 'settled' end
        else case awards.state when 'entered' then 'one_of_two' when 'locked' then 'differs' else 'none' end end as result,
      coalesce(seals.state, 'open') as seal,
      outcome = 'pending' and 'period:' || period_code in (select subject from waiting_period_voids) as is_void_requested,
      case when outcome in ('settling', 'voiding') then least(99, greatest(0, (
        select floor(100.0 * (coalesce(case outcome when 'settling' then settlements.paid_up_to_order_id
            else voids.refunded_up_to_order_id end, 0) - first_id + 1) / (last_id - first_id + 1))
        from (select first_order_of(periods.period_id) as first_id, last_order_of(periods.period_id) as last_id offset 0) ids)))::int end as done_percent
    from span cross join periods join products using (product_code)
      left join awards using (period_id)
      left join award_corrections correction on correction.period_id = periods.period_id and correction.state <> 'settled'
      left join book_seals seals on seals.period_id = periods.period_id
      left join period_voids voids on voids.period_id = periods.period_id
      left join settlements on settlements.period_id = periods.period_id
    where (close_at >= from_at and close_at < until_at) or (draw_at >= from_at and draw_at < until_at)
      or (${includesOpen} and outcome in ('settling', 'voiding'))
      or (${includesOpen} and periods.period_id = any(array(select period_id from award_corrections where state <> 'settled')))
      or (${includesOpen} and outcome = 'pending' and open_at <= clock_timestamp() and draw_at <= until_at)
      or (${includesOpen} and outcome = 'pending' and open_at <= clock_timestamp() and close_at > clock_timestamp())
    order by close_at, period_code`.execute(db)
  return rows
}

export interface PeriodSums {
  tickets: number
  received_satang: number
  discount_satang: number
  win_satang: number
}

/** @param agent_id sums only the members below it; null for all members */
export async function sumPeriods(
  db: Db,
  period_ids: readonly number[],
  agent_id: number | null,
): Promise<Map<number, PeriodSums>> {
  const { rows } = await sql<PeriodSums & { period_id: number }>`
    select period_id, sum(ticket_count)::int as tickets, sum(received_satang)::bigint as received_satang,
      sum(discount_satang)::bigint as discount_satang, sum(win_satang)::bigint as win_satang
    from member_periods
    where period_id + 0 = any(${period_ids}::int[])
      and (${agent_id}::bigint is null or user_id in (select user_id from users where upline_ids @> array[${agent_id}::bigint]))
    group by period_id`.execute(db)
  return new Map(rows.map(({ period_id, ...sums }) => [period_id, sums]))
}

/** All periods of some days, by close. */
export async function listPeriodsFrom(db: Db, date_from: string, date_to: string): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods
    where period_date between ${date_from}::date and ${date_to}::date order by close_at, period_code`.execute(db)
  return rows
}
