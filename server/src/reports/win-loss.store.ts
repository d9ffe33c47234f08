import type { RefundedSums, WinLoss, WinLossFilter } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, plainArray } from '../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import { isInPeriod } from '../betting/index.ts'
import type { Span } from './span.ts'
import type { Subject } from './subject.ts'

/** Sums as stored in the rollups; the total is computed from them. */
export type Sums = Omit<WinLoss, 'total_satang'>

/** Periods of a span; the table must be named `periods`. */
export function isInSpan({ date_from, date_to, product_codes }: Span): RawBuilder<unknown> {
  return sql`periods.period_date between ${date_from}::date and ${date_to}::date
    and (${product_codes}::text[] is null or periods.product_code = any(${product_codes}))`
}

/** The sums that match a filter, of rows with a period's sums and those of its winning tickets. */
function sumsOf(filter: WinLossFilter): RawBuilder<unknown> {
  const column = (all: string, item: string, ticket: string) => {
    if (filter === 'all') return sql`all_sums.${sql.ref(all)}`
    if (filter === 'win_tickets') return sql`coalesce(won.${sql.ref(ticket)}, 0)`
    if (filter === 'win_only') return sql`coalesce(won.${sql.ref(item)}, 0)`
    return sql`all_sums.${sql.ref(all)} - coalesce(won.${sql.ref(item)}, 0)`
  }
  const tickets =
    filter === 'loss_only'
      ? sql`all_sums.ticket_count - coalesce(won.whole_ticket_count, 0)`
      : column('ticket_count', 'item_ticket_count', 'item_ticket_count')
  const win = filter === 'loss_only' ? sql`0` : sql`all_sums.win_satang`
  return sql`
    ${tickets} as ticket_count,
    ${column('bet_satang', 'item_bet_satang', 'ticket_bet_satang')} as bet_satang,
    ${column('received_satang', 'item_received_satang', 'ticket_received_satang')} as received_satang,
    ${column('discount_satang', 'item_discount_satang', 'ticket_discount_satang')} as discount_satang,
    ${win} as win_satang`
}

/** Sums by settled period: a member's own, or those of all members below a level. */
function settledSums(subject: Subject, span: Span, filter: WinLossFilter): RawBuilder<unknown> {
  if (subject.level === 'member')
    return sql`
      select periods.period_id, ${sumsOf(filter)}
      from periods join member_periods all_sums on all_sums.period_id = periods.period_id
          and all_sums.user_id = ${subject.user_id}
        left join member_wins won on won.period_id = periods.period_id and won.user_id = ${subject.user_id}
      where ${isInSpan(span)} and all_sums.ticket_count > 0 and outcome = 'settled'`
  return sql`
    select periods.period_id, ${sumsOf(filter)}
    from periods join level_periods all_sums on all_sums.period_id = periods.period_id
        and all_sums.user_id = ${subject.user_id}
      cross join lateral (select all_sums.*) won
    where ${isInSpan(span)} and outcome = 'settled'`
}

/** Unsettled periods that accept or have accepted bets; nothing is won in them yet. */
export const isUnsettled = sql`outcome in ('pending', 'settling', 'voiding') and open_at <= clock_timestamp()`
const isVoid = sql`outcome = 'void'`

/** Sums by period, without wins. */
function sumsWithoutWins({ user_id, level }: Subject, span: Span, open: RawBuilder<unknown>): RawBuilder<unknown> {
  if (level === 'member')
    return sql`
      select periods.period_id, ticket_count, bet_satang, received_satang, discount_satang, 0 as win_satang
      from periods join member_periods stored on stored.period_id = periods.period_id and stored.user_id = ${user_id}
      where ${isInSpan(span)} and ticket_count > 0 and ${open}`
  return sql`
    select open.period_id, ticket_count, bet_satang, received_satang, discount_satang, 0 as win_satang
    from sum_open_periods(array(select period_id from periods where ${isInSpan(span)} and ${open}),
      ${level === 'company' ? null : user_id}::bigint) open`
}

export interface PeriodSums extends PeriodRecord, Sums {}

/** The sums of unsettled periods, by period. */
export interface UnsettledSums extends Sums {
  period_id: number
}

/** Unsettled periods of the span with bets. */
export async function listUnsettledSums(db: Db, subject: Subject, span: Span): Promise<UnsettledSums[]> {
  const { rows } = await sql<UnsettledSums>`${sumsWithoutWins(subject, span, isUnsettled)}`.execute(db)
  return rows
}

/**
 * A page of periods with their sums, newest first.
 * @param open from `listUnsettledSums`, listed among the settled ones; empty if a filter excludes them
 */
