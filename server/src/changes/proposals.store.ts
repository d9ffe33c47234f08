// Proposals in the database.

import type { ApprovalKind, ApprovalState } from '@megalot/contract'
import { sql } from 'kysely'
import { takeLock } from '../postgres/advisory-locks.ts'
import type { Db, Tx } from '../postgres/db.ts'

type Json = Record<string, unknown>

export interface ProposalRecord {
  approval_id: number
  kind: ApprovalKind
  payload: Json
  subject: string
  product_code: string | null
  state_before: Json | null
  state_after: Json
  figures: Json
  /** The proposer's half of a one-time password; null if none is given. */
  first_half_hash: Buffer | null
  reason: string
  /** By the database's clock: pending proposals beyond their time have expired. */
  state: ApprovalState
  proposed_by: number
  proposed_at: Date
  expires_at: Date
  decided_by: number | null
  decided_at: Date | null
  decision_reason: string | null
}

/** By the database's clock. */
export const proposalState = sql`case when state = 'waiting' and expires_at <= clock_timestamp() then 'expired' else state end`

export const proposalColumns = sql`
  approval_id, kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash, reason,
  ${proposalState} as state,
  proposed_by, proposed_at, expires_at, decided_by, decided_at, decision_reason`

export const isProposalWaiting = sql`approvals.state = 'waiting' and expires_at > clock_timestamp()`

/** Serialises new proposals of a principal and its assistants. */
export async function lockProposals(tx: Tx, principal_id: number): Promise<void> {
  await sql`select ${takeLock('proposals', sql`${principal_id}::int`)}`.execute(tx)
}

/** Number of pending proposals of a principal and its assistants. */
export async function countWaitingOf(tx: Tx, principal_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from approvals join users on user_id = proposed_by
    where ${isProposalWaiting} and coalesce(principal_id, user_id) = ${principal_id}`.execute(tx)
  return rows[0]!.count
}

export async function findProposal(db: Db, approval_id: number): Promise<ProposalRecord | undefined> {
  const { rows } = await sql<ProposalRecord>`
    select ${proposalColumns} from approvals where approval_id = ${approval_id}`.execute(db)
  return rows[0]
}

/** Locks it until the transaction ends: of two deciders the second finds it decided. */
export async function lockProposal(tx: Tx, approval_id: number): Promise<ProposalRecord | undefined> {
  await sql`select 1 from approvals where approval_id = ${approval_id} for no key update`.execute(tx)
  // In a separate statement, after the wait, to see the other's write and the current time.
  return findProposal(tx, approval_id)
}

export type NewProposal = Pick<
  ProposalRecord,
  'kind' | 'subject' | 'product_code' | 'first_half_hash' | 'reason' | 'proposed_by'
> & { payload: object; before: object | null; after: object; figures: object }

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

export async function insertProposal(tx: Tx, proposal: NewProposal): Promise<number> {
  const { rows } = await sql<{ approval_id: number }>`
    insert into approvals (kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash,
      reason, proposed_by)
    values (${proposal.kind}, ${json(proposal.payload)}::jsonb, ${proposal.subject}, ${proposal.product_code},
      ${json(proposal.before)}::jsonb, ${json(proposal.after)}::jsonb, ${json(proposal.figures)}::jsonb,
      ${proposal.first_half_hash}, ${proposal.reason}, ${proposal.proposed_by})
    returning approval_id`.execute(tx)
  return rows[0]!.approval_id
}

export interface ProposalDecision {
  state: 'executed' | 'rejected' | 'withdrawn'
  decided_by: number
  decision_reason: string | null
}

export async function saveDecision(tx: Tx, approval_id: number, decision: ProposalDecision): Promise<void> {
  await tx.updateTable('approvals').set(decision).where('approval_id', '=', approval_id).execute()
}

/**
 * Decides all pending proposals of these users.
 * @param notAbout except proposals about this user, as a person
 */
export async function decideWaitingOf(
  tx: Tx,
  users: readonly number[],
  { state, decided_by, decision_reason }: ProposalDecision,
  notAbout: number | null,
): Promise<Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject'>[]> {
  const { rows } = await sql<Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject'>>`
    update approvals set state = ${state}, decided_by = ${decided_by}, decision_reason = ${decision_reason}
    where ${isProposalWaiting} and proposed_by = any(${users}::bigint[])
      and not coalesce(principal_of(substring(subject from '^user:([0-9]+)$')::bigint) = principal_of(${notAbout}::bigint), false)
    returning approval_id, kind, subject`.execute(tx)
  return rows
}

/** Whether a proposal of this kind is pending for a subject. */
export async function isWaitingAbout(tx: Tx, kind: ApprovalKind, subject: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from approvals where ${isProposalWaiting} and kind = ${kind} and subject = ${subject} limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Expires all pending proposals.
 * @param owner required by `guard_approval`
 */
export async function expireProposals(
  owner: Tx,
): Promise<Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject' | 'proposed_by'>[]> {
  const { rows } = await sql<Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject' | 'proposed_by'>>`
    update approvals set expires_at = clock_timestamp()
    where state = 'waiting' and expires_at > clock_timestamp() returning approval_id, kind, subject, proposed_by`.execute(
    owner,
  )
  return rows
}
