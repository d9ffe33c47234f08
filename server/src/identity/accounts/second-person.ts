// Requests to void, which one person of the office makes and a second one decides: of tickets and of periods.

import type { Permission } from '@megalot/contract'
import { isOnePerson, listStillPermitted } from '../../changes/index.ts'
import type { Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockVoidRequestsOf } from './users.ts'

/** A request as it is under the lock of its ticket or period. */
export interface RequestToVoid {
  void_request_id: number
  requested_by: number
  isExpired: boolean
  isApproved: boolean
}

/**
 * How many requests to void a ticket one person, its assistants included, has waiting at a time, and how many to void a period: another
 * person has to read all of them.
 */
export const MAX_VOID_REQUESTS_OF_PERSON = 100

/**
 * The request that a call to void finds: one that has not expired, of somebody who may still make it.
 * @throws Refusal not_allowed (the caller has lost the permission meanwhile)
 */
export async function findStandingRequest<Request extends RequestToVoid>(
  tx: Tx,
  actor_id: number,
  request: Request | undefined,
  needs: Permission,
): Promise<Request | undefined> {
  const people = request ? [actor_id, request.requested_by] : [actor_id]
  const permitted = await listStillPermitted(tx, people, needs)
  if (!permitted.has(actor_id)) throw new Refusal('not_allowed')
  return request && !request.isExpired && permitted.has(request.requested_by) ? request : undefined
}

/**
 * The request that a call to void approves; none: the call asks for a void.
 * @param approves the void_request_id that its person has seen
 * @throws Refusal no_void_request (`approves`, and another request or none stands), void_same_person, void_requested (no `approves`,
 * and somebody else has asked)
 */
export async function findApprovedRequest<Request extends RequestToVoid>(
  tx: Tx,
  actor_id: number,
  standing: Request | undefined,
  approves: number | undefined,
): Promise<Request | undefined> {
  if (approves !== undefined && standing?.void_request_id !== approves) throw new Refusal('no_void_request')
  if (!standing) return undefined
  if (await isOnePerson(tx, standing.requested_by, actor_id)) throw new Refusal('void_same_person')
  if (approves === undefined) throw new Refusal('void_requested')
  return standing
}

/**
 * Asked before a request is written. The last lock of its transaction but the end of the audit log, which prevents deadlocks.
 * @param countWaiting how many requests of the person behind a user wait
 * @throws Refusal too_many_void_requests
 */
export async function refuseTooManyVoidRequests(
  tx: Tx,
  actor_id: number,
  countWaiting: (tx: Tx, user_id: number) => Promise<number>,
): Promise<void> {
  await lockVoidRequestsOf(tx, actor_id)
  if ((await countWaiting(tx, actor_id)) >= MAX_VOID_REQUESTS_OF_PERSON)
    throw new Refusal('too_many_void_requests', { most: MAX_VOID_REQUESTS_OF_PERSON })
}

/**
 * The request that a call rejects or withdraws.
 * @param void_request_id the one that its person has seen
 * @throws Refusal no_void_request (another request waits, or none: it was approved, rejected or withdrawn, or has expired)
 */
export function requireWaitingRequest<Request extends RequestToVoid>(
  request: Request | undefined,
  void_request_id: number,
): Request {
  if (request?.void_request_id !== void_request_id || request.isExpired || request.isApproved)
    throw new Refusal('no_void_request')
  return request
}
