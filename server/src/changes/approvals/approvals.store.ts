import type { ApprovalKind, ApprovalPerson, ApprovalState } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import type { Consequence } from './kinds/kind.ts'

type Json = Record<string, unknown>

export interface ApprovalRecord {
  approval_id: number
  kind: ApprovalKind
  payload: Json
  subject: string
  product_code: string | null
  state_before: Json | null
  state_after: Json
  figures: Json
  /** Of the proposer's half of a one-time password; null where none is given. */
  first_half_hash: Buffer | null
  reason: string
  /** By the database's clock: what waits beyond its time has expired. */
  state: ApprovalState
  proposed_by: number
  proposed_at: Date
  expires_at: Date
  decided_by: number | null
  decided_at: Date | null
  decision_reason: string | null
}

const state = sql`case when state = 'waiting' and expires_at <= clock_timestamp() then 'expired' else state end`

const columns = sql`
  approval_id, kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash, reason,
  ${state} as state,
  proposed_by, proposed_at, expires_at, decided_by, decided_at, decision_reason`

export interface ApprovalFilter {
  kinds: readonly ApprovalKind[]
  /** `done`: every state but `waiting`. */
  state?: ApprovalState | 'done' | undefined
  product_code?: string | undefined
}

function matches({ kinds, state: requested, product_code }: ApprovalFilter): RawBuilder<unknown> {
  const isInState =
    requested === undefined
      ? sql`true`
      : requested === 'done'
        ? sql`${state} <> 'waiting'`
        : sql`${state} = ${requested}`
  const isOfMarket = product_code === undefined ? sql`true` : sql`product_code = ${product_code}`
  return sql`kind = any(${kinds}::text[]) and ${isInState} and ${isOfMarket}`
}

/** Newest first. */
export async function listApprovalRecords(
  db: Db,
  filter: ApprovalFilter,
  limit: number,
  offset: number,
): Promise<ApprovalRecord[]> {
  const { rows } = await sql<ApprovalRecord>`
    select ${columns} from approvals where ${matches(filter)}
    order by approval_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

const isWaiting = sql`approvals.state = 'waiting' and expires_at > clock_timestamp()`

/** Proposals that wait, the oldest first: one person who makes many hides no earlier one of others. */
export async function listWaitingRecords(
  db: Db,
  kinds: readonly ApprovalKind[],
  limit: number,
): Promise<ApprovalRecord[]> {
  const { rows } = await sql<ApprovalRecord>`
    select ${columns} from approvals where ${isWaiting} and kind = any(${[...kinds]}::text[])
    order by approval_id limit ${limit}`.execute(db)
  return rows
}

/** One proposal of a principal and its assistants is made at a time. */
export async function lockProposals(tx: Tx, principal_id: number): Promise<void> {
  await sql`select ${takeLock('proposals', sql`${principal_id}::int`)}`.execute(tx)
}

/** How many proposals of a principal and its assistants wait. */
export async function countWaitingOf(tx: Tx, principal_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from approvals join users on user_id = proposed_by
    where ${isWaiting} and coalesce(principal_id, user_id) = ${principal_id}`.execute(tx)
  return rows[0]!.count
}

/** Proposals that nobody decided in time, by when they expired, newest first. @param before only those before this one */
export async function listExpiredRecords(
  db: Db,
  kinds: readonly ApprovalKind[],
  before: { at_us: number; id: number } | null,
  limit: number,
): Promise<(ApprovalRecord & { at_us: number })[]> {
  const isBefore =
    before === null
      ? sql`true`
      : sql`(expires_at, -approval_id) < (timestamptz 'epoch' + ${before.at_us}::bigint * interval '1 microsecond', ${before.id}::bigint)`
  const { rows } = await sql<ApprovalRecord & { at_us: number }>`
    select ${columns}, (extract(epoch from expires_at) * 1000000)::bigint as at_us from approvals
    where approvals.state = 'waiting' and expires_at <= clock_timestamp() and kind = any(${[...kinds]}::text[]) and ${isBefore}
    order by expires_at desc, approval_id limit ${limit}`.execute(db)
  return rows
}

export async function listApprovalRecordsOf(db: Db, approval_ids: readonly number[]): Promise<ApprovalRecord[]> {
  const { rows } = await sql<ApprovalRecord>`
    select ${columns} from approvals where approval_id = any(${[...approval_ids]}::bigint[])`.execute(db)
  return rows
}

