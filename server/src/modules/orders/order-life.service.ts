// What can happen to a ticket after it was placed: the member confirms, returns or cancels; the deadline passes; an upline
// deletes it; two office users void it. Each is one transaction that holds the period (shared), then the ticket, then the
// member's cash, then the quotas: always in this order, so that exactly one of two that meet wins and none waits in a circle.

import type { Order, OrderStatus } from '@megalot/contract'
import { checkCancel, isConfirmOver, nextStatus, type OrderEvent } from '@megalot/rules'
import { type Caller, mayReach } from '../../platform/caller.ts'
import { type Db, readClock, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  type Entry,
  findHeldAccountIds,
  getPeriodAccountId,
  lockCashAccounts,
  postEntries,
} from '../ledger/ledger.service.ts'
import { getCancelRules } from '../markets/cancel-rules.service.ts'
import { findSharedPeriod, type PeriodRecord } from '../markets/markets.service.ts'
import { holdQuotas } from '../quotas/quota-counts.service.ts'
import {
  approveVoidRequest,
  countCancelled,
  findOrderOwner,
  findVoidRequest,
  insertOrderEvent,
  insertVoidRequest,
  listExpiredOrderIds,
  listWaitingOrderIds,
  type LockedOrder,
  lockOrder,
  type OrderOwner,
  returnLines,
  setStatus,
} from './order-life.store.ts'
import { getOrder } from './orders.service.ts'
import { listItems, type OrderItemRecord } from './orders.store.ts'

export { findOrderOwner, type OrderOwner } from './order-life.store.ts'

interface Held {
  tx: Tx
  now: Date
  period: PeriodRecord
  order: LockedOrder
  items: OrderItemRecord[]
}

/** What a change does to a ticket. */
interface Change {
  event: OrderEvent
  /** Name of the event where it is more than the transition says: a void is a delete by two. */
  name?: string
  /** Null: the system itself. */
  actor_id: number | null
  reason?: string
  /** Lines whose stake goes back to the member; all others stay. */
  released: readonly OrderItemRecord[]
}

export interface ItemDecision {
  line_no: number
  /** 0 returns the item; its received amount confirms it. */
  bet_satang: number
}

/**
 * The member's answer on a waiting ticket, until its deadline and without the cancel rules. Items that are not named are
 * confirmed; if all are returned the ticket is cancelled.
 * @throws Refusal not_found, invalid_status, confirm_over, bad_input (an amount that is neither 0 nor what was received)
 */
export async function confirmOrder(
  db: Db,
  caller: Caller,
  order_id: number,
  decisions: readonly ItemDecision[],
): Promise<Order> {
  await changeOrder(db, order_id, caller, async (held) => {
    mustOwn(held.order, caller)
    mustHaveStatus(held.order, ['WAIT_CONFIRM'])
    if (isConfirmOver(held.now.getTime(), held.order.placed_at.getTime(), held.period.close_at.getTime()))
      throw new Refusal('confirm_over')
    mustBePending(held.period)
    const released = listReturned(held.items, decisions)
    const isAllReturned = held.items.every((item) => item.received_satang === 0 || released.includes(item))
    await apply(held, { event: isAllReturned ? 'return_all' : 'confirm', actor_id: caller.user_id, released })
  })
  return getOrder(db, caller, order_id)
}

function listReturned(items: readonly OrderItemRecord[], decisions: readonly ItemDecision[]): OrderItemRecord[] {
  const undecided = new Map(items.map((item) => [item.line_no, item]))
  return decisions.flatMap(({ line_no, bet_satang }, index) => {
    const item = undecided.get(line_no)
    // An item is decided once: named twice, it would go back twice.
    undecided.delete(line_no)
    if (!item || (bet_satang !== 0 && bet_satang !== item.received_satang))
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: `/items/${index}`, rule: 'decision' }] })
    return bet_satang === 0 ? [item] : []
  })
}

/**
 * Cancels the caller's own ticket: a waiting one until its deadline, a confirmed one inside the cancel window.
 * @param seen the status the member saw; another one now is told, not overridden
 * @throws Refusal not_found, invalid_status, confirm_over, and what `requireCancellable` refuses
 */
