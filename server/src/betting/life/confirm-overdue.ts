// Overdue tickets: a waiting ticket is confirmed once its deadline has passed. On the wire and in `order_events` this is
// the event `expire`.

import { isConfirmOver } from '@megalot/rules'
import { type Db, isLockTimeout, readClock, type Tx } from '../../postgres/db.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import type { PeriodRecord } from '../../markets/index.ts'
import { listItems } from '../read/orders.store.ts'
import { applyChange, changeOrder } from './apply-change.ts'
import { listOverdueOrders, listWaitingOrderIds, type LockedOrder, lockOrder } from './life.store.ts'
import type { OrderOwner } from '../read/order-owner.ts'

/** How many tickets are listed at once. */
const LISTED_AT_ONCE = 200
/** How many waiting tickets of a period that is settled are confirmed in one transaction. */
const CONFIRMED_IN_TRANSACTION = 100
/** After so many waits for locks of a period in vain a run leaves its other tickets to the next one: each wait takes seconds. */
const MAX_LOCK_TIMEOUTS = 2

/**
 * Confirms every waiting ticket whose deadline has passed. Any node may call it at any time. A ticket that fails keeps no other from its
 * confirmation. @returns how many were confirmed
 * @param onConfirmed called for each ticket, once that is written
 * @throws Error how many failed, after all others are confirmed, with the first one's error as its cause
 */
export async function confirmOverdueOrders(db: Db, onConfirmed?: (owner: OrderOwner) => void): Promise<number> {
  const failures: { order_id: number; error: unknown }[] = []
  const lockTimeouts = new Map<number, number>()
  let confirmed = 0
  let listed: { order_id: number; period_id: number }[] = []
  do {
    // Each list goes on behind the last one: a ticket that fails, or is not decided, is not listed again.
    listed = await listOverdueOrders(db, { after: listed.at(-1)?.order_id ?? 0, limit: LISTED_AT_ONCE })
    for (const { order_id, period_id } of listed) {
      const timeouts = lockTimeouts.get(period_id) ?? 0
      if (timeouts === MAX_LOCK_TIMEOUTS) continue
      try {
        const owner = await confirmOverdueOrder(db, order_id)
        if (!owner) continue
        confirmed += 1
        onConfirmed?.(owner)
      } catch (error) {
        failures.push({ order_id, error })
        if (isLockTimeout(error)) lockTimeouts.set(period_id, timeouts + 1)
        // Without the database no other ticket would succeed, and each would wait for it: this ends the run.
        await readClock(db)
      }
    }
  } while (listed.length === LISTED_AT_ONCE)
  const [first] = failures
  if (first)
    throw new Error(`${failures.length} overdue tickets were not confirmed, the first is ${first.order_id}`, {
      cause: first.error,
    })
  return confirmed
}

async function confirmOverdueOrder(db: Db, order_id: number): Promise<OrderOwner | undefined> {
  return changeOrder(db, order_id, null, async (locked) => {
    const { now, order, period } = locked
    // Somebody may have decided since the list was read: exactly one change succeeds.
    if (order.status !== 'WAIT_CONFIRM') return undefined
    if (!isConfirmOver(now.getTime(), order.placed_at.getTime(), period.close_at.getTime())) return undefined
    await applyChange(locked, { event: 'expire', actor_id: null, released: [] })
    return { user_id: order.user_id, period_code: period.period_code }
  })
}

/**
 * Confirms the next waiting tickets of a closed period, as a part of settling it. It locks cash: a transaction that has
 * called it must not lock other members' cash, or it could deadlock with a batch of another period.
 * @param limit how many at most; bets of their members wait for the transaction
 * @returns how many there were, also where somebody has decided them meanwhile; 0: none waits any more
 */
export async function confirmWaitingOrders(
  tx: Tx,
  period: PeriodRecord,
  limit = CONFIRMED_IN_TRANSACTION,
): Promise<number> {
  const order_ids = await listWaitingOrderIds(tx, period.period_id, limit)
  if (order_ids.length === 0) return 0
  const waiting: LockedOrder[] = []
  for (const order_id of order_ids) {
    const order = await lockOrder(tx, order_id)
    if (order.status === 'WAIT_CONFIRM') waiting.push(order)
  }
  const now = await readClock(tx)
  await lockCashAccounts(tx, [...new Set(waiting.map(({ user_id }) => user_id))])
  for (const order of waiting) {
    const items = await listItems(tx, order.order_id)
    await applyChange({ tx, now, period, order, items }, { event: 'expire', actor_id: null, released: [] })
  }
  return order_ids.length
}
