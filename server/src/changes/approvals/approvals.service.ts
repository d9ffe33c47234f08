// Proposals for the console: how they are made and decided, and what is listed of them.

import type { Approval, ApprovalKind, ApprovalWithPassword, Proposal } from '@megalot/contract'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import type { ChangeCaller } from '../change.ts'
import type { ProposalRecord } from '../proposals.store.ts'
import { type ApprovalFilter, countApprovalRecords, listApprovalRecords, listPeople } from './approvals.store.ts'
import { listVisibleKinds } from './kinds.ts'
import { presentApproval } from './present-approval.ts'
import { approve, findVisible, propose } from './proposals.ts'

/** @throws Refusal as `propose` */
export async function proposeApproval(db: Db, caller: ChangeCaller, given: Proposal): Promise<ApprovalWithPassword> {
  const { approval_id, password_half } = await inPayload(() => propose(db, caller, given))
  return { ...(await getApproval(db, caller, approval_id)), password_half }
}

/** @throws Refusal as `approve` */
export async function approveProposal(
  db: Db,
  caller: ChangeCaller,
  approval_id: number,
  reason?: string,
): Promise<ApprovalWithPassword> {
  const { password_half } = await approve(db, caller, approval_id, reason)
  return { ...(await getApproval(db, caller, approval_id)), password_half }
}

/** Problems of a payload name fields of the whole call. */
async function inPayload<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.details.problems === undefined) throw error
    const problems = (error.details.problems as { path: string }[]).map((problem) => ({
      ...problem,
      path: `/payload${problem.path}`,
    }))
    throw new Refusal('bad_input', { problems })
  }
}

/** Which proposals; every part narrows the list. */
interface ApprovalQuery extends Omit<ApprovalFilter, 'kinds' | 'principal_id'> {
  kind?: ApprovalKind | undefined
}

/** Proposals that the caller may see, newest first, and how many there are. */
export async function listApprovals(
  db: Db,
  caller: ChangeCaller,
  { kind, ...rest }: ApprovalQuery,
  limit: number,
  offset: number,
): Promise<{ approvals: Approval[]; total_count: number }> {
  const kinds = listVisibleKinds(caller).filter((one) => kind === undefined || one === kind)
  const filter = { ...rest, kinds, ...(!caller.is_office && { principal_id: caller.principal_id }) }
  const approvals = await presentRecords(db, caller, await listApprovalRecords(db, filter, limit, offset))
  return { approvals, total_count: await countApprovalRecords(db, filter) }
}

/** @throws Refusal not_found, not_allowed (a kind that the caller may not see) */
export async function getApproval(db: Db, caller: ChangeCaller, approval_id: number): Promise<Approval> {
  const record = await findVisible(db, caller, approval_id)
  if (!listVisibleKinds(caller).includes(record.kind)) throw new Refusal('not_allowed')
  return (await presentRecords(db, caller, [record]))[0]!
}

/** Proposals on the wire, as one caller sees them. */
export async function presentRecords(
  db: Db,
  caller: ChangeCaller,
  records: readonly ProposalRecord[],
): Promise<Approval[]> {
  const people = await listPeople(
    db,
    records.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by ?? proposed_by]),
  )
  return records.map((record) => presentApproval(record, people, caller))
}
