// Audit rows for tickets that someone other than the member removes from a period.

import type { Caller } from '../../http/caller.ts'
import { actorOf, writeAudit } from '../../changes/audit/index.ts'
import type { LockedTicket } from './apply-change.ts'

export function auditDeletion(locked: LockedTicket, caller: Caller, reason: string): Promise<void> {
  const after = { status: 'DELETED' }
  return writeAudit(locked.tx, { ...actorOf(caller), action: 'delete_order', ...describeTicket(locked), after, reason })
}

export function describeTicket({
  order: { order_id, user_id, status },
  period: { period_code },
  items,
}: Pick<LockedTicket, 'order' | 'period' | 'items'>) {
  const net_satang = items.reduce((sum, item) => sum + item.received_satang - item.discount_satang, 0)
  return {
    ...{ subject: `order:${order_id}`, subject_user_id: user_id },
    before: { status, period_code, net_satang },
  }
}
