import { type BetTypeCode, CONFIRM_WAIT_MS } from '@megalot/rules'
import type { Maintenance, OrderStatus, UserLevel, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, plainArray, type Tx } from '../../platform/db.ts'
import { maintenanceOfProduct } from '../maintenance/maintenance.service.ts'
import { type PackageTerms, packagesOfProduct, type PeriodRecord, periodColumns } from '../markets/markets.service.ts'

import type { AcceptedTicket } from './orders.decide.ts'
import { betKey, packLines } from './packed-lines.ts'

/** A period with what betting in it asks of its market and its account, at one instant. */
export interface BettingPeriod extends PeriodRecord {
  packages: PackageTerms[]
  /** Numbers for new tickets, as many as were asked for. */
  order_ids: number[]
  bet_types: BetTypeCode[]
  is_enabled: boolean
  /** What members are told while the market is being mended; else null. */
  maintenance: Maintenance | null
  period_account_id: number
  /** The database's clock. */
  now: Date
}

/** In one look: every statement of a batch costs both sides something of its own. */
export async function findBettingPeriod(
  tx: Tx,
  period_code: string,
  ticketCount: number,
): Promise<BettingPeriod | undefined> {
  const { rows } = await sql<BettingPeriod>`
    select ${periodColumns}, bet_types, is_enabled, ${maintenanceOfProduct('products.product_code')} as maintenance,
      account_id as period_account_id, ${packagesOfProduct} as packages,
      (select array_agg(nextval('order_ids')) from generate_series(1, ${ticketCount}::int)) as order_ids,
      clock_timestamp() as now
    from periods join products using (product_code) join accounts using (period_id)
    where period_code = ${period_code}`.execute(tx)
  return rows[0]
}

export interface PlacedTicket {
  order_id: number
  content_hash: Buffer
}

/** A request_id is a member's own: two members may use the same without meeting. */
export function nameOf({ user_id, request_id }: { user_id: number; request_id: string }): string {
  return `${user_id} ${request_id}`
}

