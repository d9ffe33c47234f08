// A waiting ticket counts as confirmed once its deadline has passed.

import { isConfirmOver } from '@megalot/rules'
import { type Db, readClock, type Tx } from '../../../platform/db.ts'
import { lockCashAccounts } from '../../ledger/index.ts'
import type { PeriodRecord } from '../../markets/index.ts'
import { listItems } from '../read/orders.store.ts'
import { applyChange, changeOrder } from './apply-change.ts'
import { listExpiredOrderIds, listWaitingOrderIds, type LockedOrder, lockOrder } from './life.store.ts'
import type { OrderOwner } from '../read/order-owner.ts'

const EXPIRED_PER_ROUND = 200

/**
 * Confirms every waiting ticket whose deadline has passed. Any node may call it at any time. @returns how many there
 * were
 * @param onExpired called for each ticket, once that is written
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
 * Confirms the waiting tickets of a closed period, as a part of settling it. It locks cash: a transaction that has
 * called it must not lock other members' cash, or it could deadlock with a batch of another period.
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
    await applyChange({ tx, now, period, order, items }, { event: 'expire', actor_id: null, released: [] })
  }
  return waiting.length
}
