import type { OrderEventRow, OrderStatus, UserLevel } from '@megalot/contract'
import { type BetTypeCode, betTypes } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot } from '../postgres/db.ts'
import { readPieces } from '../postgres/read-pieces.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import type { Span } from './span.ts'
import type { Subject } from './subject.ts'
import { isInSpan, isUnsettled } from './win-loss.store.ts'

/**
 * Whether a user belongs to a subject's downline; the table must be named `users`. All users belong to the company's.
 */
function isInDownline({ user_id, level }: Subject): RawBuilder<unknown> {
  if (level === 'company') return sql`true`
  if (level === 'member') return sql`users.user_id = ${user_id}`
  return sql`users.upline_ids @> array[${user_id}]::bigint[]`
}

export interface OutstandingRow {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  ticket_count: number
  bet_satang: number
  received_satang: number
  discount_satang: number
}

/**
 * Undecided bets by a subject's direct downlines, by name; for a member, its own. Reads only rollups of periods without
 * a result, which are few at any time.
 */
export async function listOutstandingRows(db: Db, subject: Subject, span: Span): Promise<OutstandingRow[]> {
  const child =
    subject.level === 'member'
      ? sql`users.user_id`
      : sql`(users.upline_ids || users.user_id)[array_position(users.upline_ids, ${subject.user_id}::bigint) + 1]`
  // The look-up by period is a subquery, so that it uses the index, period by period.
  const { rows } = await sql<OutstandingRow>`
    with open as materialized (
      select period_id from periods
      where ${isUnsettled} and ${isInSpan(span)}
    ), taken as (
      select ${child} as child_id, m.ticket_count, m.bet_satang, m.received_satang, m.discount_satang
      from open cross join lateral (
          select * from member_periods where member_periods.period_id + 0 = open.period_id offset 0) m
        join users on users.user_id = m.user_id
      where m.ticket_count > 0 and ${isInDownline(subject)}
    ), summed as (
      select child_id, sum(ticket_count)::int as ticket_count, sum(bet_satang)::bigint as bet_satang,
        sum(received_satang)::bigint as received_satang, sum(discount_satang)::bigint as discount_satang
      from taken group by child_id
    )
    select child.user_id, child.username, child.display_name, child.level, ticket_count, bet_satang, received_satang,
      discount_satang
    from summed join users child on child.user_id = child_id order by child.username`.execute(db)
  return rows
}

export interface TypeRow {
  bet_type: BetTypeCode
  package_code: string
  received_satang: number
  discount_satang: number
  winning_items: number
  win_satang: number
}

const settledIn = (span: Span) => sql`select period_id from periods where outcome = 'settled' and ${isInSpan(span)}`

/** Sums per bet type, of columns with one sum per type in the order of `betTypes`. */
const sumEach = (column: 'received_satang' | 'discount_satang') =>
  sql`array[${sql.join(betTypes.map((_, index) => sql`sum(${sql.ref(column)}[${sql.lit(index + 1)}])::bigint`))}]`

/**
 * Accepted bets and wins in settled periods, by bet type and package. Reads the periods' exposure, which was reconciled
 * before the payout, and the wins, but no tickets.
 */
export async function listTypeRows(db: Db, subject: Subject, span: Span): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`
    with settled as materialized (${settledIn(span)}),
    accepted as (
      select package_id, ${sumEach('received_satang')} as received, ${sumEach('discount_satang')} as discount
      from settled cross join lateral (
          select * from book_members where book_members.period_id = settled.period_id offset 0) book
        join users using (user_id)
      where ${isInDownline(subject)} group by package_id
    ), by_type as (
      select package_id, place, (${betTypes.map(({ code }) => code)}::text[])[place] as bet_type, received_satang, discount_satang
      from accepted cross join lateral
        unnest(received, discount) with ordinality as each (received_satang, discount_satang, place)
    ), won as (
      select orders.package_id, bet_type_of(wins.slot) as bet_type, sum(wins.sign)::int as items,
        sum(wins.win_satang)::bigint as win_satang
      from settled join order_wins wins using (period_id) join orders using (order_id) join users on users.user_id = wins.user_id
      where ${isInDownline(subject)} group by orders.package_id, bet_type
    )
    select bet_type, package_code, sum(received_satang)::bigint as received_satang,
      sum(discount_satang)::bigint as discount_satang, coalesce(sum(items), 0)::int as winning_items,
      coalesce(sum(win_satang), 0)::bigint as win_satang
    from by_type left join won using (package_id, bet_type) join packages using (package_id)
    where received_satang > 0
    group by place, bet_type, package_code order by place, package_code`.execute(db)
  return rows
}

