// Voids in tests, which one person proposes and another approves.

import { permissions } from '@megalot/contract'
import { sql } from 'kysely'
import { approveProposal, proposeApproval } from '../src/changes/approvals/index.ts'
import type { ChangeCaller } from '../src/changes/index.ts'
import type { Db } from '../src/postgres/db.ts'
import { makeProposal } from './approvals.ts'
import type { TestCaller } from './test-app.ts'

export type VoidSubject = `order:${number}` | `period:${string}`

export function makeVoid(subject: VoidSubject, reason = 'for a test') {
  const [, form, key = ''] = /^(\w+):(.*)$/.exec(subject)!
  return form === 'order'
    ? makeProposal('void_order', { order_id: Number(key) }, reason)
    : makeProposal('void_period', { period_code: key }, reason)
}

/** The proposal to void it that waits. */
export async function findVoid(owner: Db, subject: VoidSubject): Promise<number | undefined> {
  const { rows } = await sql<{ approval_id: number }>`
    select approval_id from approvals where subject = ${subject} and kind in ('void_order', 'void_period')
      and state = 'waiting' and expires_at > clock_timestamp()`.execute(owner)
  return rows[0]?.approval_id
}

export const askVoid = (by: TestCaller, subject: VoidSubject, reason?: string) =>
  by.post('/api/admin/approval/propose', makeVoid(subject, reason))

/** Approves the proposal that waits; proposes it where none does. */
export async function callVoid(owner: Db, by: TestCaller, subject: VoidSubject, reason = 'for a test') {
  const approval_id = await findVoid(owner, subject)
  return approval_id === undefined
    ? askVoid(by, subject, reason)
    : by.post(`/api/admin/approval/${approval_id}/approve`, { reason })
}

/** Somebody of the office, who may do everything. */
const officeUser = ({ user_id }: { user_id: number }): ChangeCaller => ({
  ...{ actor_id: user_id, principal_id: user_id, is_office: true },
  permissions: new Set(permissions),
})

/** @returns its approval_id */
export async function proposeVoid(
  db: Db,
  by: { user_id: number },
  subject: VoidSubject,
  reason?: string,
): Promise<number> {
  return (await proposeApproval(db, officeUser(by), makeVoid(subject, reason))).approval_id
}

export async function approveVoid(db: Db, by: { user_id: number }, approval_id: number): Promise<void> {
  await approveProposal(db, officeUser(by), approval_id)
}

/** One proposes, the other one approves. */
export async function voidByTwo(
  db: Db,
  [one, other]: readonly { user_id: number }[],
  subject: VoidSubject,
  reason?: string,
): Promise<void> {
  await approveVoid(db, other!, await proposeVoid(db, one!, subject, reason))
}
