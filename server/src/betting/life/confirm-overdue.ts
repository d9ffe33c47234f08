// Overdue tickets: a waiting ticket is confirmed once its deadline has passed. In the contract and in `order_events`
// this is the event `expire`.

import { isConfirmOver } from '@megalot/rules'
import { type Db, isLockTimeout, readClock, type Tx } from '../../postgres/db.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import type { PeriodRecord } from '../../markets/index.ts'
import { listItems } from '../read/orders.store.ts'
import { applyChange, changeOrder } from './apply-change.ts'
import { listOverdueOrders, listWaitingOrderIds, type LockedOrder, lockOrder } from './life.store.ts'
import type { OrderOwner } from '../read/order-owner.ts'

/** How many tickets are listed at once. */
const LISTED_AT_ONCE = 50
/** How many waiting tickets of a period being settled are confirmed per transaction. */
const CONFIRMED_IN_TRANSACTION = 100
/**
 * After this many lock timeouts in a period, a run leaves its remaining tickets to the next run, because each wait
 * takes seconds.
 */
const MAX_LOCK_TIMEOUTS = 2

/**
 * Confirms every waiting ticket whose deadline has passed. Any node may call it at any time. A failing ticket does not
 * prevent others from being confirmed.
 * @returns how many were confirmed
 * @param onConfirmed called for each ticket, once written
 * @throws Error with the number of failures, after all others are confirmed, with the first error as its cause
 */
export async function confirmOverdueOrders(db: Db, onConfirmed?: (owner: OrderOwner) => void): Promise<number> {
  const failures: { order_id: number; error: unknown }[] = []
  const lockTimeouts = new Map<number, number>()
  let confirmed = 0
  let listed: { order_id: number; period_id: number }[] = []
  do {
    // Each list continues after the previous one, so a failed or undecided ticket is not listed again.
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
        // Ends the run if the database is unavailable; otherwise each ticket would wait for it in vain.
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
    // Someone may have decided since the list was read; exactly one change succeeds.
    if (order.status !== 'WAIT_CONFIRM') return undefined
    if (!isConfirmOver(now.getTime(), order.placed_at.getTime(), period.close_at.getTime())) return undefined
    await applyChange(locked, { event: 'expire', actor_id: null, released: [] })
    return { user_id: order.user_id, period_code: period.period_code }
  })
}

/**
 * Confirms the next waiting tickets of a closed period, as part of settling it. It locks cash, so a transaction that
 * has called it must not lock other members' cash, or it could deadlock with a batch of another period.
 * @param limit at most this many, because bets of their members wait for the transaction
 * @returns how many there were, including those decided meanwhile; 0 if none waits any more
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
  await lockCashAccounts(tx, [...new Set(waiting.map(({ user_id }) => user_id))])
  for (const order of waiting) {
    const items = await listItems(tx, order.order_id)
    await applyChange({ tx, period, order, items }, { event: 'expire', actor_id: null, released: [] })
  }
  return order_ids.length
}
