// Two office users void a ticket after the close.

import { endVoidRequest as endVoidRequestRoute, voidOrder as voidOrderRoute } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type AuditRow, endWithPower, isOnePerson, isStillPermitted } from '../../changes/index.ts'
import {
  findApprovedRequest,
  findStandingRequest,
  refuseTooManyVoidRequests,
  requireWaitingRequest,
} from '../../identity/accounts/index.ts'
import { writeAudits } from '../../changes/audit/index.ts'
import { auditRemoval, auditRequest } from './audit-removal.ts'
import { applyChange, changeOrder, requirePending, requireStatus } from './apply-change.ts'
import {
  approveVoidRequest,
  countWaitingVoidRequestsOf,
  findVoidRequest,
  insertVoidRequest,
  removeVoidRequest,
  removeWaitingVoidRequests,
} from './life.store.ts'

/**
 * Voids a ticket after the close: the first office user's call requests it, a second, different one's, which names the request, executes it. A
 * request expires after 24 hours, or as soon as its office user was suspended or may no longer void tickets; the next one
 * replaces it.
 * @param options `approves`: the void_request_id that the caller has seen; the call makes no request where that one is gone
 * @throws Refusal not_found, not_allowed (the caller has lost the permission meanwhile), period_still_open, period_voided,
 * period_settled, invalid_status, no_void_request (`approves`, and that one does not wait), void_same_person, void_requested
 * (no `approves`, and somebody else has asked), too_many_void_requests (`MAX_VOID_REQUESTS_OF_PERSON`)
 */
export async function voidOrder(
  db: Db,
  caller: Caller,
  order_id: number,
  reason: string,
  { approves }: { approves?: number | undefined } = {},
): Promise<{ state: 'requested' | 'voided'; void_request_id: number }> {
  return changeOrder(db, order_id, caller, async (locked) => {
    const request = await findVoidRequest(locked.tx, order_id)
    const standing = await findStandingRequest(locked.tx, caller.actor_id, request, voidOrderRoute.needs)
    if (locked.period.status === 'open' || locked.period.status === 'upcoming') throw new Refusal('period_still_open')
    requirePending(locked.period)
    requireStatus(locked.order, ['WAIT_CONFIRM', 'CONFIRMED'])
    const approved = await findApprovedRequest(locked.tx, caller.actor_id, standing, approves)
    if (!approved) {
      await refuseTooManyVoidRequests(locked.tx, caller.actor_id, countWaitingVoidRequestsOf)
      if (request) await removeVoidRequest(locked.tx, order_id)
      const void_request_id = await insertVoidRequest(locked.tx, order_id, caller.actor_id, reason)
      await auditRequest(locked, caller, reason, request?.requested_by)
      return { state: 'requested', void_request_id }
    }
    await approveVoidRequest(locked.tx, order_id, caller.actor_id)
    await applyChange(locked, {
      event: 'delete',
      name: 'void',
      actor_id: caller.actor_id,
      reason,
      released: locked.items,
    })
    await auditRemoval(locked, 'void_order', caller, reason, approved.requested_by)
    return { state: 'voided', void_request_id: approved.void_request_id }
  })
}

/**
 * Ends a request to void a ticket, which stays as it is: the office user who asked withdraws it, as a person; another one
 * rejects it.
 * @throws Refusal not_found, not_allowed (the caller has lost the permission meanwhile), no_void_request (that one
 * does not wait: it was approved, rejected or withdrawn, or has expired)
 */
export async function endVoidRequest(
  db: Db,
  caller: Caller,
  order_id: number,
  { reason, void_request_id }: { reason: string; void_request_id: number },
): Promise<'rejected' | 'withdrawn'> {
  return changeOrder(db, order_id, caller, async (locked) => {
    if (!(await isStillPermitted(locked.tx, caller.actor_id, endVoidRequestRoute.needs)))
      throw new Refusal('not_allowed')
    const request = requireWaitingRequest(await findVoidRequest(locked.tx, order_id), void_request_id)
    const isOwn = await isOnePerson(locked.tx, request.requested_by, caller.actor_id)
    await removeVoidRequest(locked.tx, order_id)
    await auditRemoval(
      locked,
      isOwn ? 'withdraw_order_void' : 'reject_order_void',
      caller,
      reason,
      request.requested_by,
    )
    return isOwn ? 'withdrawn' : 'rejected'
  })
}

/**
 * Ends the requests to void a ticket of users who have lost their power; the tickets stay as they are. Records are not written yet: whoever
 * decides one of these requests may hold its row, and wait for the end of the log.
 */
async function endVoidRequestsOf(tx: Tx, users: readonly number[], how: 'reject' | 'withdraw'): Promise<AuditRow[]> {
  const ended = await removeWaitingVoidRequests(tx, users)
  return ended.map(({ order_id, user_id, status, period_code, net_satang, requested_by }) => ({
    ...{ action: `${how}_order_void`, subject: `order:${order_id}`, subject_user_id: user_id },
    before: { status, period_code, net_satang },
    after: { status, void_requested: false, requested_by },
  }))
}
endWithPower(endVoidRequestsOf)

/** Ends every request to void a ticket that waits for a second person; the tickets stay as they are. @returns how many */
export async function endEveryVoidRequest(tx: Tx, reason: string): Promise<number> {
  const ended = await removeWaitingVoidRequests(tx)
  await writeAudits(
    tx,
    ended.map(({ order_id, user_id, requested_by }) => ({
      ...{ actor_id: null, action: 'end_request', subject: `order:${order_id}`, subject_user_id: user_id, reason },
      after: { void_requested: false, requested_by },
    })),
  )
  return ended.length
}
