// The audit of tickets that somebody else than the member takes out of a period.

import type { Caller } from '../../../platform/caller.ts'
import { writeAudit } from '../../audit/index.ts'
import type { LockedTicket } from './apply-change.ts'

export type EndOfRequest = 'reject_order_void' | 'withdraw_order_void'

/** What leaves the ticket as it is, and whether a request waits afterwards. */
const kept = { request_order_void: true, reject_order_void: false, withdraw_order_void: false } as const

/** @param requested_by who requested a void that is now approved or ended */
export function auditRemoval(
  { tx, order, period, items }: LockedTicket,
  action: 'delete_order' | 'request_order_void' | 'void_order' | EndOfRequest,
  { actor_id }: Caller,
  reason: string,
  requested_by?: number,
): Promise<void> {
  const { order_id, user_id, status } = order
  const net_satang = items.reduce((sum, item) => sum + item.received_satang - item.discount_satang, 0)
  const state = { period_code: period.period_code, net_satang }
  const removed = action in kept ? { status, void_requested: kept[action as keyof typeof kept] } : { status: 'DELETED' }
  const after = requested_by === undefined ? removed : { ...removed, requested_by }
  const subject = { subject: `order:${order_id}`, subject_user_id: user_id }
  return writeAudit(tx, { actor_id, action, ...subject, before: { status, ...state }, after, reason })
}
