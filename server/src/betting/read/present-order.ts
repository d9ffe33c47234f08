// A ticket as sent to clients: as read from the database, as in lists, and as JSON text for one that was just placed.

import type {
  DataOf,
  getOrderStatus as getOrderStatusRoute,
  ListedOrder,
  Order,
  OrderEventRow,
  OrderItem,
  OrderItemStatus,
  OrderSummary,
} from '@megalot/contract'
import { SHOWN_ITEMS } from '@megalot/contract'
import {
  betOfSlot,
  confirmDeadlineMs,
  type ConfirmTag,
  confirmTag,
  discountAsAsked,
  isDiscountLower,
  isLiveStatus,
  needsConfirm,
  SLOT_COUNT,
  typeIndexOf,
} from '@megalot/rules'
import { type Caller, canAccess, type Scope, seenActor } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { DurableState } from '../../postgres/durable.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type PeriodRecord, toPeriod } from '../../markets/index.ts'
import { listOrderEvents } from '../life/life.store.ts'
import type { PlacedTicket } from '../ticket.ts'
import {
  findOrder,
  findOrderByRequestId as findByRequestId,
  listItems,
  listItemsOf,
  listOrdersByIds,
  listShownItems,
  type OrderItemRecord,
  type OrderRecord,
} from './orders.store.ts'

type OrderStatusReply = DataOf<typeof getOrderStatusRoute>

/**
 * A ticket for its owner, the owner's uplines, and the office.
 * @throws Refusal not_found for all others
 */
export async function getOrder(db: Db, caller: Caller, order_id: number): Promise<Order> {
  const record = await findOrder(db, order_id)
  if (!record || !canAccess(caller, record)) throw new Refusal('not_found')
  return presentOrder(db, caller, record)
}

/**
 * The caller's own ticket of a request_id, once it is durable, because the member relies on it like on the lost reply.
 * A commit that waits for its standby is not visible yet. So an empty record is committed before reporting an absence
 * too: while nothing is replicated the call fails, and afterwards every earlier commit is replicated, and visible once
 * its transaction has ended.
 * @throws Refusal not_found if no such ticket was written, unavailable if that is not known yet
 */
export async function getOrderByRequestId(
  db: Db,
  durable: DurableState,
  caller: Caller,
  request_id: string,
): Promise<Order> {
  const found = await findByRequestId(db, caller.principal_id, request_id)
  await durable.commit()
  if (found) return presentOrder(db, caller, found)
  await durable.waitForWriters()
  const late = await findByRequestId(db, caller.principal_id, request_id)
  if (!late) throw new Refusal('not_found')
  await durable.commit()
  return presentOrder(db, caller, late)
}

/**
 * A ticket's state, for callers with access.
 * @throws Refusal not_found
 */
export async function getOrderStatus(db: Db, caller: Caller, order_id: number): Promise<OrderStatusReply> {
  const record = await findOrder(db, order_id)
  if (!record || !canAccess(caller, record)) throw new Refusal('not_found')
  return {
    order_id,
    status: record.order_status,
    steps: stepsOf(record),
    confirm_deadline_at: record.confirm_deadline_at?.toISOString() ?? null,
    tag: tagOf(record),
    events: await listEvents(db, caller, order_id),
  }
}

/** A ticket takes all steps in the statement that writes it. */
function stepsOf({ placed_at }: Pick<OrderRecord, 'placed_at'>): Order['steps'] {
  const at = placed_at.toISOString()
  return [
    { step: 'check_ticket', at },
    { step: 'check_quota', at },
    { step: 'create_ticket', at },
  ]
}

async function listEvents(db: Db, reader: Scope, order_id: number): Promise<OrderEventRow[]> {
  const records = await listOrderEvents(db, order_id)
  return records.map(({ at, event, actor, ...rest }) => ({
    at: at.toISOString(),
    event: event as OrderEventRow['event'],
    actor: seenActor(reader, actor, rest.is_by_office),
    ...rest,
  }))
}