export async function cancelOrder(db: Db, caller: Caller, order_id: number, seen: OrderStatus): Promise<Order> {
  await changeOrder(db, order_id, caller, async (held) => {
    mustOwn(held.order, caller)
    mustHaveStatus(held.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    if (seen !== held.order.status) throw new Refusal('invalid_status', { status: held.order.status })
    if (held.order.status === 'CONFIRMED') await requireCancellable(held)
    else if (isConfirmOver(held.now.getTime(), held.order.placed_at.getTime(), held.period.close_at.getTime()))
      throw new Refusal('confirm_over')
    mustBePending(held.period)
    await apply(held, { event: 'cancel', actor_id: caller.user_id, released: held.items })
  })
  return getOrder(db, caller, order_id)
}

/**
 * A confirmed ticket is cancelled by the rules of its market (§4 of the domain rules).
 * @throws Refusal cancel_window_over, too_close_to_close, too_many_cancelled
 */
async function requireCancellable({ tx, period, order }: Held): Promise<void> {
  // Serialises cancels of one member, so that each sees the count of those before it. The wait may outlast a limit.
  await lockCashAccounts(tx, [order.user_id])
  const attempt = {
    nowMs: (await readClock(tx)).getTime(),
    placedAtMs: order.placed_at.getTime(),
    closeAtMs: period.close_at.getTime(),
    cancelled_tickets: await countCancelled(tx, order),
  }
  const [problem] = checkCancel(attempt, await getCancelRules(tx, period.product_code))
  if (problem) throw new Refusal(problem)
}

/**
 * Deletes a ticket before the close, by an upline of its owner or the office.
 * @throws Refusal not_found, not_allowed, invalid_status, use_void (the period is closed)
 */
export async function deleteOrder(db: Db, caller: Caller, order_id: number, reason: string): Promise<Order> {
  await changeOrder(db, order_id, caller, async (held) => {
    if (!caller.is_office && !held.order.upline_ids.includes(caller.user_id)) throw new Refusal('not_allowed')
    if (held.period.status !== 'open') throw new Refusal('use_void')
    mustBePending(held.period)
    mustHaveStatus(held.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    await apply(held, { event: 'delete', actor_id: caller.user_id, reason, released: held.items })
  })
  return getOrder(db, caller, order_id)
}

/**
 * Voids a ticket after the close: the first office user's call asks for it, a second, different one's does it.
 * @throws Refusal not_found, period_still_open, period_voided, period_settled, invalid_status, void_same_person
 */
export async function voidOrder(
  db: Db,
  caller: Caller,
  order_id: number,
  reason: string,
): Promise<'requested' | 'voided'> {
  return changeOrder(db, order_id, caller, async (held) => {
    if (held.period.status === 'open' || held.period.status === 'upcoming') throw new Refusal('period_still_open')
    mustBePending(held.period)
    mustHaveStatus(held.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    const request = await findVoidRequest(held.tx, order_id)
    if (!request) {
      await insertVoidRequest(held.tx, order_id, caller.user_id, reason)
      return 'requested'
    }
    if (request.requested_by === caller.user_id) throw new Refusal('void_same_person')
    await approveVoidRequest(held.tx, order_id, caller.user_id)
    await apply(held, { event: 'delete', name: 'void', actor_id: caller.user_id, reason, released: held.items })
    return 'voided'
  })
}

const EXPIRED_PER_ROUND = 200

/**
 * Takes as confirmed every ticket whose time is over. Any node may call it at any time. @returns how many there were
 * @param onExpired told of each ticket, once that is written
 */
export async function expireDueOrders(db: Db, onExpired?: (owner: OrderOwner) => void): Promise<number> {
  const order_ids = await listExpiredOrderIds(db, EXPIRED_PER_ROUND)
  for (const order_id of order_ids) {
    const expired = await expireOrder(db, order_id)
    if (expired) onExpired?.(expired)
  }
  if (order_ids.length < EXPIRED_PER_ROUND) return order_ids.length
  return order_ids.length + (await expireDueOrders(db, onExpired))
}

async function expireOrder(db: Db, order_id: number): Promise<OrderOwner | undefined> {
  return changeOrder(db, order_id, null, async (held) => {
    const { now, order, period } = held
    // Somebody may have decided since it was listed: exactly one wins.
    if (order.status !== 'WAIT_CONFIRM') return undefined
    if (!isConfirmOver(now.getTime(), order.placed_at.getTime(), period.close_at.getTime())) return undefined
    await apply(held, { event: 'expire', actor_id: null, released: [] })
    return { user_id: order.user_id, period_code: period.period_code }
  })
}

/**
 * Takes as confirmed what still waits in a closed period, as a part of settling it. It locks cash: a transaction that has
 * done it must not lock that of others, or it would wait in a circle with a batch of another period.
 * @returns how many there were
 */
export async function expireOrdersOfPeriod(tx: Tx, period: PeriodRecord): Promise<number> {
  const waiting: LockedOrder[] = []
  for (const order_id of await listWaitingOrderIds(tx, period.period_id)) {
    const order = await lockOrder(tx, order_id)
    if (order.status === 'WAIT_CONFIRM') waiting.push(order)
  }
  if (waiting.length === 0) return 0
  const now = await readClock(tx)
  await lockCashAccounts(tx, [...new Set(waiting.map(({ user_id }) => user_id))])
  for (const order of waiting) {
    const items = await listItems(tx, order.order_id)
    await apply({ tx, now, period, order, items }, { event: 'expire', actor_id: null, released: [] })
  }
  return waiting.length
}

/** Opens a transaction that holds the period and the ticket. @throws Refusal not_found for those who may not see it */
async function changeOrder<Result>(
  db: Db,
  order_id: number,
  caller: Caller | null,
  change: (held: Held) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    const owner = await findOrderOwner(tx, order_id)
    if (!owner) throw new Refusal('not_found')
    const period = (await findSharedPeriod(tx, owner.period_code))!
    const order = await lockOrder(tx, order_id)
    if (caller && !mayReach(caller, order)) throw new Refusal('not_found')
    // After the locks: the wait for them may have outlasted a deadline.
    const now = await readClock(tx)
    const items = await listItems(tx, order_id)
    return change({ tx, now, period, order, items })
  })
}

function mustOwn(order: LockedOrder, caller: Caller): void {
  if (order.user_id !== caller.user_id) throw new Refusal('not_allowed')
}

/** Once its period is settled or void, a ticket stays as it is, whatever the clock says. @throws Refusal period_settled, period_voided */
function mustBePending({ outcome }: PeriodRecord): void {
  if (outcome === 'voiding' || outcome === 'void') throw new Refusal('period_voided')
  if (outcome !== 'pending') throw new Refusal('period_settled')
}

function mustHaveStatus(order: LockedOrder, statuses: readonly OrderStatus[]): void {
  if (!statuses.includes(order.status)) throw new Refusal('invalid_status', { status: order.status })
}

/** Moves status, money and quotas together, and writes down who did it. */
async function apply({ tx, order, items, period }: Held, change: Change): Promise<void> {
  const to = nextStatus(order.status, change.event)
  if (!to) throw new Refusal('invalid_status', { status: order.status })
  const isEnded = to === 'CANCELLED' || to === 'DELETED'
  const account = (await lockCashAccounts(tx, [order.user_id])).get(order.user_id)!
  const accounts = {
    cash: account.account_id,
    held: (await findHeldAccountIds(tx, [order.user_id])).get(order.user_id)!,
    period: await getPeriodAccountId(tx, period.period_id),
  }
  const quotas = await holdQuotas(tx, period.period_code, change.released)
  for (const item of change.released) quotas.add(item, -item.received_satang)
  await quotas.save(tx)

  const back = netOf(change.released)
  const stays = netOf(items) - back
  await postEntries(tx, listEntries(order, change.actor_id, accounts, { back, stays }))
  // What is returned line by line is set to 0; a ticket that is cancelled or deleted keeps its amounts, to be seen.
  const returned = change.event === 'return_all' ? items : isEnded ? [] : change.released
  if (returned.length > 0)
    await returnLines(
      tx,
      order.order_id,
      returned.map((item) => item.line_no),
    )
  const isDecided = change.event === 'confirm' || change.event === 'return_all'
  await setStatus(tx, order.order_id, to, { isDecided, cancelled_by: isEnded ? change.actor_id : null })
  await insertOrderEvent(tx, {
    order_id: order.order_id,
    event: change.name ?? change.event,
    from_status: order.status,
    to_status: to,
    actor_id: change.actor_id,
    reason: change.reason ?? null,
    details: detailsOf(change),
  })
}

/** What went back; and of a ticket that stands otherwise, which lines its member took back though the house took them as asked. */
function detailsOf({ event, released }: Change): object | null {
  if (released.length === 0) return null
  const details = { released: released.map(({ line_no, received_satang }) => ({ line_no, received_satang })) }
  const taken_back = event === 'confirm' ? released.filter(isAsAsked).map(({ line_no }) => line_no) : []
  return taken_back.length === 0 ? details : { ...details, taken_back }
}

function isAsAsked(item: OrderItemRecord): boolean {
  return item.received_satang === item.asked_satang && item.rate === item.rate_seen && !item.is_half_pay
}

function netOf(items: readonly OrderItemRecord[]): number {
  return items.reduce((sum, item) => sum + item.received_satang - item.discount_satang, 0)
}

/** A waiting ticket's money lies in `held`: what stays goes to the period, what goes back to cash. A confirmed one is refunded. */
function listEntries(
  order: LockedOrder,
  actor_id: number | null,
  accounts: { cash: number; held: number; period: number },
  { back, stays }: { back: number; stays: number },
): Entry[] {
  const { order_id } = order
  const move = (kind: Entry['kind'], from_account_id: number, to_account_id: number, amount_satang: number): Entry[] =>
    amount_satang === 0
      ? []
      : [{ kind, order_id, once_key: `${kind}:${order_id}`, actor_id, from_account_id, to_account_id, amount_satang }]
  if (order.status === 'CONFIRMED') return move('refund', accounts.period, accounts.cash, back)
  return [
    ...move('bet_release', accounts.held, accounts.cash, back),
    ...move('bet', accounts.held, accounts.period, stays),
  ]
}
