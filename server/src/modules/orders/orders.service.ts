// Tickets: placing them, and reading them by those who may.

import { hash } from 'node:crypto'
import {
  type DataOf,
  DEFAULT_ON_CHANGE,
  type getOrderStatus as getOrderStatusRoute,
  type Order,
  type OrderEventRow,
  type OrderItem,
  type OrderItemStatus,
  type OrderSummary,
  type PlaceOrderBody,
} from '@megalot/contract'
import { type ConfirmTag, confirmTag, isLiveStatus, needsConfirm } from '@megalot/rules'
import { type Caller, mayReach } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { toPeriod } from '../markets/markets.service.ts'
import { listOrderEvents } from './order-life.store.ts'
import type { Intake } from './orders.intake.ts'
import {
  findOrder,
  findOrderByRequestId,
  listItems,
  listItemsOf,
  listOrdersOf,
  type OrderItemRecord,
  type OrderRecord,
} from './orders.store.ts'
import { type PlacedReply, showPlaced } from './placed-text.ts'

export { createIntake } from './orders.intake.ts'
export { betKey } from './packed-lines.ts'

type OrderStatusReply = DataOf<typeof getOrderStatusRoute>

/**
 * Places a ticket for a member.
 * @throws Refusal why it was not accepted, CallerUnsure where a recalled session has ended; nothing was written then
 */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<PlacedReply> {
  const { user_id, session_id, is_recalled } = caller
  const recalled_session_id = is_recalled ? session_id : undefined
  const placed = await intake.placeTicket({ ...body, user_id, content_hash: hashContent(body), recalled_session_id })
  if (placed.fresh) return showPlaced(placed.fresh, caller)
  const order = await getOrder(db, caller, placed.order_id)
  return { status: order.status, confirm_deadline_at: order.confirm_deadline_at, json: JSON.stringify(order) }
}

/** SHA-256 over what the member decided, so that a request_id cannot come back with another ticket. */
function hashContent({ period_code, package_code, note, on_change, items }: PlaceOrderBody): Buffer {
  let lines = ''
  for (const { bet_type, number, bet_satang, rate } of items)
    lines += `${lines === '' ? '["' : ',["'}${bet_type}${textOf(number)}${bet_satang},${rate}]`
  const named = JSON.stringify([period_code, package_code, note ?? ''])
  // The usual choice is the same whether it is said or not.
  const choice = on_change === undefined || on_change === DEFAULT_ON_CHANGE ? '' : `,"${on_change}"`
  return hash('sha256', `${named.slice(0, -1)},[${lines}]${choice}]`, 'buffer')
}

/** A number as JSON text between two others; nobody has looked yet whether it is one. */
function textOf(number: string): string {
  return /^\d*$/.test(number) ? `","${number}",` : `",${JSON.stringify(number)},`
}

/** A ticket for its owner, the owner's uplines, and the office. @throws Refusal not_found for all others */
export async function getOrder(db: Db, caller: Caller, order_id: number): Promise<Order> {
  const record = await findOrder(db, order_id)
  if (!record || !mayReach(caller, record)) throw new Refusal('not_found')
  return toOrder(db, record)
}

/** The caller's own ticket of a request_id. @throws Refusal not_found: no such ticket was written */
export async function getOrderByRequestId(db: Db, caller: Caller, request_id: string): Promise<Order> {
  const record = await findOrderByRequestId(db, caller.user_id, request_id)
  if (!record) throw new Refusal('not_found')
  return toOrder(db, record)
}

/** Where a ticket stands, for who may see it. @throws Refusal not_found */
export async function getOrderStatus(db: Db, caller: Caller, order_id: number): Promise<OrderStatusReply> {
  const record = await findOrder(db, order_id)
  if (!record || !mayReach(caller, record)) throw new Refusal('not_found')
  return {
    order_id,
    status: record.order_status,
    steps: stepsOf(record),
    confirm_deadline_at: record.confirm_deadline_at?.toISOString() ?? null,
    tag: tagOf(record),
    events: await listEvents(db, order_id),
  }
}