export async function countApprovalRecords(db: Db, filter: ApprovalFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from approvals where ${matches(filter)}`.execute(db)
  return rows[0]!.count
}

export async function findApproval(db: Db, approval_id: number): Promise<ApprovalRecord | undefined> {
  const { rows } = await sql<ApprovalRecord>`
    select ${columns} from approvals where approval_id = ${approval_id}`.execute(db)
  return rows[0]
}

/** Locked until the transaction ends: of two deciders the second finds it decided. */
export async function lockApproval(tx: Tx, approval_id: number): Promise<ApprovalRecord | undefined> {
  await sql`select 1 from approvals where approval_id = ${approval_id} for no key update`.execute(tx)
  // In a statement of its own, after the wait: what the other has written, and the time as it is now.
  return findApproval(tx, approval_id)
}

export interface NewApproval {
  kind: ApprovalKind
  payload: object
  reason: string
  proposed_by: number
  consequence: Consequence
  first_half_hash: Buffer | null
}

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

export async function insertApproval(tx: Tx, { consequence, ...proposal }: NewApproval): Promise<number> {
  const { subject, product_code, before, after, figures } = consequence
  const { rows } = await sql<{ approval_id: number }>`
    insert into approvals (kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash,
      reason, proposed_by)
    values (${proposal.kind}, ${json(proposal.payload)}::jsonb, ${subject}, ${product_code},
      ${json(before)}::jsonb, ${json(after)}::jsonb, ${json(figures)}::jsonb, ${proposal.first_half_hash}, ${proposal.reason}, ${proposal.proposed_by})
    returning approval_id`.execute(tx)
  return rows[0]!.approval_id
}

export async function saveDecision(
  tx: Tx,
  approval_id: number,
  decision: { state: 'executed' | 'rejected' | 'withdrawn'; decided_by: number; decision_reason: string | null },
): Promise<void> {
  await tx.updateTable('approvals').set(decision).where('approval_id', '=', approval_id).execute()
}

/** Decides every proposal of these users that waits. @param notAbout but none about this user, as a person */
export async function decideWaitingOf(
  tx: Tx,
  users: readonly number[],
  {
    state,
    decided_by,
    decision_reason,
  }: { state: 'rejected' | 'withdrawn'; decided_by: number; decision_reason: string },
  notAbout: number | null,
): Promise<Pick<ApprovalRecord, 'approval_id' | 'kind' | 'subject'>[]> {
  const { rows } = await sql<Pick<ApprovalRecord, 'approval_id' | 'kind' | 'subject'>>`
    update approvals set state = ${state}, decided_by = ${decided_by}, decision_reason = ${decision_reason}
    where ${isWaiting} and proposed_by = any(${users}::bigint[])
      and not coalesce(principal_of(substring(subject from '^user:([0-9]+)$')::bigint) = principal_of(${notAbout}::bigint), false)
    returning approval_id, kind, subject`.execute(tx)
  return rows
}

/** Lets every proposal expire that waits. @param owner `guard_approval` allows it to nobody else */
export async function expireProposals(
  owner: Tx,
): Promise<Pick<ApprovalRecord, 'approval_id' | 'kind' | 'subject' | 'proposed_by'>[]> {
  const { rows } = await sql<Pick<ApprovalRecord, 'approval_id' | 'kind' | 'subject' | 'proposed_by'>>`
    update approvals set expires_at = clock_timestamp()
    where state = 'waiting' and expires_at > clock_timestamp() returning approval_id, kind, subject, proposed_by`.execute(
    owner,
  )
  return rows
}

/** A person of the office with what makes two users one person. */
export interface PersonRecord extends ApprovalPerson {
  /** Its principal, or itself. */
  person_id: number
}

export async function listPeople(db: Db, user_ids: readonly number[]): Promise<Map<number, PersonRecord>> {
  const { rows } = await sql<PersonRecord>`
    select u.user_id, u.username, u.display_name, p.username as acts_for, coalesce(u.principal_id, u.user_id) as person_id
    from users u left join users p on p.user_id = u.principal_id
    where u.user_id = any(${[...new Set(user_ids)]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
}
