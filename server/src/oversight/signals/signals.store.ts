// Sources of signals: other modules' tickets, log-ins, wins and audit rows. Nothing is stored here. Every query starts
// with the periods or instants of a few days, and continues by index.

import type { UserLevel } from '@megalot/contract'
import type { BetTypeCode, Bottom3Set, DrawResult } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { aboveLevel, awardEntries, creditLimitChanges, isSeenBy } from '../../changes/audit/index.ts'
import { periodColumns, type PeriodRecord } from '../../markets/index.ts'
import { thresholds } from './thresholds.ts'

/** Days in Bangkok, both included. */
export interface Days {
  date_from: string
  date_to: string
}

/** Rows of one kind, most severe first, with the total number. */
export interface Found<Row> {
  rows: Row[]
  row_count: number
}

/** How many rows of a kind are returned. */
const MAX_ROWS = 200

/** Runs a query whose rows hold the count of all of them. */
async function readCounted<Row>(db: Db, query: RawBuilder<Row & { row_count: number }>): Promise<Found<Row>> {
  const { rows } = await query.execute(db)
  return { rows, row_count: rows[0]?.row_count ?? 0 }
}

const isOfDays = ({ date_from, date_to }: Days) =>
  sql`periods.period_date between ${date_from}::date and ${date_to}::date`

const isAtDays = (column: string, { date_from, date_to }: Days) =>
  sql`${sql.ref(column)} >= ${date_from}::timestamp at time zone 'Asia/Bangkok'
    and ${sql.ref(column)} < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`

/** Users below the caller, all for the office; the table must be named `users`. */
const isBelow = ({ principal_id, is_office }: Scope): RawBuilder<unknown> =>
  is_office ? sql`true` : sql`users.upline_ids @> array[${principal_id}]::bigint[]`

/** The least ticket id of these days' periods, from which partial ticket indexes are read. */
const firstOrderOfDays = (days: Days) => sql`
  (select coalesce(min(first_order_of(period_id)), 0) from periods where ${isOfDays(days)})`

export interface LateStakeRow extends PeriodRecord {
  user_id: number
  ticket_count: number
  late_satang: number
  period_satang: number
  first_at: Date
  last_at: Date
}

/** Members' live stakes in the last minute before each period's close. */
export function listLateStakes(db: Db, scope: Scope, days: Days): Promise<Found<LateStakeRow>> {
  const { seconds, least_satang, least_percent } = thresholds.late_stakes
  const lateSpan = sql`make_interval(secs => ${seconds})`
  // Reads only tickets of the last minutes: ids follow time, with a margin of ten minutes (`id_before`).
  return readCounted(
    db,
    sql`
    with closed as materialized (
      select ${periodColumns}, id_before('orders', 'order_id', 'created_at', close_at - ${lateSpan}) as after_order_id
      from periods where ${isOfDays(days)} and close_at <= clock_timestamp()
        and first_order_of(period_id) is not null
    )
    select closed.*, late.*, kept.received_satang as period_satang, count(*) over ()::int as row_count
    from closed cross join lateral (
        select user_id, count(*)::int as ticket_count, sum(received_satang)::bigint as late_satang,
          min(placed_at) as first_at, max(placed_at) as last_at
        from orders
        where orders.period_id = closed.period_id and orders.order_id > closed.after_order_id
          and orders.placed_at >= closed.close_at - ${lateSpan} and orders.status in ('CONFIRMED', 'WAIT_CONFIRM')
        group by user_id having sum(received_satang) >= ${least_satang}) late
      join users on users.user_id = late.user_id
      join member_periods kept on kept.user_id = late.user_id and kept.period_id = closed.period_id
    where late.late_satang * 100 >= kept.received_satang * ${least_percent} and ${isBelow(scope)}
    order by late_satang desc, period_code, late.user_id limit ${MAX_ROWS}`,
  )
}

export interface LateDeleteRow extends PeriodRecord {
  /** The user who deleted. */
  user_id: number
  ticket_count: number
  member_count: number
  bet_satang: number
  first_at: Date
  last_at: Date
}

