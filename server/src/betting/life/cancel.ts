// A member cancels its own ticket.

import type { Order, OrderStatus } from '@megalot/contract'
import { checkCancel, isConfirmOver } from '@megalot/rules'
import type { Caller } from '../../http/caller.ts'
import { type Db, readClock } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import { getCancelRules } from '../../markets/index.ts'
import { getOrder } from '../read/present-order.ts'
import {
  applyChange,
  changeOrder,
  type TicketNow,
  requireOwner,
  requirePending,
  requireStatus,
  timeOfDecision,
} from './apply-change.ts'
import { countCancelled, type LockedOrder } from './life.store.ts'

/**
 * Cancels the caller's own ticket: a waiting one until its deadline, a confirmed one within the cancel window.
 * @param seen the status that the member saw; if it has changed, the call is refused
 * @throws Refusal not_found, invalid_status, confirm_over, and those of `requireCancellable`
 */
export async function cancelOrder(db: Db, caller: Caller, order_id: number, seen: OrderStatus): Promise<Order> {
  const refuse = (order: Pick<LockedOrder, 'user_id' | 'status'>): void => {
    requireOwner(order, caller)
    requireStatus(order, ['WAIT_CONFIRM', 'CONFIRMED'])
    if (seen !== order.status) throw new Refusal('invalid_status', { status: order.status })
  }
  const cancel = async (locked: TicketNow): Promise<void> => {
    if (locked.order.status === 'CONFIRMED') await requireCancellable(locked)
    else if (isConfirmOver(locked.now.getTime(), locked.order.placed_at.getTime(), locked.period.close_at.getTime()))
      throw new Refusal('confirm_over')
    requirePending(locked.period)
    await applyChange(locked, { event: 'cancel', actor_id: caller.actor_id, released: locked.items })
  }
  await changeOrder(db, order_id, caller, cancel, refuse)
  return getOrder(db, caller, order_id)
}

/**
 * Checks the market's cancel rules for a confirmed ticket.
 * @throws Refusal cancel_window_over, too_close_to_close, too_many_cancelled
 */
async function requireCancellable({ tx, now, period, order }: TicketNow): Promise<void> {
  const rules = await getCancelRules(tx, period.product_code)
  const checkRules = (at: Date, cancelled_tickets: number): void => {
    const attempt = {
      nowMs: at.getTime(),
      placedAtMs: order.placed_at.getTime(),
      closeAtMs: period.close_at.getTime(),
      cancelled_tickets,
    }
    const [problem] = checkCancel(attempt, rules)
    if (problem) throw new Refusal(problem)
  }
  // A late cancel waits for no further lock, and counts nothing.
  checkRules(now, 0)
  // Serialises a member's cancels, so that each sees the count of earlier ones. The wait may outlast a limit. A
  // settlement locks the account before the ticket, so once the period is decided this lock could deadlock.
  if (period.outcome === 'pending') await lockCashAccounts(tx, [order.user_id])
  checkRules(timeOfDecision(await readClock(tx), period), await countCancelled(tx, order, rules.max_tickets))
}