/** Tickets that stand already under the same member and request_id, by `nameOf`. */
export async function findPlacedTickets(
  tx: Tx,
  tickets: readonly { user_id: number; request_id: string }[],
): Promise<Map<string, PlacedTicket>> {
  const { rows } = await sql<PlacedTicket & { user_id: number; request_id: string }>`
    select order_id, content_hash, given.user_id, given.request_id
    from unnest(${plainArray(tickets.map((each) => each.user_id))}::bigint[],
        ${plainArray(tickets.map((each) => each.request_id))}::uuid[]) as given (user_id, request_id)
      cross join lateral (
        select order_id, content_hash from orders
        where orders.user_id = given.user_id and orders.request_id = given.request_id limit 1
      ) standing`.execute(tx)
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** What betting in a period asks of a member. */
export interface MemberRecord {
  user_id: number
  status: UserStatus
  /** Whether the member has ever set limits on its own play. */
  has_play_limits: boolean
  /** The packages of the period's market that the member has been given. */
  package_ids: number[]
  /** Received in the period on live tickets, over all bet types and numbers. */
  received_satang: number
}

export async function listMembers(tx: Tx, period_code: string, user_ids: readonly number[]): Promise<MemberRecord[]> {
  const { rows } = await sql<MemberRecord>`
    with offered as materialized (
      select period_id, package_id from periods join packages using (product_code) where period_code = ${period_code}
    )
    select user_id, status_in_force as status, has_play_limits,
      array(select package_id from offered where package_id = any(package_ids)) as package_ids,
      coalesce((select received_satang from member_periods kept
        where kept.user_id = users.user_id and kept.period_id = (select period_id from offered limit 1)), 0) as received_satang
    from users where user_id = any(${plainArray(user_ids)}::bigint[])`.execute(tx)
  return rows
}

type Stakes = Partial<Record<BetTypeCode, Record<string, number>>>

/** What each member has staked in a period on live tickets, by bet type and number. */
export async function sumStakes(tx: Tx, period_id: number, user_ids: readonly number[]): Promise<Map<number, Stakes>> {
  const stakesOf = new Map<number, Stakes>()
  if (user_ids.length === 0) return stakesOf
  const { rows } = await sql<{ user_id: number; bet_type: BetTypeCode; number: string; staked: number }>`
    select user_id, bet_type, number, sum(received_satang)::bigint as staked from order_items
    where period_id = ${period_id} and user_id = any(${user_ids}::bigint[])
      and order_status in ('CONFIRMED', 'WAIT_CONFIRM')
    group by user_id, bet_type, number`.execute(tx)
  for (const { user_id, bet_type, number, staked } of rows) {
    const stakes = stakesOf.get(user_id) ?? {}
    stakesOf.set(user_id, stakes)
    ;(stakes[bet_type] ??= {})[number] = staked
  }
  return stakesOf
}

/**
 * Writes accepted tickets with their lines.
 * @returns the instant at which they were placed, by the database's clock
 */
export async function insertOrders(
  tx: Tx,
  { period_id, close_at, now }: BettingPeriod,
  accepted: readonly NumberedTicket[],
): Promise<Date> {
  const plain = (pick: (each: NumberedTicket) => number | string) => plainArray(accepted.map(pick))
  const keysOf = ({ lines }: NumberedTicket) =>
    `{${lines.map(({ bet_type, number }) => betKey(period_id, bet_type, number)).join(',')}}`
  const { rows } = await sql<{ instant: Date }>`
    with clock as materialized (select clock_timestamp() as instant), written as (
      insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count,
        bet_satang, received_satang, discount_satang, lines, bet_keys, created_at, validated_at, processed_at, placed_at,
        confirm_deadline_at)
      select order_id, request_id, decode(content_hash, 'hex'), user_id, ${period_id}, package_id, status, note, item_count,
        bet_satang, received_satang, discount_satang, lines::json, bet_keys::bigint[],
        ${now}::timestamptz, instant, instant, instant,
        case status when 'WAIT_CONFIRM' then least(instant + ${CONFIRM_WAIT_MS} * interval '1 ms', ${close_at}::timestamptz) end
      from clock cross join unnest(
        ${plain((each) => each.order_id)}::bigint[], ${plain((each) => each.ticket.request_id)}::uuid[],
        ${plain((each) => each.ticket.content_hash.toString('hex'))}::text[], ${plain((each) => each.ticket.user_id)}::bigint[],
        ${plain((each) => each.package_id)}::int[], ${plain((each) => each.status)}::text[],
        ${accepted.map((each) => each.ticket.note ?? '')}::text[],
        ${plain((each) => each.lines.length)}::int[], ${plain((each) => each.total.bet_satang)}::bigint[],
        ${plain((each) => each.total.received_satang)}::bigint[], ${plain((each) => each.total.discount_satang)}::bigint[],
        ${plain((each) => packLines(each.lines))}::text[], ${plain(keysOf)}::text[]
      ) as given (order_id, request_id, content_hash, user_id, package_id, status, note, item_count,
        bet_satang, received_satang, discount_satang, lines, bet_keys)
    )
    select instant from clock`.execute(tx)
  return rows[0]!.instant
}

/** An accepted ticket with the number it gets. */
export interface NumberedTicket extends AcceptedTicket {
  order_id: number
}

export interface OrderRecord extends PeriodRecord {
  order_id: number
  request_id: string
  user_id: number
  upline_ids: number[]
  username: string
  package_code: string
  order_status: OrderStatus
  note: string
  item_count: number
  bet_satang: number
  received_satang: number
  discount_satang: number
  win_satang: number
  created_at: Date
  validated_at: Date
  processed_at: Date
  placed_at: Date
  cancelled_by: string | null
  confirm_deadline_at: Date | null
  decided_at: Date | null
  /** The database's clock when this was read. */
  now: Date
}

export interface OrderItemRecord {
  line_no: number
  bet_type: BetTypeCode
  number: string
  asked_satang: number
  bet_satang: number
  received_satang: number
  rate: number
  rate_seen: number
  discount_rate: number
  discount_satang: number
  is_half_pay: boolean
  win_satang: number
}

/** Tickets with their period, newest first. */
async function selectOrders(db: Db, where: RawBuilder<unknown>, limit: number, offset: number): Promise<OrderRecord[]> {
  const { rows } = await sql<OrderRecord>`
    select orders.order_id, request_id, orders.user_id, users.upline_ids, users.username, package_code,
      orders.status as order_status, note, item_count, bet_satang, received_satang, discount_satang, win_satang,
      orders.created_at, validated_at, processed_at, placed_at, canceller.username as cancelled_by,
      confirm_deadline_at, decided_at, clock_timestamp() as now, ${periodColumns}
    from orders join periods using (period_id) join packages using (package_id) join users using (user_id)
      left join users canceller on canceller.user_id = orders.cancelled_by
    where ${where} order by orders.order_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function findOrder(db: Db, order_id: number): Promise<OrderRecord | undefined> {
  return (await selectOrders(db, sql`orders.order_id = ${order_id}`, 1, 0))[0]
}

export async function findOrderByRequestId(
  db: Db,
  user_id: number,
  request_id: string,
): Promise<OrderRecord | undefined> {
  return (await selectOrders(db, sql`orders.user_id = ${user_id} and request_id = ${request_id}`, 1, 0))[0]
}

/** Whose tickets a list shows: a member's own, an upline's downline's, everybody's for the office. */
export interface Viewer {
  user_id: number
  level: UserLevel
  is_office: boolean
}

function isSeenBy({ user_id, level, is_office }: Viewer): RawBuilder<unknown> {
  if (is_office) return sql`true`
  if (level === 'member') return sql`orders.user_id = ${user_id}`
  return sql`orders.user_id in (select user_id from users where upline_ids @> array[${user_id}]::bigint[])`
}

/** What a list is narrowed to; what is absent does not narrow it. */
export interface OrderFilter {
  period_id?: number | undefined
  product_code?: string | undefined
  statuses?: readonly string[] | undefined
  /** Days in Asia/Bangkok on which a ticket was placed, both included. */
  date_from?: string | undefined
  date_to?: string | undefined
  order_id?: number | undefined
  username?: string | undefined
  /** A part of the note, in lower case, or a ticket's number. */
  search?: string | undefined
}

function* conditionsOf(filter: OrderFilter): Generator<RawBuilder<unknown>> {
  const { period_id, product_code, statuses, date_from, date_to, order_id, username, search } = filter
  if (period_id !== undefined) yield sql`orders.period_id = ${period_id}`
  if (product_code !== undefined) yield sql`periods.product_code = ${product_code}`
  if (statuses !== undefined) yield sql`orders.status = any(${statuses}::text[])`
  if (date_from !== undefined)
    yield sql`orders.created_at >= (${date_from}::date)::timestamp at time zone 'Asia/Bangkok'`
  if (date_to !== undefined)
    yield sql`orders.created_at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`
  if (order_id !== undefined) yield sql`orders.order_id = ${order_id}`
  if (username !== undefined) yield sql`users.username = ${username.toLowerCase()}`
  if (search !== undefined) {
    const wanted_id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : null
    yield sql`(orders.order_id = ${wanted_id}::bigint or strpos(lower(orders.note), ${search}) > 0)`
  }
}

/** Tickets that a viewer may see, newest first. */
export async function listOrders(
  db: Db,
  viewer: Viewer,
  filter: OrderFilter,
  limit: number,
  offset: number,
): Promise<OrderRecord[]> {
  return selectOrders(db, sql.join([isSeenBy(viewer), ...conditionsOf(filter)], sql` and `), limit, offset)
}

export async function listItems(db: Db, order_id: number): Promise<OrderItemRecord[]> {
  return db
    .selectFrom('order_items')
    .select(['line_no', 'bet_type', 'number', 'asked_satang', 'bet_satang', 'received_satang', 'rate', 'rate_seen'])
    .select(['discount_rate', 'discount_satang', 'is_half_pay', 'win_satang'])
    .where('order_id', '=', order_id)
    .orderBy('line_no')
    .execute()
}