/** What each upline or office user deleted in the last minutes before a period's close. */
export function listLateDeletes(db: Db, scope: Scope, days: Days): Promise<Found<LateDeleteRow>> {
  const { minutes, least_satang } = thresholds.late_deletes
  return readCounted(
    db,
    sql`
    with removed as (
      select removal.actor_id as user_id, orders.period_id, count(*)::int as ticket_count,
        count(distinct orders.user_id)::int as member_count, sum(orders.bet_satang)::bigint as bet_satang,
        min(removal.at) as first_at, max(removal.at) as last_at
      from orders join periods using (period_id) join users on users.user_id = orders.user_id
        cross join lateral (select at, actor_id from order_events
          where order_events.order_id = orders.order_id and event = 'delete') removal
      where orders.status = 'DELETED' and orders.order_id >= ${firstOrderOfDays(days)} and ${isOfDays(days)}
        and removal.at >= periods.close_at - make_interval(mins => ${minutes}) and removal.actor_id is not null
        and ${isBelow(scope)}
      group by removal.actor_id, orders.period_id having sum(orders.bet_satang) >= ${least_satang}
    )
    select removed.*, ${periodColumns}, count(*) over ()::int as row_count
    from removed join periods using (period_id)
    order by bet_satang desc, period_code, user_id limit ${MAX_ROWS}`,
  )
}

export interface SharedAccessRow {
  by: 'device' | 'address'
  key: string
  address: string | null
  user_ids: number[]
  user_count: number
  log_in_count: number | null
  first_at: Date
  last_at: Date
}

/** How many users a signal names. */
const MAX_NAMED = 20

/**
 * Devices and addresses from which several members logged in. Keys are digests, because they appear in the console's
 * URLs.
 */
export function listSharedAccess(db: Db, scope: Scope, days: Days): Promise<Found<SharedAccessRow>> {
  const { least_device_members, least_address_members } = thresholds.shared_access
  const isMember = sql`users.level = 'member' and ${isBelow(scope)}`
  return readCounted(
    db,
    sql`
    with shared as (
      select 'address' as by, md5(address) as key, address, array_agg(distinct users.user_id) as ids,
        count(*)::int as log_in_count, min(sessions.created_at) as first_at, max(sessions.created_at) as last_at
      from sessions join users using (user_id)
      where address is not null and ${isAtDays('sessions.created_at', days)} and ${isMember}
      group by address having count(distinct users.user_id) >= ${least_address_members}
      union all
      select 'device', md5(token_hash), null, array_agg(users.user_id order by users.user_id), null,
        min(last_used_at), max(last_used_at)
      from known_devices join users using (user_id)
      where ${isAtDays('last_used_at', days)} and ${isMember}
      group by token_hash having count(*) >= ${least_device_members}
    )
    select by, key, address, ids[:${sql.lit(MAX_NAMED)}] as user_ids, cardinality(ids) as user_count, log_in_count,
      first_at, last_at, count(*) over ()::int as row_count
    from shared order by by desc, cardinality(ids) desc, key limit ${MAX_ROWS}`,
  )
}

export interface HitRow {
  user_id: number
  bet_type: BetTypeCode
  hit_count: number
  win_satang: number
  /** Of the draws. */
  first_at: Date
  last_at: Date
}

const settledOf = (days: Days) => sql`
  select period_id, draw_at, bottom3_set from periods
  where outcome = 'settled' and ${isOfDays(days)}`

/** In how many settled periods each member won with each bet type, including corrections. */
export async function listHits(db: Db, scope: Scope, days: Days): Promise<HitRow[]> {
  const { rows } = await sql<HitRow>`
    with settled as materialized (${settledOf(days)}),
    won as (
      select wins.user_id, settled.draw_at, bet_type_of(wins.slot) as bet_type, sum(wins.win_satang) as win_satang
      from settled join order_wins wins using (period_id) join users on users.user_id = wins.user_id
      where ${isBelow(scope)}
      group by wins.user_id, settled.period_id, settled.draw_at, bet_type having sum(wins.sign) > 0
    )
    select user_id, bet_type, count(*)::int as hit_count, sum(win_satang)::bigint as win_satang, min(draw_at) as first_at,
      max(draw_at) as last_at
    from won group by user_id, bet_type having count(*) >= ${thresholds.improbable_wins.least_hits}`.execute(db)
  return rows
}

