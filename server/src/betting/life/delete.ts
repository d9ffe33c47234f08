// An upline or the office deletes a ticket before the close.

import type { Order } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getOrder } from '../read/present-order.ts'
import { auditDeletion } from './audit-removal.ts'
import { applyChange, changeOrder, requirePending, requireStatus } from './apply-change.ts'

/**
 * Deletes a ticket before the close, by an upline of its owner or the office.
 * @throws Refusal not_found, not_allowed, invalid_status, use_void (the period is closed)
 */
export async function deleteOrder(db: Db, caller: Caller, order_id: number, reason: string): Promise<Order> {
  await changeOrder(db, order_id, caller, async (locked) => {
    if (!caller.is_office && !locked.order.upline_ids.includes(caller.principal_id)) throw new Refusal('not_allowed')
    // The wait for the locks may have outlasted the close.
    if (locked.period.status !== 'open' || locked.now >= locked.period.close_at) throw new Refusal('use_void')
    requirePending(locked.period)
    requireStatus(locked.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    await applyChange(locked, { event: 'delete', actor_id: caller.actor_id, reason, released: locked.items })
    await auditDeletion(locked, caller, reason)
  })
  return getOrder(db, caller, order_id)
}
