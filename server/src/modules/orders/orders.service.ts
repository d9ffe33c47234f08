// Tickets: placing them, and reading them by those who may.

import { createHash } from 'node:crypto'
import type {
  DataOf,
  getOrderStatus as getOrderStatusRoute,
  Order,
  OrderEventRow,
  OrderItem,
  OrderItemStatus,
  OrderSummary,
  PlaceOrderBody,
} from '@megalot/contract'
import { type ConfirmTag, confirmTag, isLiveStatus } from '@megalot/rules'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPeriodRecord, toPeriod } from '../markets/markets.service.ts'
import { listOrderEvents } from './order-life.store.ts'
import type { Intake } from './orders.intake.ts'
import {
  findOrder,
  findOrderByRequestId,
  listDeleted,
  listItems,
  listOrders,
  listPeriodOrders,
  type OrderItemRecord,
  type OrderRecord,
} from './orders.store.ts'

type OrderStatusReply = DataOf<typeof getOrderStatusRoute>

/** Places a ticket for a member. @throws Refusal why it was not accepted; nothing was written then */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<Order> {
  const order_id = await intake.placeTicket({ ...body, user_id: caller.user_id, content_hash: hashContent(body) })
  return getOrder(db, caller, order_id)
}

/** SHA-256 over what the member decided, so that a request_id cannot come back with another ticket. */
function hashContent({ period_code, package_code, note, items }: PlaceOrderBody): Buffer {
  const lines = items.map(({ bet_type, number, bet_satang, rate }) => [bet_type, number, bet_satang, rate])
  return createHash('sha256')
    .update(JSON.stringify([period_code, package_code, note ?? '', lines]))
    .digest()
}

/** A ticket for its owner, the owner's uplines, and the office. @throws Refusal not_found for all others */
export async function getOrder(db: Db, caller: Caller, order_id: number): Promise<Order> {
  const record = await findOrder(db, order_id)
  if (!record || !maySee(caller, record)) throw new Refusal('not_found')
  return toOrder(db, record)
}

/** The caller's own ticket of a request_id. @throws Refusal not_found: no such ticket was written */
export async function getOrderByRequestId(db: Db, caller: Caller, request_id: string): Promise<Order> {
  const record = await findOrderByRequestId(db, caller.user_id, request_id)
  if (!record) throw new Refusal('not_found')
  return toOrder(db, record)
}

export async function listOwnOrders(db: Db, caller: Caller, limit: number, offset: number): Promise<OrderSummary[]> {
  return (await listOrders(db, caller.user_id, limit, offset)).map(toSummary)
}

/** @throws Refusal unknown_period */
export async function listOwnOrdersOfPeriod(
  db: Db,
  caller: Caller,
  period_code: string,
  limit: number,
  offset: number,
): Promise<OrderSummary[]> {
  const { period_id } = await getPeriodRecord(db, period_code)
  return (await listPeriodOrders(db, caller.user_id, period_id, limit, offset)).map(toSummary)
}

/** Where a ticket stands, for who may see it. @throws Refusal not_found */
export async function getOrderStatus(db: Db, caller: Caller, order_id: number): Promise<OrderStatusReply> {
  const record = await findOrder(db, order_id)
  if (!record || !maySee(caller, record)) throw new Refusal('not_found')
  return {
    order_id,
    status: record.order_status,
    steps: stepsOf(record),
    confirm_deadline_at: record.confirm_deadline_at?.toISOString() ?? null,
    tag: tagOf(record),
    events: await listEvents(db, order_id),
  }
}

/** Deleted tickets of the caller and its downline. */
export async function listDeletedOrders(
  db: Db,
  caller: Caller,
  limit: number,
  offset: number,
): Promise<OrderSummary[]> {
  return (await listDeleted(db, caller.user_id, caller.is_office, limit, offset)).map(toSummary)
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

function maySee(caller: Caller, record: OrderRecord): boolean {
  return caller.user_id === record.user_id || caller.is_office || record.upline_ids.includes(caller.user_id)
}

function toSummary(record: OrderRecord): OrderSummary {
  return {
    order_id: record.order_id,
    request_id: record.request_id,
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

async function toOrder(db: Db, record: OrderRecord): Promise<Order> {
  const [items, events] = await Promise.all([listItems(db, record.order_id), listEvents(db, record.order_id)])
  return {
    ...toSummary(record),
    steps: stepsOf(record),
    events,
    items: items.map((item) => toItem(item, record)),
  }
}

function toItem(item: OrderItemRecord, record: OrderRecord): OrderItem {
  const status = statusOf(item, record)
  return {
    ...item,
    is_closed: item.received_satang === 0 && item.bet_satang > 0,
    net_satang: item.received_satang - item.discount_satang,
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