/** A ticket as in lists. */
export function presentSummary(reader: Scope, record: OrderRecord): OrderSummary {
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
    // No partial result is visible while wins are being paid.
    win_satang: record.status === 'settled' ? record.win_satang : 0,
    created_at: record.created_at.toISOString(),
    confirm_deadline_at: record.confirm_deadline_at?.toISOString() ?? null,
    tag: tagOf(record),
    cancelled_by: seenActor(reader, record.cancelled_by, record.is_cancelled_by_office),
    is_cancelled_by_office: record.is_cancelled_by_office,
    period: toPeriod(record),
  }
}

/** Tickets in a list, with their first items; `slots` are the bets that were searched for. */
export async function presentListed(
  db: Db,
  reader: Scope,
  records: readonly OrderRecord[],
  slots: readonly number[],
): Promise<ListedOrder[]> {
  const asked = records.map(({ order_id, status }) => ({ order_id, is_settled: status === 'settled' }))
  const itemsOf = await listShownItems(db, asked, slots, SHOWN_ITEMS)
  return records.map((record) => ({
    ...presentSummary(reader, record),
    shown_items: itemsOf.get(record.order_id)!.map(({ bet_satang, ...item }) => {
      const status = statusOf({ ...item, bet_satang }, record)
      return { ...item, status, win_satang: status === 'won' ? item.win_satang : 0 }
    }),
  }))
}

/** The tag of a ticket that waits for the member's confirmation, or was confirmed by expiry. */
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

/** The most items that a list of tickets reads at once: two of the largest tickets, or a hundred with ten items. */
const MAX_ITEMS = 1_000

/**
 * Tickets with their items, newest first, as their owner sees them. The caller has checked access.
 * @returns the newest of them, with at most `MAX_ITEMS` items in total, but at least one
 */
export async function listTicketsWithItems(
  db: Db,
  reader: Scope,
  order_ids: readonly number[],
): Promise<{ summary: OrderSummary; items: OrderItem[] }[]> {
  const records = takeFirst(await listOrdersByIds(db, order_ids), MAX_ITEMS)
  const itemsOf = await listItemsOf(
    db,
    records.map(({ order_id }) => order_id),
  )
  return records.map((record) => ({
    summary: presentSummary(reader, record),
    items: itemsOf.get(record.order_id)!.map((item) => presentItem(item, record)),
  }))
}

/** The first ticket, and following ones while their items stay within the limit. */
function takeFirst(records: readonly OrderRecord[], most: number): readonly OrderRecord[] {
  let item_count = 0
  const end = records.findIndex((record, at) => {
    item_count += record.item_count
    return at > 0 && item_count > most
  })
  return end === -1 ? records : records.slice(0, end)
}

async function presentOrder(db: Db, reader: Scope, record: OrderRecord): Promise<Order> {
  const records = await listItems(db, record.order_id)
  const events = await listEvents(db, reader, record.order_id)
  const items = records.map((item) => presentItem(item, record))
  const { order_status, discount_seen_satang } = record
  const hasLowerDiscount = isDiscountLower(discount_seen_satang, discountAsAsked(records))
  const confirmList =
    order_status === 'WAIT_CONFIRM' ? items.filter((item) => hasLowerDiscount || needsConfirm(item)) : []
  const summary = presentSummary(reader, record)
  return { ...summary, steps: stepsOf(record), events, items, discount_seen_satang, confirmList }
}