export async function listPeriodSums(
  db: Db,
  subject: Subject,
  span: Span,
  filter: WinLossFilter,
  open: readonly UnsettledSums[],
  limit: number,
  offset: number,
): Promise<PeriodSums[]> {
  const column = (pick: (one: UnsettledSums) => number) => plainArray(open.map(pick))
  const { rows } = await sql<PeriodSums>`
    select ${periodColumns}, sums.ticket_count, sums.bet_satang, sums.received_satang, sums.discount_satang, sums.win_satang
    from (
      ${settledSums(subject, span, filter)}
      union all
      select *, 0 as win_satang from unnest(${column((one) => one.period_id)}::int[],
        ${column((one) => one.ticket_count)}::int[], ${column((one) => one.bet_satang)}::bigint[],
        ${column((one) => one.received_satang)}::bigint[], ${column((one) => one.discount_satang)}::bigint[])
    ) sums join periods using (period_id)
    where sums.ticket_count > 0
    order by periods.close_at desc, periods.period_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Sums over the settled periods of the whole span. */
export async function sumSettled(db: Db, subject: Subject, span: Span, filter: WinLossFilter): Promise<Sums> {
  return addUp(db, settledSums(subject, span, filter))
}

/** Sums over the unsettled periods of the span. */
export async function sumPending(db: Db, subject: Subject, span: Span): Promise<Sums> {
  return addUp(db, sumsWithoutWins(subject, span, isUnsettled))
}

/** Refunds of void periods in the span. */
export async function sumRefunded(db: Db, subject: Subject, span: Span): Promise<RefundedSums> {
  const sums = await addUp(db, sumsWithoutWins(subject, span, isVoid))
  const { ticket_count, bet_satang, received_satang, discount_satang } = sums
  return { ticket_count, bet_satang, refund_satang: received_satang - discount_satang }
}

async function addUp(db: Db, sums: RawBuilder<unknown>): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select coalesce(sum(ticket_count), 0)::int as ticket_count, coalesce(sum(bet_satang), 0)::bigint as bet_satang,
      coalesce(sum(received_satang), 0)::bigint as received_satang,
      coalesce(sum(discount_satang), 0)::bigint as discount_satang, coalesce(sum(win_satang), 0)::bigint as win_satang
    from (${sums}) sums`.execute(db)
  return rows[0]!
}

/** A member's live tickets of one period with at least one matching item, newest first. */
export async function listTicketIds(
  db: Db,
  user_id: number,
  period_id: number,
  filter: WinLossFilter,
  before: number | undefined,
  limit: number,
): Promise<number[]> {
  const behind = before ?? Number.MAX_SAFE_INTEGER
  const winners = sql`
    select order_id, sum(sign) as items from order_wins
    where period_id = ${period_id} and user_id = ${user_id} and order_id < ${behind}
    group by order_id having sum(sign) > 0`
  const live = sql`user_id = ${user_id} and ${isInPeriod(period_id)} and order_id < ${behind}
    and status in ('CONFIRMED', 'WAIT_CONFIRM')`
  const query =
    filter === 'all'
      ? sql<{ order_id: number }>`select order_id from orders where ${live} order by order_id desc limit ${limit}`
      : filter === 'loss_only'
        ? sql<{ order_id: number }>`
            select order_id from orders left join (${winners}) won using (order_id)
            where ${live} and coalesce(won.items, 0) < item_count - coalesce(cardinality(returned_lines), 0)
            order by order_id desc limit ${limit}`
        : sql<{ order_id: number }>`select order_id from (${winners}) won order by order_id desc limit ${limit}`
  const { rows } = await query.execute(db)
  return rows.map((row) => row.order_id)
}

/** A member's sums in one period that match a filter. */
export async function sumPeriod(db: Db, user_id: number, period_id: number, filter: WinLossFilter): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select ${sumsOf(filter)}
    from periods join member_periods stored on stored.period_id = periods.period_id and stored.user_id = ${user_id}
      cross join lateral (select stored.ticket_count, stored.bet_satang, stored.received_satang, stored.discount_satang,
        case outcome when 'settled' then stored.win_satang else 0 end as win_satang) all_sums
      left join member_wins won on won.period_id = periods.period_id and won.user_id = ${user_id} and outcome = 'settled'
    where periods.period_id = ${period_id} and outcome <> 'void'`.execute(db)
  return rows[0] ?? { ticket_count: 0, bet_satang: 0, received_satang: 0, discount_satang: 0, win_satang: 0 }
}

export interface LuckyNumberRecord {
  slot: number
  win_count: number
  win_satang: number
}

/** What has won most for a member. */
export async function listMemberNumbers(
  db: Db,
  user_id: number,
  product_codes: readonly string[] | null,
  limit: number,
): Promise<LuckyNumberRecord[]> {
  const { rows } = await sql<LuckyNumberRecord>`
    select slot, sum(win_count)::int as win_count, sum(win_satang)::bigint as win_satang
    from member_numbers
    where user_id = ${user_id} and win_count > 0
      and (${product_codes}::text[] is null or product_code = any(${product_codes}))
    group by slot order by win_count desc, win_satang desc, slot limit ${limit}`.execute(db)
  return rows
}