export interface BetRow {
  user_id: number
  bet_type: BetTypeCode
  bottom3_set: Bottom3Set
  /** The member's bets of the bet type in one settled period, each once (`rules/src/bet-slot.ts`). */
  slots: number[]
  received_satang: number
}

/** Some members' bets in each settled period, of these bet types, with items that could win. */
export async function listBets(
  db: Db,
  days: Days,
  requested: readonly Pick<HitRow, 'user_id' | 'bet_type'>[],
): Promise<BetRow[]> {
  const user_ids = requested.map(({ user_id }) => user_id)
  const bet_types = requested.map(({ bet_type }) => bet_type)
  const { rows } = await sql<BetRow>`
    with settled as materialized (${settledOf(days)}),
    requested as (select * from unnest(${user_ids}::bigint[], ${bet_types}::text[]) as each (user_id, bet_type)),
    range as materialized (
      select coalesce(min(first_order_of(period_id)), 0) as first_id, coalesce(max(last_order_of(period_id)), 0) as last_id
      from settled
    ), lines as (
      select orders.user_id, orders.period_id, settled.bottom3_set, bet_type_of(line.slot) as bet_type, line.slot,
        line.received_satang
      from range cross join (select distinct user_id from requested) member
        cross join lateral (select * from orders where orders.user_id = member.user_id
          and orders.order_id between range.first_id and range.last_id and orders.status = 'CONFIRMED') orders
        join settled using (period_id)
        cross join lateral unpack_lines(orders.slots, orders.lines, orders.differences) line
      where line.received_satang > 0 and line.line_no <> all (coalesce(orders.returned_lines, '{}'))
    )
    select user_id, bet_type, bottom3_set, array_agg(distinct slot) as slots,
      sum(received_satang)::bigint as received_satang
    from lines join requested using (user_id, bet_type)
    group by user_id, bet_type, period_id, bottom3_set`.execute(db)
  return rows
}

export interface CancelledRow {
  user_id: number
  ticket_count: number
  cancelled_count: number
  waiting_count: number
  marked_count: number
  /** The period of all cancelled or waiting tickets; null if there are several. */
  period_code: string | null
  first_at: Date
  last_at: Date
}

/**
 * Members with many cancelled or waiting tickets. Live tickets are counted by their sums per period; the others, and
 * those that waited, are few.
 */
export function listCancelled(db: Db, scope: Scope, days: Days): Promise<Found<CancelledRow>> {
  const { least_tickets, least_percent } = thresholds.cancelled_tickets
  const columns = sql`order_id, user_id, period_id, status, confirm_deadline_at, created_at`
  return readCounted(
    db,
    sql`
    with span as materialized (select period_id from periods where ${isOfDays(days)}),
    first as materialized (select ${firstOrderOfDays(days)} as order_id),
    unusual as (
      select ${columns} from orders where status = 'CANCELLED' and order_id >= (select order_id from first)
      union all
      select ${columns} from orders where status = 'DELETED' and order_id >= (select order_id from first)
      union all
      select ${columns} from orders where confirm_deadline_at is not null and status not in ('CANCELLED', 'DELETED')
        and order_id >= (select order_id from first)
    ), marked as (
      select user_id, count(*) filter (where status in ('CANCELLED', 'DELETED')) as ended_count,
        count(*) filter (where status = 'CANCELLED') as cancelled_count,
        count(*) filter (where confirm_deadline_at is not null) as waiting_count,
        count(*) filter (where status = 'CANCELLED' or confirm_deadline_at is not null) as marked_count,
        min(period_id) filter (where status = 'CANCELLED' or confirm_deadline_at is not null) as first_period_id,
        max(period_id) filter (where status = 'CANCELLED' or confirm_deadline_at is not null) as last_period_id,
        min(created_at) filter (where status = 'CANCELLED' or confirm_deadline_at is not null) as first_at,
        max(created_at) filter (where status = 'CANCELLED' or confirm_deadline_at is not null) as last_at
      from unusual join span using (period_id) group by user_id
    ), counted as (
      select marked.*, ended_count + live.live_count as ticket_count
      from marked join users using (user_id) cross join lateral (
        select coalesce(sum(ticket_count), 0) as live_count from member_periods
        where member_periods.user_id = marked.user_id and period_id in (select period_id from span)) live
      where marked_count >= ${least_tickets} and ${isBelow(scope)}
    )
    select user_id, ticket_count::int as ticket_count, cancelled_count::int as cancelled_count,
      waiting_count::int as waiting_count, marked_count::int as marked_count, first_at, last_at,
      (select period_code from periods where period_id = first_period_id and period_id = last_period_id) as period_code,
      count(*) over ()::int as row_count
    from counted where marked_count * 100 >= ticket_count * ${least_percent}
    order by marked_count desc, user_id limit ${MAX_ROWS}`,
  )
}

