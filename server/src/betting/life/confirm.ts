// A member confirms or returns the items of a waiting ticket.

import type { Order } from '@megalot/contract'
import { isConfirmOver } from '@megalot/rules'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { OrderItemRecord } from '../read/orders.store.ts'
import { getOrder } from '../read/present-order.ts'
import {
  applyChange,
  changeOrder,
  type TicketNow,
  requireOwner,
  requirePending,
  requireStatus,
} from './apply-change.ts'
import type { LockedOrder } from './life.store.ts'

export interface ItemDecision {
  line_no: number
  /** 0 returns the item; its bet or its received amount confirms it. */
  bet_satang: number
  /** The received amount that the member saw. */
  received_satang?: number | undefined
}

/**
 * Confirms or returns the items of a waiting ticket, until its deadline, regardless of the cancel rules. Unnamed items
 * are confirmed; if all are returned the ticket is cancelled.
 * @throws Refusal not_found, invalid_status, confirm_over, bad_input (an amount that is not the item's)
 */
export async function confirmOrder(
  db: Db,
  caller: Caller,
  order_id: number,
  decisions: readonly ItemDecision[],
): Promise<Order> {
  const refuse = (order: Pick<LockedOrder, 'user_id' | 'status'>): void => {
    requireOwner(order, caller)
    requireStatus(order, ['WAIT_CONFIRM'])
  }
  const confirm = async (locked: TicketNow): Promise<void> => {
    if (isConfirmOver(locked.now.getTime(), locked.order.placed_at.getTime(), locked.period.close_at.getTime()))
      throw new Refusal('confirm_over')
    requirePending(locked.period)
    const released = listReturned(locked.items, decisions)
    const isAllReturned = locked.items.every((item) => item.received_satang === 0 || released.includes(item))
    await applyChange(locked, { event: isAllReturned ? 'return_all' : 'confirm', actor_id: caller.actor_id, released })
  }
  await changeOrder(db, order_id, caller, confirm, refuse)
  return getOrder(db, caller, order_id)
}

function listReturned(items: readonly OrderItemRecord[], decisions: readonly ItemDecision[]): OrderItemRecord[] {
  const undecided = new Map(items.map((item) => [item.line_no, item]))
  return decisions.flatMap(({ line_no, bet_satang, received_satang }, index) => {
    const item = undecided.get(line_no)
    // Each item is decided once; otherwise an item named twice would be returned twice.
    undecided.delete(line_no)
    const isOfItem = item && [0, item.bet_satang, item.received_satang].includes(bet_satang)
    if (!isOfItem || (received_satang ?? item.received_satang) !== item.received_satang)
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: `/items/${index}`, rule: 'decision' }] })
    return bet_satang === 0 ? [item] : []
  })
}
