import type { ApprovalKind, ApprovalPerson, ApprovalState } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { TimeCursor } from '../audit/index.ts'
import { isProposalWaiting, proposalColumns, type ProposalRecord, proposalState } from '../proposals.store.ts'
import type { Db } from '../../postgres/db.ts'

export interface ApprovalFilter {
  kinds: readonly ApprovalKind[]
  /** `done`: every state but `waiting`. */
  state?: ApprovalState | 'done' | undefined
  product_code?: string | undefined
  /** Only proposals of this principal and its assistants. */
  principal_id?: number | undefined
}

function matches({ kinds, state: requested, product_code, principal_id }: ApprovalFilter): RawBuilder<unknown> {
  const isInState =
    requested === undefined
      ? sql`true`
      : requested === 'done'
        ? sql`${proposalState} <> 'waiting'`
        : sql`${proposalState} = ${requested}`
  const isOfMarket = product_code === undefined ? sql`true` : sql`product_code = ${product_code}`
  const isOfPrincipal =
    principal_id === undefined
      ? sql`true`
      : sql`proposed_by in (select user_id from users where coalesce(principal_id, user_id) = ${principal_id})`
  return sql`kind = any(${kinds}::text[]) and ${isInState} and ${isOfMarket} and ${isOfPrincipal}`
}

/** Newest first. */
export async function listApprovalRecords(
  db: Db,
  filter: ApprovalFilter,
  limit: number,
  offset: number,
): Promise<ProposalRecord[]> {
  const { rows } = await sql<ProposalRecord>`
    select ${proposalColumns} from approvals where ${matches(filter)}
    order by approval_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Proposals that wait, the oldest first: one person who makes many hides no earlier one of others. */
export async function listWaitingRecords(
  db: Db,
  kinds: readonly ApprovalKind[],
  limit: number,
): Promise<ProposalRecord[]> {
  const { rows } = await sql<ProposalRecord>`
    select ${proposalColumns} from approvals where ${isProposalWaiting} and kind = any(${[...kinds]}::text[])
    order by approval_id limit ${limit}`.execute(db)
  return rows
}

/** Indexed. */
const endedAt = sql`coalesce(decided_at, expires_at)`

export interface DecidedFilter {
  kinds: readonly ApprovalKind[]
  /** Only proposals before this one. */
  before: TimeCursor | null
  limit: number
  /** Only proposals of this user that others rejected in the last days, after an instant in microseconds since 1970. */
  rejectedOf?: { user_id: number; days: number; after_us: number } | undefined
}

const instant = (at_us: number) => sql`timestamptz 'epoch' + ${at_us}::bigint * interval '1 microsecond'`

/** Decided and expired proposals, newest first. */
export async function listDecidedRecords(
  db: Db,
  { kinds, before, limit, rejectedOf }: DecidedFilter,
): Promise<{ at_us: number; record: ProposalRecord }[]> {
  const isBefore =
    before === null ? sql`true` : sql`(${endedAt}, -approval_id) < (${instant(before.at_us)}, ${before.id}::bigint)`
  const isOfUser =
    rejectedOf === undefined
      ? sql`true`
      : sql`proposed_by = ${rejectedOf.user_id} and approvals.state = 'rejected' and decided_at >
          greatest(clock_timestamp() - ${rejectedOf.days} * interval '1 day', ${instant(rejectedOf.after_us)})`
  const { rows } = await sql<ProposalRecord & { at_us: number }>`
    select ${proposalColumns}, (extract(epoch from ${endedAt}) * 1000000)::bigint as at_us from approvals
    where ${proposalState} <> 'waiting' and kind = any(${[...kinds]}::text[]) and ${isBefore} and ${isOfUser}
    order by ${endedAt} desc, approval_id limit ${limit}`.execute(db)
  return rows.map(({ at_us, ...record }) => ({ at_us, record }))
}

export async function countApprovalRecords(db: Db, filter: ApprovalFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from approvals where ${matches(filter)}`.execute(db)
  return rows[0]!.count
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