export interface ChurnRow {
  user_id: number
  raise_count: number
  cut_count: number
  raised_satang: number
  cut_satang: number
  least_limit_satang: number
  highest_limit_satang: number
  first_at: Date
  last_at: Date
}

/** Users whose credit limit repeatedly went up and down. */
export function listChurn(db: Db, scope: Scope, days: Days): Promise<Found<ChurnRow>> {
  const { least_raises, least_cuts } = thresholds.credit_churn
  return readCounted(
    db,
    sql`
    with counted as (
      select user_id, count(*) filter (where new_satang > old_satang)::int as raise_count,
        count(*) filter (where new_satang < old_satang)::int as cut_count,
        coalesce(sum(new_satang - old_satang) filter (where new_satang > old_satang), 0)::bigint as raised_satang,
        coalesce(sum(old_satang - new_satang) filter (where new_satang < old_satang), 0)::bigint as cut_satang,
        min(least(old_satang, new_satang))::bigint as least_limit_satang,
        max(greatest(old_satang, new_satang))::bigint as highest_limit_satang, min(at) as first_at, max(at) as last_at
      from ${creditLimitChanges(days)} changes group by user_id
    )
    select counted.*, count(*) over ()::int as row_count
    from counted join users using (user_id)
    where raise_count >= ${least_raises} and cut_count >= ${least_cuts} and ${isBelow(scope)}
    order by raise_count + cut_count desc, user_id limit ${MAX_ROWS}`,
  )
}

/** An entered or repeated result. */
export interface AwardEntryRow {
  at: Date
  actor_id: number
  /** The entries' state afterwards: one of two, both agree, both differ. */
  state: 'entered' | 'agreed' | 'locked'
  period_code: string
  result: DrawResult
  /** For a differing entry: the first one of the pair; null if the log does not have it. */
  first: { actor_id: number; result: DrawResult } | null
  /** The agreed result; null if none yet, and for abandoned corrections. */
  agreed: DrawResult | null
}

/** Entries of results and of corrections, by time. */
export async function listAwardEntries(db: Db, days: Days): Promise<AwardEntryRow[]> {
  const { rows } = await sql<AwardEntryRow>`
    select made.at, made.actor_id, made.state, made.period_code, made.result, made.first,
      case when awards.state = 'agreed' and (not is_correction or exists (select 1 from award_corrections corrections
        where corrections.period_id = periods.period_id and corrections.state in ('agreed', 'settled')
          and corrections.repeated_at >= made.at)) then awards.result end as agreed
    from ${awardEntries(days)} made join periods using (period_code) left join awards using (period_id)
    order by made.at, made.audit_id`.execute(db)
  return rows
}

export interface NamedUser {
  user_id: number
  username: string | null
  display_name: string | null
  level: UserLevel
  above_level: UserLevel | null
  has_profile: boolean
}

/**
 * Users by id; those of the office and those above have no name (`isSeenBy`). Staff have no profile, and profiles
 * outside the own downline cannot be opened.
 */
export async function listNamedUsers(db: Db, scope: Scope, user_ids: readonly number[]): Promise<NamedUser[]> {
  const { rows } = await sql<NamedUser>`
    select users.user_id, case when ${isSeenBy(scope)} then users.username end as username,
      case when not ${isSeenBy(scope)} then null when ${isBelow(scope)} then users.display_name else users.username end
        as display_name,
      users.level, ${aboveLevel(scope)} as above_level,
      not users.is_office and users.principal_id is null and (${isBelow(scope)}) as has_profile
    from users join users principal on principal.user_id = coalesce(users.principal_id, users.user_id)
    where users.user_id = any(${user_ids}::bigint[])`.execute(db)
  return rows
}
