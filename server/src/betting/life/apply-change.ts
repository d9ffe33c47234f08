// Common code of every change to a placed ticket: confirm, cancel, delete, void, expire. Each is one transaction that
// locks the period (shared), the ticket, the member's cash and the quotas, always in this order, which prevents
// deadlocks. Of two concurrent changes exactly one succeeds. `rules/src/order-status.ts` has the table of transitions.

import type { OrderStatus } from '@megalot/contract'
import { nextStatus, type OrderEvent, quotaSlotOf, slotOf } from '@megalot/rules'
import { type Caller, canAccess } from '../../http/caller.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import { type Db, readClock, type Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { type Entry, findHeldAccountIds, getPeriodAccountId, lockCashAccounts, postEntries } from '../ledger/index.ts'
import { findSharedPeriod, type PeriodRecord } from '../../markets/index.ts'
import { createQuotaUse, lockQuotasOf, saveQuotaUse } from '../../markets/quotas/index.ts'
import { listItems, type OrderItemRecord } from '../read/orders.store.ts'
import { findOrderOwner } from '../read/order-owner.ts'
import { insertOrderEvent, type LockedOrder, lockOrder, returnLines, setStatus } from './life.store.ts'

/** A ticket and its period, locked by the transaction that changes it. */
export interface LockedTicket {
  tx: Tx
  period: PeriodRecord
  order: LockedOrder
  items: OrderItemRecord[]
}

export interface TicketNow extends LockedTicket {
  /** The time of the decision. */
  now: Date
}

/** The effect of a change on a ticket. */
export interface Change {
  event: OrderEvent
  /** The event's name, if it differs from the transition: a void is a delete by two people. */
  name?: string
  /** Null for the system. */
  actor_id: number | null
  reason?: string
  /** Items whose stake is returned to the member. */
  released: readonly OrderItemRecord[]
}

/**
 * Opens a transaction that locks the period (shared) and the ticket.
 * @param refuse throws if the ticket's state forbids the change. Called before any lock, so that a refused call costs
 * one read, and again under the locks, because another change may have been first
 * @throws Refusal not_found for callers without access, and refusals of the session after waiting for the locks
 */
export async function changeOrder<Result>(
  db: Db,
  order_id: number,
  caller: Caller | null,
  change: (locked: TicketNow) => Promise<Result>,
  refuse: (order: Pick<LockedOrder, 'user_id' | 'status'>) => void = () => {},
): Promise<Result> {
  const owner = await findOrderOwner(db, order_id)
  // Callers without access wait for no lock and hold none. A ticket's owner never changes.
  if (!owner || (caller && !canAccess(caller, owner))) throw new Refusal('not_found')
  refuse(owner)
  return db.transaction().execute(async (tx) => {
    const period = (await findSharedPeriod(tx, owner.period_code))!
    const order = await lockOrder(tx, order_id)
    refuse(order)
    // After the locks, because the wait for them may have outlasted a deadline.
    const now = timeOfDecision(await readClock(tx), period)
    const items = await listItems(tx, order_id)
    const result = await change({ tx, now, period, order, items })
    // Last, because the change itself waits for locks.
    if (caller) await verifyCaller(tx, caller)
    return result
  })
}

/** At least the time of a noticed close, even if the clock has stepped back since. */
export function timeOfDecision(now: Date, { closed_at, close_at }: PeriodRecord): Date {
  return closed_at !== null && close_at > now ? close_at : now
}

export function requireOwner(order: Pick<LockedOrder, 'user_id'>, caller: Caller): void {
  if (order.user_id !== caller.principal_id) throw new Refusal('not_allowed')
}

/**
 * Tickets of a settled or void period never change, whatever the clock says.
 * @throws Refusal period_settled, period_voided
 */
export function requirePending({ outcome }: PeriodRecord): void {
  if (outcome === 'voiding' || outcome === 'void') throw new Refusal('period_voided')
  if (outcome !== 'pending') throw new Refusal('period_settled')
}

export function requireStatus(order: Pick<LockedOrder, 'status'>, statuses: readonly OrderStatus[]): void {
  if (!statuses.includes(order.status)) throw new Refusal('invalid_status', { status: order.status })
}

/**
 * Changes status, money and quotas together, and records who did it.
 * @throws Refusal invalid_status, and that of `refusalOfLate` if the period closed before the change was written
 */
export async function applyChange(locked: LockedTicket, change: Change): Promise<void> {
  try {
    await writeChange(locked, change)
  } catch (error) {
    throw violatedConstraint(error) === 'removals_in_time' ? refusalOfLate(locked.order, change) : error
  }
}

/** The same refusal as for a change decided after the close. */
function refusalOfLate({ status }: LockedOrder, { event }: Change): Refusal {
  if (event === 'delete') return new Refusal('use_void')
  return new Refusal(status === 'CONFIRMED' ? 'too_close_to_close' : 'confirm_over')
}

async function writeChange({ tx, order, items, period }: LockedTicket, change: Change): Promise<void> {
  const to = nextStatus(order.status, change.event)
  if (!to) throw new Refusal('invalid_status', { status: order.status })
  const isEnded = to === 'CANCELLED' || to === 'DELETED'
  const account = (await lockCashAccounts(tx, [order.user_id])).get(order.user_id)!
  const accounts = {
    cash: account.account_id,
    held: (await findHeldAccountIds(tx, [order.user_id])).get(order.user_id)!,
    period: await getPeriodAccountId(tx, period.period_id),
  }
  const slots = change.released.map(({ bet_type, number }) => slotOf(bet_type, number))
  const quotas = await lockQuotasOf(tx, period.period_code, slots)
  const use = createQuotaUse(quotas)
  for (const [index, item] of change.released.entries()) use.release(quotaSlotOf(slots[index]!), item.received_satang)
  await saveQuotaUse(tx, period.period_code, use, quotas)

  const back = netOf(change.released)
  const stays = netOf(items) - back
  await postEntries(tx, listEntries(order, change.actor_id, accounts, { back, stays }))
  // Returned items are set to 0; a cancelled or deleted ticket keeps its amounts for display.
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

/** The returned items. */
function detailsOf({ released }: Change): object | null {
  if (released.length === 0) return null
  return { released: released.map(({ line_no, received_satang }) => ({ line_no, received_satang })) }
}

function netOf(items: readonly OrderItemRecord[]): number {
  return items.reduce((sum, item) => sum + item.received_satang - item.discount_satang, 0)
}

/**
 * A waiting ticket's money is in `held`: the accepted part goes to the period, the rest to cash. A confirmed ticket is
 * refunded.
 */
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
      : [
          {
            kind,
            order_id,
            idempotency_key: `${kind}:${order_id}`,
            actor_id,
            from_account_id,
            to_account_id,
            amount_satang,
          },
        ]
  if (order.status === 'CONFIRMED') return move('refund', accounts.period, accounts.cash, back)
  return [
    ...move('bet_release', accounts.held, accounts.cash, back),
    ...move('bet', accounts.held, accounts.period, stays),
  ]
}
