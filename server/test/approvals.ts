// What takes two people, in a test: one proposes, another approves.

import { randomUUID } from 'node:crypto'
import type { ApprovalKind, OfficeRole, PayloadOf, Proposal, StaffUser } from '@megalot/contract'
import { proposeApproval } from '../src/modules/approvals/index.ts'
import { changeOfficeRole, createOfficeUser, type NewOfficeUser, type StaffActor } from '../src/modules/staff/index.ts'
import { bangkokDayOf } from '../src/platform/bangkok.ts'
import type { Db } from '../src/platform/db.ts'
import { findCaller } from './nodes.ts'
import type { Reply } from './reply.ts'
import type { TestCaller } from './test-app.ts'

export function makeProposal<K extends ApprovalKind>(kind: K, payload: PayloadOf<K>, reason = 'for a test'): Proposal {
  return { kind, payload, reason, request_id: randomUUID() } as Proposal
}

/** Proposes and approves. @returns the refusal of the proposal, or the reply to the approval */
export async function decideByTwo(
  proposer: TestCaller,
  approver: TestCaller,
  kind: ApprovalKind,
  payload: object,
): Promise<Reply> {
  const proposed = await proposer.post('/api/admin/approval/propose', makeProposal(kind, payload as never))
  if (proposed.http !== 200) return proposed
  return approver.post(`/api/admin/approval/${proposed.json.data.approval_id}/approve`, {})
}

/** An office user with a role, as two people make one. */
export async function hireOfficeUser(
  db: Db,
  owner: StaffActor,
  { username, display_name, office_role }: NewOfficeUser & { office_role: OfficeRole },
): Promise<StaffUser> {
  const { user_id } = await createOfficeUser(db, owner, { username, display_name })
  return changeOfficeRole(db, owner, user_id, { office_role, reason: 'hired for a test' }, 'approved')
}

let lastRound = 100

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** A period of tomorrow in a round that no other has. */
export function newRound(): PayloadOf<'create_period'> {
  lastRound += 1
  return {
    product_code: 'yeekee',
    period_date: bangkokDayOf(at(25)),
    round: lastRound,
    open_at: at(23).toISOString(),
    close_at: at(24).toISOString(),
    draw_at: at(25).toISOString(),
  }
}

/** A proposal of a new period that waits. @returns its id */
export async function proposePeriod(db: Db, username = 'office02'): Promise<number> {
  const proposal = makeProposal('create_period', newRound())
  return (await proposeApproval(db, await findCaller(db, username), proposal)).approval_id
}