/** Number of settled periods with tickets but without exposure. */
export async function countWithoutBook(db: Db, span: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${settledIn(span)}) settled
    where exists (select 1 from level_periods where level_periods.period_id = settled.period_id and received_satang > 0)
      and not exists (select 1 from book_members where book_members.period_id = settled.period_id)`.execute(db)
  return rows[0]!.count
}

export interface WinnerRow extends PeriodRecord {
  order_id: number
  username: string
  package_code: string
  created_at: Date
  winning_items: number
  received_satang: number
  discount_satang: number
  won_satang: number
}

export interface WinnerPage {
  rows: WinnerRow[]
  row_count: number
  win_satang: number
}

/** Winning tickets of settled periods with their wins, including corrections. */
function wonTickets(subject: Subject, span: Span): RawBuilder<unknown> {
  return sql`
    select wins.order_id, wins.period_id, users.username, sum(wins.sign)::int as winning_items,
      sum(wins.win_satang)::bigint as won_satang
    from periods join order_wins wins using (period_id) join users on users.user_id = wins.user_id
    where outcome = 'settled' and ${isInSpan(span)} and ${isInDownline(subject)}
    group by wins.order_id, wins.period_id, users.username having sum(wins.sign) > 0`
}

/** Rows of `wonTickets`, the largest win first. */
function selectWinners(won: RawBuilder<unknown>): RawBuilder<WinnerRow> {
  return sql<WinnerRow>`
    select won.order_id, won.username, package_code, orders.created_at, winning_items, orders.received_satang,
      orders.discount_satang, won_satang, ${periodColumns}
    from (${won}) won join orders using (order_id) join packages using (package_id)
      join periods on periods.period_id = won.period_id
    order by won_satang desc, won.order_id desc`
}

/** Winning tickets, the largest win first, with count and sum of all of them. */
export async function listWinnerRows(
  db: Db,
  subject: Subject,
  span: Span,
  limit: number,
  offset: number,
): Promise<WinnerPage> {
  const won = wonTickets(subject, span)
  const page = selectWinners(sql`${won} order by won_satang desc, order_id desc limit ${limit} offset ${offset}`)
  const totals = sql<{ row_count: number; win_satang: number }>`
    select count(*)::int as row_count, coalesce(sum(won_satang), 0)::bigint as win_satang from (${won}) won`
  return inSnapshot(db, async (tx) => ({
    ...(await totals.execute(tx)).rows[0]!,
    rows: (await page.execute(tx)).rows,
  }))
}

/** All winning tickets, in the same order. */
export function readWinners(db: Db, subject: Subject, span: Span, size: number): AsyncGenerator<WinnerRow[]> {
  return readPieces(db, selectWinners(wonTickets(subject, span)), size)
}

export interface ChangeRow extends PeriodRecord {
  event_id: number
  at: Date
  event: OrderEventRow['event']
  actor: string | null
  is_by_office: boolean
  reason: string | null
  order_id: number
  username: string
  order_status: OrderStatus
  /** The ticket's current amount. */
  received_satang: number
  discount_satang: number
  /** Refund by this change, net of the discount. */
  given_back_satang: number
  placed_at: Date
}

/** Returned items of which something was accepted, as `count_returned_as_taken_back` counts them. */
const isReturnInPart = sql`event = 'confirm' and order_events.details @? '$.released[*] ? (@.received_satang > 0)'`

/**
 * Tickets that were cancelled, deleted, voided or returned, in full or in part, the latest change first; without voids
 * of whole periods. A ticket refunds at most once while waiting and once when confirmed. The entry's key names the
 * ticket and which of both, and is looked up only for the page's rows.
 */
export async function listChangeRows(
  db: Db,
  subject: Subject,
  span: Span,
  limit: number,
  before: number | undefined,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select changes.*, coalesce((select amount_satang from entries where idempotency_key =
      case changes.from_status when 'WAIT_CONFIRM' then 'bet_release:' else 'refund:' end || changes.order_id), 0) as given_back_satang
    from (
      select event_id, at, event, from_status, actors.username as actor, coalesce(actors.is_office, false) as is_by_office,
        order_events.reason, orders.order_id, users.username,
        orders.status as order_status, orders.received_satang, orders.discount_satang, orders.placed_at, ${periodColumns}
      from order_events join orders using (order_id) join periods using (period_id)
        join users on users.user_id = orders.user_id left join users actors on actors.user_id = actor_id
      where (event in ('cancel', 'delete', 'void', 'return_all') or ${isReturnInPart})
        and (${before ?? null}::bigint is null or event_id < ${before ?? null}::bigint)
        and ${isInSpan(span)} and ${isInDownline(subject)}
      order by event_id desc limit ${limit}
    ) changes order by event_id desc`.execute(db)
  return rows
}
