// Two office users void a ticket after the close.

import { voidOrder as voidOrderRoute } from '@megalot/contract'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isOnePerson, isStillPermitted } from '../../accounts/index.ts'
import { auditRemoval } from './audit-removal.ts'
import { applyChange, changeOrder, requirePending, requireStatus } from './apply-change.ts'
import { approveVoidRequest, findVoidRequest, insertVoidRequest, removeVoidRequest } from './life.store.ts'

/**
 * Voids a ticket after the close: the first office user's call requests it, a second, different one's executes it. A
 * request expires after 24 hours, or as soon as its office user was suspended or may no longer void tickets; the next one
 * replaces it.
 * @throws Refusal not_found, period_still_open, period_voided, period_settled, invalid_status, void_same_person
 */
export async function voidOrder(
  db: Db,
  caller: Caller,
  order_id: number,
  reason: string,
): Promise<'requested' | 'voided'> {
  return changeOrder(db, order_id, caller, async (locked) => {
    if (locked.period.status === 'open' || locked.period.status === 'upcoming') throw new Refusal('period_still_open')
    requirePending(locked.period)
    requireStatus(locked.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    const request = await findVoidRequest(locked.tx, order_id)
    const stands =
      request && !request.isExpired && (await isStillPermitted(locked.tx, request.requested_by, voidOrderRoute.needs))
    if (!request || !stands) {
      if (request) await removeVoidRequest(locked.tx, order_id)
      await insertVoidRequest(locked.tx, order_id, caller.actor_id, reason)
      await auditRemoval(locked, 'request_order_void', caller, reason)
      return 'requested'
    }
    if (await isOnePerson(locked.tx, request.requested_by, caller.actor_id)) throw new Refusal('void_same_person')
    await approveVoidRequest(locked.tx, order_id, caller.actor_id)
    await applyChange(locked, {
      event: 'delete',
      name: 'void',
      actor_id: caller.actor_id,
      reason,
      released: locked.items,
    })
    await auditRemoval(locked, 'void_order', caller, reason, request.requested_by)
    return 'voided'
  })
}