function stepsOf(record: OrderRecord): Order['steps'] {
  return [
    { step: 'check_ticket', at: record.validated_at.toISOString() },
    { step: 'check_quota', at: record.processed_at.toISOString() },
    { step: 'create_ticket', at: record.placed_at.toISOString() },
  ]
}

async function listEvents(db: Db, order_id: number): Promise<OrderEventRow[]> {
  const records = await listOrderEvents(db, order_id)
  return records.map(({ at, event, ...rest }) => ({
    at: at.toISOString(),
    event: event as OrderEventRow['event'],
    ...rest,
  }))
}

/** A ticket as lists show it. */
export function toSummary(record: OrderRecord): OrderSummary {
  return {
    id: record.order_id,
    order_id: record.order_id,
    request_id: record.request_id,
    period_code: record.period_code,
    username: record.username,
    package_code: record.package_code,
    status: record.order_status,
    note: record.note,
    item_count: record.item_count,
    bet_satang: record.bet_satang,
    received_satang: record.received_satang,
    discount_satang: record.discount_satang,
    net_satang: record.received_satang - record.discount_satang,
    // While wins are still being paid nobody sees a part of them.
    win_satang: record.status === 'settled' ? record.win_satang : 0,
    created_at: record.created_at.toISOString(),
    confirm_deadline_at: record.confirm_deadline_at?.toISOString() ?? null,
    tag: tagOf(record),
    cancelled_by: record.cancelled_by,
    period: toPeriod(record),
  }
}

/** The mark of a ticket that waits for the member's word, or was taken as confirmed without it. */
function tagOf({
  confirm_deadline_at,
  decided_at,
  order_status,
  now,
  placed_at,
  close_at,
}: OrderRecord): ConfirmTag | null {
  if (!confirm_deadline_at || decided_at || !isLiveStatus(order_status)) return null
  return confirmTag(now.getTime(), placed_at.getTime(), close_at.getTime())
}

/** Tickets with their items, newest first, as their owner sees them. Whether the caller may see them is asked before. */
export async function listTicketsWithItems(
  db: Db,
  order_ids: readonly number[],
): Promise<{ summary: OrderSummary; items: OrderItem[] }[]> {
  const [records, itemsOf] = await Promise.all([listOrdersOf(db, order_ids), listItemsOf(db, order_ids)])
  return records.map((record) => ({
    summary: toSummary(record),
    items: itemsOf.get(record.order_id)!.map((item) => toItem(item, record)),
  }))
}

async function toOrder(db: Db, record: OrderRecord): Promise<Order> {
  const [records, events] = await Promise.all([listItems(db, record.order_id), listEvents(db, record.order_id)])
  const items = records.map((item) => toItem(item, record))
  const confirmList = record.order_status === 'WAIT_CONFIRM' ? items.filter(needsConfirm) : []
  return { ...toSummary(record), steps: stepsOf(record), events, items, confirmList }
}

function toItem(item: OrderItemRecord, record: OrderRecord): OrderItem {
  const status = statusOf(item, record)
  return {
    line_no: item.line_no,
    bet_type: item.bet_type,
    number: item.number,
    asked_satang: item.asked_satang,
    bet_satang: item.bet_satang,
    received_satang: item.received_satang,
    rate: item.rate,
    rate_seen: item.rate_seen,
    discount_rate: item.discount_rate,
    discount_satang: item.discount_satang,
    net_satang: item.received_satang - item.discount_satang,
    is_half_pay: item.is_half_pay,
    is_closed: item.received_satang === 0 && item.bet_satang > 0,
    status,
    win_satang: status === 'won' ? item.win_satang : 0,
  }
}

/** Until a period is settled no item is called lost. */
function statusOf(item: OrderItemRecord, record: OrderRecord): OrderItemStatus {
  if (item.bet_satang === 0) return 'returned'
  if (item.received_satang === 0) return 'closed'
  if (record.order_status === 'CANCELLED' || record.order_status === 'DELETED' || record.status === 'void')
    return 'refunded'
  if (record.order_status === 'WAIT_CONFIRM') return 'wait_confirm'
  if (record.status !== 'settled') return 'awaiting_result'
  return item.win_satang > 0 ? 'won' : 'lost'
}
