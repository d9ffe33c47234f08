// Clearing statements. In the tables an amount above 0 is in the child's favour.

import type { ClearingState, PaymentMethod, UserLevel } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import type { Db, Tx } from '../postgres/db.ts'

/**
 * Makes the statements of a week that are missing, of all edges between agents that have anything to state, or of some.
 * A statement holds what no earlier one holds: periods of the week and, settled late, of earlier weeks since the first
 * statement; the differences of corrected periods; payments and adjustments until the week's end.
 * @param monday of a week that is over
 * @returns how many were made
 */
export async function insertClearings(tx: Tx, monday: string): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    with edge as materialized (
      select child_id, balance_satang from edges join users on user_id = child_id
      where level <> 'member' and not exists (select from clearings c where c.child_id = edges.child_id and c.week >= ${monday}::date)
    ), last as materialized (
      select distinct on (child_id) child_id, week, made_at from clearings join edge using (child_id)
      order by child_id, week desc
    ), first as materialized (
      select child_id, min(week) as week from clearings join edge using (child_id) group by child_id
    ), due_period as materialized (
      -- A settlement that was committed while the last statements were made is looked at again, and weeks without
      -- statements are made up for.
      select period_id, period_date from periods join settlements using (period_id)
      where outcome = 'settled' and period_date <= ${monday}::date + 6
        and (period_date >= ${monday}::date or period_date >= (select greatest(min(week) + 7, ${monday}::date - 60) from last)
          or finished_at >= (select greatest(min(made_at), now() - interval '60 days') from last) - interval '1 day')
    ), candidate as materialized (
      select edge.child_id, l.period_id, period_date, l.passed_received_satang as received, l.passed_discount_satang as discounts,
        l.passed_win_satang as win, case when l.came_received_satang = 0 then l.passed_discount_satang
          else least(l.passed_discount_satang, round(l.came_discount_satang::numeric * l.passed_received_satang / l.came_received_satang)) end::bigint as discount
      from due_period join level_periods l using (period_id) join edge on edge.child_id = l.user_id left join first on first.child_id = l.user_id
      where period_date >= coalesce(first.week, ${monday}::date)
    ), stated as (
      select lines.child_id, lines.period_id, sum(lines.received_satang)::bigint as received, sum(lines.discount_satang)::bigint as discount,
        sum(lines.commission_satang)::bigint as commission, sum(lines.win_satang)::bigint as win
      from candidate join clearing_lines lines using (child_id, period_id) group by lines.child_id, lines.period_id
    ), line as (
      select child_id, period_id, null::bigint as payment_id, case when stated.period_id is null then 'period' else 'correction' end as kind,
        period_date as day, candidate.received - coalesce(stated.received, 0) as received, candidate.discount - coalesce(stated.discount, 0) as discount,
        candidate.discounts - candidate.discount - coalesce(stated.commission, 0) as commission, candidate.win - coalesce(stated.win, 0) as win
      from candidate left join stated using (child_id, period_id)
      where stated.period_id is null or (candidate.received, candidate.discounts, candidate.win)
        <> (stated.received, stated.discount + stated.commission, stated.win)
    ), change as (
      select child_id, kind, period_id, payment_id, day, received, discount, commission, win, discount + commission + win - received as satang from line
      union all
      select child_id, payments.kind, null, payment_id, day, 0, 0, 0, 0, amount_satang
      from edge join payments using (child_id) left join first using (child_id)
      where day between coalesce(first.week, ${monday}::date) and ${monday}::date + 6
        and not exists (select from clearing_lines l where l.child_id = edge.child_id and l.payment_id = payments.payment_id)
    ), numbered as (
      select *, row_number() over (partition by child_id order by day, kind = 'correction', period_id, payment_id) as line_no from change
    ), head as (
      -- Carried is the balance at the week's end. What no line names, such as a correction of a period from before the
      -- first statement, is in the balance forward.
      select child_id, (balance_satang - coalesce((
        select sum(played_satang + received_satang - paid_satang + adjusted_satang) from edge_days
        where edge_days.child_id = edge.child_id and day > ${monday}::date + 6), 0))::bigint as carried_satang
      from edge
    ), made as (
      insert into clearings (child_id, week, forward_satang, carried_satang)
      select child_id, ${monday}::date, carried_satang - coalesce(sum(satang), 0), carried_satang
      from head left join change using (child_id)
      group by child_id, carried_satang having carried_satang <> 0 or count(change.kind) > 0
      returning clearing_id, child_id
    ), lines as (
      insert into clearing_lines (clearing_id, line_no, child_id, kind, period_id, payment_id, received_satang, discount_satang,
        commission_satang, win_satang, change_satang)
      select clearing_id, line_no, child_id, kind, period_id, payment_id, received, discount, commission, win, satang
      from made join numbered using (child_id)
    )
    select count(*)::int as made from made`.execute(tx)
  return rows[0]!.made
}

export interface ClearingRecord {
  clearing_id: number
  child_id: number
  username: string
  display_name: string
  level: UserLevel
  upline_ids: number[]
  parent_id: number
  parent_username: string
  week: string
  state: ClearingState
  forward_satang: number
  carried_satang: number
  received_satang: number
  discount_satang: number
  commission_satang: number
  win_satang: number
  due_satang: number
  is_due: boolean
  corrected_satang: number
  payments_satang: number
  adjusted_satang: number
  made_at: Date
  changed_at: Date
  disputed_line: number | null
  dispute_note: string | null
}

const selectClearings = sql`
  select clearing_id, clearings.child_id, child.username, child.display_name, child.level, child.upline_ids, child.parent_id,
    parent.username as parent_username, week::text, state, forward_satang, carried_satang, made_at, changed_at, disputed_line,
    dispute_note, sums.*,
    case edges.clearing when 'weekly' then true when 'rolling' then false
      else abs(carried_satang) >= settle_figure_satang end as is_due
  from clearings join edges using (child_id) join users child on child.user_id = clearings.child_id join users parent on parent.user_id = child.parent_id
    cross join lateral (
      select coalesce(sum(received_satang) filter (where kind = 'period'), 0)::bigint as received_satang,
        coalesce(sum(discount_satang) filter (where kind = 'period'), 0)::bigint as discount_satang,
        coalesce(sum(commission_satang) filter (where kind = 'period'), 0)::bigint as commission_satang,
        coalesce(sum(win_satang) filter (where kind = 'period'), 0)::bigint as win_satang,
        coalesce(sum(change_satang) filter (where kind = 'period'), 0)::bigint as due_satang,
        coalesce(sum(change_satang) filter (where kind = 'correction'), 0)::bigint as corrected_satang,
        coalesce(sum(change_satang) filter (where kind = 'payment'), 0)::bigint as payments_satang,
        coalesce(sum(change_satang) filter (where kind = 'adjustment'), 0)::bigint as adjusted_satang
      from clearing_lines lines where lines.clearing_id = clearings.clearing_id
    ) sums`

export async function findClearing(db: Db, clearing_id: number): Promise<ClearingRecord | undefined> {
  const { rows } = await sql<ClearingRecord>`${selectClearings} where clearing_id = ${clearing_id}`.execute(db)
  return rows[0]
}

/** What a statement carried, less what was paid since; above 0 in the child's favour. */
export async function findUnpaid(db: Db, clearing_id: number): Promise<number> {
  const { rows } = await sql<{ satang: number }>`
    select (carried_satang + coalesce((
      select sum(amount_satang) from payments where payments.child_id = clearings.child_id
        and recorded_at >= least(made_at - interval '1 day', (week + 7)::timestamp at time zone 'Asia/Bangkok')
        and not exists (
          select from clearing_lines lines join clearings earlier using (clearing_id)
          where lines.payment_id = payments.payment_id and earlier.week <= clearings.week)), 0))::bigint as satang
    from clearings where clearing_id = ${clearing_id}`.execute(db)
  return rows[0]!.satang
}

export interface ClearingFilter {
  owner_id: number
  side: 'below' | 'above'
  user_id?: number | undefined
  week?: string | undefined
  state?: ClearingState | undefined
}

/** A child sees its statement once it is sent. */
function conditionsOf({ owner_id, side, user_id, week, state }: ClearingFilter): RawBuilder<unknown> {
  const conditions = [
    side === 'below'
      ? sql`clearings.child_id in (select user_id from users where parent_id = ${owner_id})`
      : sql`clearings.child_id = ${owner_id} and state <> 'draft'`,
  ]
  if (user_id !== undefined) conditions.push(sql`clearings.child_id = ${user_id}`)
  if (week !== undefined) conditions.push(sql`week = ${week}::date`)
  if (state !== undefined) conditions.push(sql`state = ${state}`)
  return sql.join(conditions, sql` and `)
}

export async function listClearingRecords(
  db: Db,
  filter: ClearingFilter,
  limit: number,
  before?: number,
): Promise<{ records: ClearingRecord[]; total_count: number }> {
  const isBefore = before === undefined ? sql`true` : sql`clearing_id < ${before}`
  const { rows: records } = await sql<ClearingRecord>`
    ${selectClearings} where ${conditionsOf(filter)} and ${isBefore} order by clearing_id desc limit ${limit}`.execute(
    db,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from clearings where ${conditionsOf(filter)}`.execute(db)
  return { records, total_count: rows[0]!.count }
}

