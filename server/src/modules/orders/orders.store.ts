import { type BetTypeCode, CONFIRM_WAIT_MS } from '@megalot/rules'
import type { OrderStatus, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { type PeriodRecord, periodColumns } from '../markets/markets.service.ts'

import type { AcceptedTicket } from './orders.decide.ts'

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
    select order_id, content_hash, user_id, request_id from orders
    where (user_id, request_id) in (
      select * from unnest(${tickets.map((each) => each.user_id)}::bigint[], ${tickets.map((each) => each.request_id)}::uuid[])
    )`.execute(tx)
  return new Map(rows.map((row) => [nameOf(row), row]))
}

export async function listStatuses(tx: Tx, user_ids: readonly number[]): Promise<Map<number, UserStatus>> {
  const { rows } = await sql<{ user_id: number; status: UserStatus }>`
    select user_id, effective_status(users) as status from users where user_id = any(${user_ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.user_id, row.status]))
}

type Stakes = Partial<Record<BetTypeCode, Record<string, number>>>

/** What each member has staked in a period on live tickets, by bet type and number. */
export async function sumStakes(tx: Tx, period_id: number, user_ids: readonly number[]): Promise<Map<number, Stakes>> {
  const { rows } = await sql<{ user_id: number; bet_type: BetTypeCode; number: string; staked: number }>`
    select orders.user_id, items.bet_type, items.number, sum(items.received_satang)::bigint as staked
    from orders join order_items items using (order_id)
    where orders.period_id = ${period_id} and orders.user_id = any(${user_ids}::bigint[])
      and orders.status in ('CONFIRMED', 'WAIT_CONFIRM')
    group by orders.user_id, items.bet_type, items.number`.execute(tx)
  const stakesOf = new Map<number, Stakes>()
  for (const { user_id, bet_type, number, staked } of rows) {
    const stakes = stakesOf.get(user_id) ?? {}
    stakesOf.set(user_id, stakes)
    ;(stakes[bet_type] ??= {})[number] = staked
  }
  return stakesOf
}

export async function takeOrderIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ order_id: number }>`
    select nextval('order_ids') as order_id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map((row) => row.order_id)
}

/** Writes accepted tickets and their items: two statements, however many there are. */
export async function insertOrders(
  tx: Tx,
  { period_id, close_at }: PeriodRecord,
  created_at: Date,
  accepted: readonly (AcceptedTicket & { order_id: number })[],
): Promise<void> {
  const column = <Value>(pick: (each: AcceptedTicket & { order_id: number }) => Value) => accepted.map(pick)
  await sql`
    insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang, created_at, validated_at, processed_at, confirm_deadline_at)
    select order_id, request_id, content_hash, user_id, ${period_id}, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang, ${created_at}::timestamptz, clock_timestamp(), clock_timestamp(),
      case status when 'WAIT_CONFIRM' then least(clock_timestamp() + ${CONFIRM_WAIT_MS} * interval '1 ms', ${close_at}::timestamptz) end
    from unnest(
      ${column((each) => each.order_id)}::bigint[], ${column((each) => each.ticket.request_id)}::uuid[],
      ${column((each) => each.ticket.content_hash)}::bytea[], ${column((each) => each.ticket.user_id)}::bigint[],
      ${column((each) => each.package_id)}::int[], ${column((each) => each.status)}::text[], ${column((each) => each.ticket.note ?? '')}::text[],
      ${column((each) => each.lines.length)}::int[], ${column((each) => each.total.bet_satang)}::bigint[],
      ${column((each) => each.total.received_satang)}::bigint[], ${column((each) => each.total.discount_satang)}::bigint[]
    ) as given (order_id, request_id, content_hash, user_id, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang)`.execute(tx)

  const items = accepted.flatMap(({ order_id, lines }) =>
    lines.map((line, index) => ({ order_id, line_no: index + 1, ...line })),
  )
  await sql`
    insert into order_items (order_id, line_no, period_id, bet_type, number, asked_satang, bet_satang, received_satang,
      rate, rate_seen, discount_rate, discount_satang, is_half_pay)
    select order_id, line_no, ${period_id}, bet_type, number, bet_satang, bet_satang, received_satang,
      rate, rate_seen, discount_rate, discount_satang, is_half_pay
    from unnest(
      ${items.map((item) => item.order_id)}::bigint[], ${items.map((item) => item.line_no)}::int[],
      ${items.map((item) => item.bet_type)}::text[], ${items.map((item) => item.number)}::text[],
      ${items.map((item) => item.money.bet_satang)}::bigint[], ${items.map((item) => item.money.received_satang)}::bigint[],
      ${items.map((item) => item.rate)}::int[], ${items.map((item) => item.rate_seen)}::int[], ${items.map((item) => item.discount_rate)}::int[],
      ${items.map((item) => item.money.discount_satang)}::bigint[],
      ${items.map((item) => item.is_half_pay)}::boolean[]
    ) as given (order_id, line_no, bet_type, number, bet_satang, received_satang,
      rate, rate_seen, discount_rate, discount_satang, is_half_pay)`.execute(tx)
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

export async function listOrders(db: Db, user_id: number, limit: number, offset: number): Promise<OrderRecord[]> {
  return selectOrders(db, sql`orders.user_id = ${user_id}`, limit, offset)
}

/** Deleted tickets of a user and its downline; of everybody for the office. */
export async function listDeleted(
  db: Db,
  user_id: number,
  is_office: boolean,
  limit: number,
  offset: number,
): Promise<OrderRecord[]> {
  const isTheirs = sql`(${is_office} or orders.user_id = ${user_id} or ${user_id} = any(users.upline_ids))`
  return selectOrders(db, sql`orders.status = 'DELETED' and ${isTheirs}`, limit, offset)
}

export async function listPeriodOrders(
  db: Db,
  user_id: number,
  period_id: number,
  limit: number,
  offset: number,
): Promise<OrderRecord[]> {
  return selectOrders(db, sql`orders.user_id = ${user_id} and orders.period_id = ${period_id}`, limit, offset)
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
