// Voids in tests, which one person requests and another approves.

import { sql } from 'kysely'
import { voidPeriod } from '../src/results/index.ts'
import type { Db } from '../src/postgres/db.ts'
import type { TestCaller } from './test-app.ts'

export type VoidUrl = `/api/order/${number}/void` | `/api/admin/period/${string}/void`

/** The stored request to void, including an approved or expired one. */
export async function findVoidRequestId(owner: Db, url: VoidUrl): Promise<number | undefined> {
  const [, order_id = null] = /^\/api\/order\/(\d+)\/void$/.exec(url) ?? []
  const [, period_code = null] = /^\/api\/admin\/period\/(.+)\/void$/.exec(url) ?? []
  const { rows } = await sql<{ void_request_id: number }>`
    select void_request_id from void_requests where order_id = ${order_id}::bigint
    union all
    select void_request_id from period_voids join periods using (period_id) where period_code = ${period_code}`.execute(
    owner,
  )
  return rows[0]?.void_request_id
}

/** Approves the pending request, or makes one if there is none. */
export async function callVoid(owner: Db, by: TestCaller, url: VoidUrl, reason = 'for a test') {
  const approves = await findVoidRequestId(owner, url)
  // Both routes take and return the same.
  return by.post(url as '/api/order/1/void', approves === undefined ? { reason } : { reason, approves })
}

/** Rejects or withdraws the pending request; if there is none, one that does not exist. */
export async function endVoid(owner: Db, by: TestCaller, url: VoidUrl, reason = 'for a test') {
  const void_request_id = (await findVoidRequestId(owner, url)) ?? 1_000_000_000
  return by.post(`${url}/end` as '/api/order/1/void/end', { reason, void_request_id })
}

/** One person requests, the other approves. */
export async function voidPeriodByTwo(
  db: Db,
  [one, other]: readonly { user_id: number }[],
  period_code: string,
  reason = 'no draw',
): Promise<void> {
  const { void_request_id } = await voidPeriod(db, one!.user_id, period_code, reason)
  await voidPeriod(db, other!.user_id, period_code, reason, { approves: void_request_id })
}
