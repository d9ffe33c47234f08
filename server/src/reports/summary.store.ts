import type { SummaryGroup, UserLevel } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'
import type { Span } from './span.ts'
import type { Subject } from './subject.ts'
import { isInSpan } from './win-loss.store.ts'

/**
 * The members' sums, and how they moved up: `came` to the reported level, and `passed` on by it. Stakes, wins, and what
 * is given back of stakes as discount and commission.
 */
export interface SummarySums {
  ticket_count: number
  bet_satang: number
  received_satang: number
  discount_satang: number
  win_satang: number
  came_received_satang: number
  came_discount_satang: number
  came_win_satang: number
  passed_received_satang: number
  passed_discount_satang: number
  passed_win_satang: number
}

const flows = [
  'came_received',
  'came_discount',
  'came_win',
  'passed_received',
  'passed_discount',
  'passed_win',
] as const
const columns = ['bet', 'received', 'discount', 'win', ...flows].map((name) => `${name}_satang`)

/** The sums of the rows of a group, or of no rows. */
const summed = sql`coalesce(sum(stored.ticket_count), 0)::int as ticket_count, ${sql.join(
  columns.map((name) => sql`coalesce(sum(stored.${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`),
)}`

/** A subject's own rows, one per settled period of the span. */
function ownRows({ user_id, level }: Subject, span: Span): RawBuilder<unknown> {
  // For a member everything moves up.
  if (level === 'member')
    return sql`
      select m.period_id, m.ticket_count, m.bet_satang, m.received_satang, m.discount_satang, m.win_satang,
        m.received_satang as came_received_satang, m.discount_satang as came_discount_satang,
        m.win_satang as came_win_satang, m.received_satang as passed_received_satang,
        m.discount_satang as passed_discount_satang, m.win_satang as passed_win_satang
      from periods join member_periods m using (period_id)
      where m.user_id = ${user_id} and m.ticket_count > 0 and outcome = 'settled' and ${isInSpan(span)}`
  return sql`
    select l.* from periods join level_periods l using (period_id)
    where l.user_id = ${user_id} and outcome = 'settled' and ${isInSpan(span)}`
}

/** Over the whole span. */
export async function sumSummary(db: Db, subject: Subject, span: Span): Promise<SummarySums> {
  const { rows } = await sql<SummarySums>`select ${summed} from (${ownRows(subject, span)}) stored`.execute(db)
  return rows[0]!
}

export interface GroupedRow extends SummarySums {
  /** The grouping key, as text. */
  group_key: string
}

/** A page of the sums by market, day, month or period, and the count of rows. */
export async function listGrouped(
  db: Db,
  subject: Subject,
  span: Span,
  group_by: Exclude<SummaryGroup, 'user'>,
  limit: number,
  offset: number,
): Promise<{ rows: GroupedRow[]; row_count: number }> {
  const { key, place, direction } = groupings[group_by]
  const { rows } = await sql<GroupedRow & { row_count: number }>`
    select ${key} as group_key, count(*) over ()::int as row_count, ${summed}
    from (${ownRows(subject, span)}) stored join periods using (period_id) join products using (product_code)
    group by ${key}, ${place} order by ${place} ${direction}, ${key} ${direction} limit ${limit} offset ${offset}`.execute(
    db,
  )
  const row_count = rows[0]?.row_count ?? (offset === 0 ? 0 : await countGroups(db, subject, span, key))
  return { rows, row_count }
}

/** The key breaks ties, for example of periods that close together, because pages need a stable order. */
const [up, down] = [sql`asc`, sql`desc`]
const month = sql`to_char(periods.period_date, 'YYYY-MM')`
const groupings = {
  product: { key: sql`periods.product_code`, place: sql`products.position`, direction: up },
  day: { key: sql`periods.period_date::text`, place: sql`periods.period_date`, direction: down },
  month: { key: month, place: month, direction: down },
  period: { key: sql`periods.period_code`, place: sql`periods.close_at`, direction: down },
} as const

/** A page beyond the last has no row with the count. */
async function countGroups(db: Db, subject: Subject, span: Span, key: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct ${key})::int as count
    from (${ownRows(subject, span)}) stored join periods using (period_id)`.execute(db)
  return rows[0]!.count
}

export async function listPeriodsByCode(db: Db, period_codes: readonly string[]): Promise<Map<string, PeriodRecord>> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_code = any(${period_codes}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.period_code, row]))
}

export interface ChildRow extends SummarySums {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
}

/**
 * A page of a level's direct downlines, by name, with their sums; for a member, itself. The sums that came from a child
 * that is a level are stored with the child. A member's come in full, and the level passes them on by its own terms of
 * each period.
 */
export async function listChildren(
  db: Db,
  subject: Subject,
  span: Span,
  limit: number,
  offset: number,
): Promise<{ rows: ChildRow[]; row_count: number }> {
  const isChild =
    subject.level === 'member'
      ? sql`user_id = ${subject.user_id}`
      : sql`parent_id = ${subject.user_id} and not is_office`
  const children = sql`
    select user_id, username, display_name, level from users where ${isChild}
    order by username limit ${limit} offset ${offset}`
  // The company passes nothing on, and a member takes no share, so only levels in between have terms.
  const isBetween = subject.level !== 'company' && subject.level !== 'member'
  const terms = isBetween
    ? sql`left join lateral (
        select position_rate, commission_rate from share_terms
        where user_id = ${subject.user_id} and since_at <= shares_at order by since_at desc, share_id desc limit 1
      ) terms on true`
    : sql``
  const left = isBetween ? sql`10000 - coalesce(position_rate, 0)` : subject.level === 'company' ? sql`0` : sql`10000`
  const commission = isBetween ? sql`coalesce(commission_rate, 0)` : sql`0`
  const { rows } = await sql<ChildRow>`
    with children as materialized (${children}),
    span as materialized (
      select period_id, ${left} as left_rate, ${commission} as commission_rate
      from periods ${terms}
      where outcome = 'settled' and ${isInSpan(span)}
    ),
    stored as (
      select m.user_id, m.ticket_count, m.bet_satang, m.received_satang, m.discount_satang, m.win_satang,
        m.received_satang as came_received_satang, m.discount_satang as came_discount_satang,
        m.win_satang as came_win_satang, part_of(m.received_satang, left_rate) as passed_received_satang,
        part_of(m.discount_satang + part_of(m.received_satang, commission_rate), left_rate) as passed_discount_satang,
        part_of(m.win_satang, left_rate) as passed_win_satang
      from children join member_periods m using (user_id) join span using (period_id)
      where level = 'member'
      union all
      select l.user_id, ticket_count, bet_satang, received_satang, discount_satang, win_satang,
        l.passed_received_satang, l.passed_discount_satang, l.passed_win_satang,
        l.above_received_satang, l.above_discount_satang, l.above_win_satang
      from children join level_periods l using (user_id) join span using (period_id)
      where level <> 'member'
    )
    select children.*, ${summed} from children left join stored using (user_id)
    group by children.user_id, username, display_name, level order by username`.execute(db)
  const counted = await sql<{ count: number }>`select count(*)::int as count from users where ${isChild}`.execute(db)
  return { rows, row_count: counted.rows[0]!.count }
}
