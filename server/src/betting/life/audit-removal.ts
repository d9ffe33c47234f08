// Audit rows for tickets that someone other than the member removes from a period.

import type { Caller } from '../../http/caller.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import type { LockedTicket } from './apply-change.ts'

export type EndOfRequest = 'reject_order_void' | 'withdraw_order_void'

/** @param requested_by who requested a void that is now approved or ended */
export function auditRemoval(
  locked: LockedTicket,
  action: 'delete_order' | 'void_order' | EndOfRequest,
  { actor_id }: Caller,
  reason: string,
  requested_by?: number,
): Promise<void> {
  const isRemoved = action === 'delete_order' || action === 'void_order'
  const removed = isRemoved ? { status: 'DELETED' } : { status: locked.order.status, void_requested: false }
  const after = requested_by === undefined ? removed : { ...removed, requested_by }
  return writeAudit(locked.tx, { actor_id, action, ...describeTicket(locked), after, reason })
}

/** @param replaced who made the request that this one replaces, if any */
export function auditRequest(
  locked: LockedTicket,
  { actor_id }: Caller,
  reason: string,
  replaced?: number,
): Promise<void> {
  const { before, ...subject } = describeTicket(locked)
  return writeAudit(locked.tx, {
    ...{ actor_id, action: 'request_order_void', ...subject, reason },
    before: replaced === undefined ? before : { ...before, requested_by: replaced },
    after: { status: locked.order.status, void_requested: true },
  })
}

function describeTicket({ order: { order_id, user_id, status }, period: { period_code }, items }: LockedTicket) {
  const net_satang = items.reduce((sum, item) => sum + item.received_satang - item.discount_satang, 0)
  return {
    ...{ subject: `order:${order_id}`, subject_user_id: user_id },
    before: { status, period_code, net_satang },
  }
}
