import type { OrderStatus } from '@megalot/contract'
import { type BetTypeCode, CONFIRM_WAIT_MS } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../../markets/index.ts'

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
  /** The discount that the member saw for the requested items, if it differed from the terms'. */
  discount_seen_satang: number | null
  win_satang: number
  created_at: Date
  placed_at: Date
  cancelled_by: string | null
  is_cancelled_by_office: boolean
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

/**
 * `confirmDeadlineMs` in SQL, of `orders` and `periods`. Not the deadline stored with a ticket, because the close may
 * have been moved since.
 */
export const confirmDeadline = sql`least(placed_at + ${CONFIRM_WAIT_MS} * interval '1 millisecond', close_at)`

/** Tickets with their period, newest first. */
async function selectOrders(db: Db, where: RawBuilder<unknown>): Promise<OrderRecord[]> {
  const { rows } = await sql<OrderRecord>`
    select orders.order_id, request_id, orders.user_id, users.upline_ids, users.username, package_code,
      orders.status as order_status, note, item_count, bet_satang, received_satang, discount_satang, discount_seen_satang,
      win_satang, orders.created_at, placed_at, canceller.username as cancelled_by,
      coalesce(canceller.is_office, false) as is_cancelled_by_office,
      case when confirm_deadline_at is not null then ${confirmDeadline} end as confirm_deadline_at,
      decided_at, clock_timestamp() as now, ${periodColumns}
    from orders join periods using (period_id) join packages using (package_id) join users using (user_id)
      left join users canceller on canceller.user_id = orders.cancelled_by
    where ${where} order by orders.order_id desc`.execute(db)
  return rows
}

export async function findOrder(db: Db, order_id: number): Promise<OrderRecord | undefined> {
  return (await selectOrders(db, sql`orders.order_id = ${order_id}`))[0]
}

export async function findOrderByRequestId(
  db: Db,
  user_id: number,
  request_id: string,
): Promise<OrderRecord | undefined> {
  return (await selectOrders(db, sql`orders.user_id = ${user_id} and request_id = ${request_id}`))[0]
}

/** Tickets with these ids, newest first. */
export async function listOrdersByIds(db: Db, order_ids: readonly number[]): Promise<OrderRecord[]> {
  return order_ids.length === 0 ? [] : selectOrders(db, sql`orders.order_id = any(${order_ids}::bigint[])`)
}

/** The items of tickets, by ticket. */
export async function listItemsOf(db: Db, order_ids: readonly number[]): Promise<Map<number, OrderItemRecord[]>> {
  const itemsOf = new Map(order_ids.map((order_id) => [order_id, [] as OrderItemRecord[]]))
  if (order_ids.length === 0) return itemsOf
  const { rows } = await sql<OrderItemRecord & { order_id: number }>`
    select items.order_id, line_no, bet_type, number, asked_satang, bet_satang, received_satang, rate, rate_seen,
      discount_rate, discount_satang, is_half_pay, win_satang
    from unnest(${order_ids}::bigint[]) as given (order_id)
      cross join lateral (select * from order_items where order_items.order_id = given.order_id offset 0) items
    order by items.order_id, line_no`.execute(db)
  for (const { order_id, ...item } of rows) itemsOf.get(order_id)!.push(item)
  return itemsOf
}

/** An item of a ticket in a list. */
export type ShownItemRecord = Pick<
  OrderItemRecord,
  'bet_type' | 'number' | 'asked_satang' | 'bet_satang' | 'received_satang' | 'win_satang'
> & { is_found: boolean }

interface ShownOrder {
  order_id: number
  /** Whether its wins are known. */
  is_settled: boolean
}

/**
 * The first items of tickets, by ticket: those with a searched slot, then those that have won, then by line. Only their part
 * of the packed columns is unpacked.
 */
export async function listShownItems(
  db: Db,
  orders: readonly ShownOrder[],
  slots: readonly number[],
  most: number,
): Promise<Map<number, ShownItemRecord[]>> {
  const itemsOf = new Map(orders.map(({ order_id }) => [order_id, [] as ShownItemRecord[]]))
  if (orders.length === 0) return itemsOf
  const { rows } = await sql<ShownItemRecord & { order_id: number }>`
    select order_id, bet_type_of(chosen.slot) as bet_type, number_of(chosen.slot) as number,
      line.bet_satang as asked_satang, case when is_returned then 0 else line.bet_satang end as bet_satang,
      case when is_returned then 0 else line.received_satang end as received_satang,
      chosen.win_satang, chosen.is_found
    from unnest(${orders.map(({ order_id }) => order_id)}::bigint[], ${orders.map(({ is_settled }) => is_settled)}::boolean[])
        as given (order_id, is_settled)
      join orders using (order_id)
      cross join lateral (
        select bet.slot::int as slot, bet.line_no::int as line_no, coalesce(won.win_satang, 0)::bigint as win_satang,
          bet.slot = any(${slots}::smallint[]) as is_found
        from unnest(orders.slots) with ordinality bet (slot, line_no)
          left join (select wins.line_no, sum(wins.win_satang) as win_satang from order_wins wins
            where wins.order_id = given.order_id and given.is_settled group by wins.line_no) won using (line_no)
        order by is_found desc, coalesce(won.win_satang, 0) > 0 desc, line_no limit ${most}) chosen
      cross join lateral unpack_lines(array[chosen.slot]::smallint[], substring(lines from 9 * chosen.line_no - 8 for 9),
        differences[3 * chosen.line_no - 2:3 * chosen.line_no]) line
      cross join lateral (select chosen.line_no = any(coalesce(returned_lines, '{}'))) as given_back (is_returned)
    order by order_id, is_found desc, chosen.win_satang > 0 desc, chosen.line_no`.execute(db)
  for (const { order_id, ...item } of rows) itemsOf.get(order_id)!.push(item)
  return itemsOf
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