/** How many statements wait for an owner: of its children to send or answer, and its own to confirm. */
export async function countWaitingClearings(
  db: Db,
  owner_id: number,
): Promise<{ clearings_below_count: number; clearings_above_count: number }> {
  const { rows } = await sql<{ clearings_below_count: number; clearings_above_count: number }>`
    select (select count(*)::int from clearings join users on user_id = child_id
        where parent_id = ${owner_id} and state in ('draft', 'disputed')) as clearings_below_count,
      (select count(*)::int from clearings where child_id = ${owner_id} and state = 'sent') as clearings_above_count`.execute(
    db,
  )
  return rows[0]!
}

export interface ClearingLineRecord {
  line_no: number
  kind: 'period' | 'correction' | 'payment' | 'adjustment'
  period_id: number | null
  payment_id: number | null
  day: string
  method: PaymentMethod | null
  received_satang: number
  discount_satang: number
  commission_satang: number
  win_satang: number
  change_satang: number
}

export async function listClearingLines(db: Db, clearing_id: number): Promise<ClearingLineRecord[]> {
  const { rows } = await sql<ClearingLineRecord>`
    select line_no, lines.kind, lines.period_id, lines.payment_id, coalesce(period_date, day)::text as day, method,
      received_satang, discount_satang, commission_satang, win_satang, change_satang
    from clearing_lines lines left join periods using (period_id) left join payments using (payment_id)
    where clearing_id = ${clearing_id} order by line_no`.execute(db)
  return rows
}

export async function listPeriodsOfLines(db: Db, clearing_id: number): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select distinct ${periodColumns} from clearing_lines lines join periods using (period_id)
    where clearing_id = ${clearing_id}`.execute(db)
  return rows
}

export async function saveClearingState(
  tx: Tx,
  clearing_id: number,
  state: ClearingState,
  dispute: { line_no: number | null; note: string } | null,
): Promise<void> {
  const keeps = dispute === null
  await sql`
    update clearings set state = ${state}, changed_at = clock_timestamp(),
      disputed_line = ${keeps ? sql`disputed_line` : sql`${dispute.line_no}::int`},
      dispute_note = ${keeps ? sql`dispute_note` : sql`${dispute.note}`}
    where clearing_id = ${clearing_id}`.execute(tx)
}