function presentItem(item: OrderItemRecord, record: OrderRecord): OrderItem {
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

/** Until a period is settled no item counts as lost. */
function statusOf(
  item: Pick<OrderItemRecord, 'bet_satang' | 'received_satang' | 'win_satang'>,
  record: OrderRecord,
): OrderItemStatus {
  if (item.bet_satang === 0) return 'returned'
  if (item.received_satang === 0) return 'closed'
  if (record.order_status === 'CANCELLED' || record.order_status === 'DELETED' || record.status === 'void')
    return 'refunded'
  if (record.order_status === 'WAIT_CONFIRM') return 'wait_confirm'
  if (record.status !== 'settled') return 'awaiting_result'
  return item.win_satang > 0 ? 'won' : 'lost'
}

// ---- the reply of a ticket that was placed a moment ago ----

/** Fields shared by the replies of a batch's tickets. */
type BatchField =
  | 'period_code'
  | 'created_at'
  | 'cancelled_by'
  | 'is_cancelled_by_office'
  | 'period'
  | 'steps'
  | 'events'

/** The shared part of the replies of a batch's tickets, as JSON text without braces. */
export function presentBatch(
  period: PeriodRecord,
  { created_at, placed_at }: { created_at: Date; placed_at: Date },
): string {
  const common: Pick<Order, BatchField> = {
    period_code: period.period_code,
    created_at: created_at.toISOString(),
    cancelled_by: null,
    is_cancelled_by_office: false,
    period: toPeriod(period),
    steps: stepsOf({ placed_at }),
    events: [],
  }
  return JSON.stringify(common).slice(1, -1)
}

/** A placed ticket as in its reply. */
export interface PlacedReply extends Pick<Order, 'status' | 'confirm_deadline_at'> {
  /** The `Order` as JSON text. */
  json: string
}

/**
 * A ticket that was just written, as an `Order` identical to reading it, but built from memory as JSON text, because
 * this is the most frequent reply.
 */
export function presentPlaced(
  { order_id, ticket, status, total, differences, discountChange, discounts, terms, batch }: PlacedTicket,
  { username }: Caller,
): PlacedReply {
  const { bet_satang, received_satang, discount_satang, net_satang } = total
  const { slots, stakes, rates_seen } = ticket
  const { placed_at, close_at } = batch
  const placedMs = placed_at.getTime()
  const isWaiting = status === 'WAIT_CONFIRM'
  const deadlineMs = confirmDeadlineMs(placedMs, close_at.getTime())
  const confirm_deadline_at = isWaiting ? new Date(deadlineMs).toISOString() : null
  const tag = isWaiting ? confirmTag(placedMs, placedMs, close_at.getTime()) : null
  let items = ''
  let changedItems = ''
  for (let line = 0; line < slots.length; line++) {
    const [slot, bet_satang, rate_seen] = [slots[line]!, stakes[line]!, rates_seen[line]!]
    const { received_satang, rate, is_half_pay } = differences?.[line] ?? {
      received_satang: bet_satang,
      rate: rate_seen,
      is_half_pay: false,
    }
    const discount_satang = discounts[line]!
    const is_closed = received_satang === 0
    const itemStatus = is_closed ? 'closed' : isWaiting ? 'wait_confirm' : 'awaiting_result'
    // All of it are numbers and names from the rules, so nothing needs escaping.
    const item = `{"line_no":${line + 1},${namesOfSlots[slot]},"asked_satang":${bet_satang},"bet_satang":${bet_satang},"received_satang":${received_satang},"rate":${rate},"rate_seen":${rate_seen},"discount_rate":${terms.discount_rate[typeIndexOf(slot)]},"discount_satang":${discount_satang},"net_satang":${received_satang - discount_satang},"is_half_pay":${is_half_pay},"is_closed":${is_closed},"status":"${itemStatus}","win_satang":0}`
    items += line === 0 ? item : `,${item}`
    if (isWaiting && needsConfirm({ bet_satang, received_satang, rate, rate_seen }))
      changedItems += changedItems === '' ? item : `,${item}`
  }
  const discount_seen_satang = discountChange?.discount_seen_satang ?? null
  const hasLowerDiscount =
    isWaiting && discountChange !== null && isDiscountLower(discount_seen_satang, discountChange.discount_satang)
  const confirmList = hasLowerDiscount ? items : changedItems
  // The compiler reports a field that is added to the contract's ticket and missing here.
  const own: Omit<Order, BatchField | 'items' | 'confirmList'> = {
    id: order_id,
    order_id,
    request_id: ticket.request_id,
    username,
    package_code: ticket.package_code,
    status,
    note: ticket.note ?? '',
    item_count: slots.length,
    bet_satang,
    received_satang,
    discount_satang,
    net_satang,
    win_satang: 0,
    confirm_deadline_at,
    tag,
    discount_seen_satang,
  }
  const json = `${JSON.stringify(own).slice(0, -1)},${batch.text},"items":[${items}],"confirmList":[${confirmList}]}`
  return { status, confirm_deadline_at, json }
}

/** The name of each bet as JSON text, by slot: a ticket has ten, and composing them took a third of its reply. */
const namesOfSlots: readonly string[] = Array.from({ length: SLOT_COUNT }, (_, slot) => {
  const { bet_type, number } = betOfSlot(slot)!
  return `"bet_type":"${bet_type}","number":"${number}"`
})
