import type { AuditRow } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import type { ChainedRow, ChainHead } from './audit-chain.ts'
import { withoutSalt } from './history-expressions.ts'

/** Rows of the chain after a number, in its order, with every column that the hash covers as text. */
export async function listChainedRows(db: Db, after_chain_no: number, limit: number): Promise<ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select ${chainColumns} from audit_log where chain_no > ${after_chain_no} order by chain_no limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Rows that are outside of the chain. */
export async function listRowsWithoutChain(db: Db, limit: number): Promise<ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select ${chainColumns} from audit_log where chain_no is null order by audit_id limit ${limit}`.execute(db)
  return rows
}

const chainColumns = sql`
  audit_id, chain_no, encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash,
  array[(extract(epoch from at) * 1000000)::bigint::text, actor_id::text, principal_id::text, address, action, subject,
    subject_user_id::text, before::text, after::text, reason] as fields`

export async function readHead(db: Db): Promise<ChainHead> {
  const { rows } = await sql<ChainHead>`select chain_no, encode(hash, 'hex') as hash from audit_head`.execute(db)
  return rows[0]!
}

/** The last verification by the job. */
export interface ChainCheck {
  checked_at: Date
  row_count: number
  problem_count: number
}

export async function findLastCheck(db: Db): Promise<ChainCheck | undefined> {
  return db.selectFrom('audit_check').select(['checked_at', 'row_count', 'problem_count']).executeTakeFirst()
}

export async function saveCheck(db: Db, { row_count, problem_count }: Omit<ChainCheck, 'checked_at'>): Promise<void> {
  await sql`
    insert into audit_check (row_count, problem_count) values (${row_count}, ${problem_count})
    on conflict (is_only) do update
      set checked_at = clock_timestamp(), row_count = excluded.row_count, problem_count = excluded.problem_count`.execute(
    db,
  )
}

export interface AuditFilter {
  /** Days in Asia/Bangkok, both included. */
  date_from?: string | undefined
  date_to?: string | undefined
  /** Usernames. */
  actor?: string | undefined
  principal?: string | undefined
  subject_user?: string | undefined
  subject?: string | undefined
  action?: string | undefined
}

export interface AuditPart {
  limit: number
  /** Only rows before this number of the chain. */
  before?: number | undefined
}

type AuditUser = AuditRow['actor']

export interface AuditEntry extends Omit<AuditRow, 'at' | 'usernames' | 'actor' | 'principal' | 'subject_user'> {
  at: Date
  actor: AuditUser
  principal: AuditUser
  subject_user: AuditUser
}

/** Rows that a reader may see, the newest first. */
export async function listEntries(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  { limit, before }: AuditPart,
): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select a.chain_no, a.at, ${userIn('actor')} as actor, ${userIn('principal')} as principal,
      coalesce(actor.is_office, false) as is_by_office,
      case when ${isSeenBy(scope)} then a.address end as address, a.action, a.subject,
      ${userIn('subject')} as subject_user, case when not ${isWaitingResult} then ${withoutSalt('a.before')} end as before,
      case when not ${isWaitingResult} then ${withoutSalt('a.after')} end as after, a.reason,
      encode(a.hash, 'hex') as hash
    from audit_log a
      left join users actor on actor.user_id = a.actor_id
      left join users principal on principal.user_id = a.principal_id
      left join users subject on subject.user_id = a.subject_user_id
      left join users chief on chief.user_id = subject.principal_id
    where ${sql.join([sql`a.chain_no is not null`, ...conditionsOf(scope, filter, before)], sql` and `)}
    order by a.chain_no desc limit ${limit}`.execute(db)
  return rows
}

/**
 * An entry of a result while the period is not decided, or of a correction before two people have entered one: the log shows its
 * numbers to nobody, because a second person repeats it unseen. A reset one is hidden as well: its numbers are mostly those that
 * are entered again, by the next entry or much later.
 */
const isWaitingResult = sql`(
  (a.action in ('award_entered', 'award_reset') and exists (
    select 1 from periods where period_code = substr(a.subject, 8) and outcome = 'pending'))
  or (a.action in ('award_correction_entered', 'award_correction_reset') and not exists (
    select 1 from audit_log later where later.subject = a.subject and later.audit_id > a.audit_id
      and later.action in ('award_correction_agreed', 'award_correction_locked'))))`

function userIn(table: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`case when ${column('user_id')} is not null then json_build_object('user_id', ${column('user_id')},
    'username', ${column('username')}, 'display_name', ${column('display_name')}) end`
}

/** From where somebody acted is for its own line and those above. */
function isSeenBy({ principal_id, is_office }: Scope): RawBuilder<unknown> {
  return sql`(${is_office} or principal.user_id = ${principal_id} or principal.upline_ids @> array[${principal_id}]::bigint[])`
}

function conditionsOf(scope: Scope, filter: AuditFilter, before: number | undefined): RawBuilder<unknown>[] {
  const { date_from, date_to, actor, principal, subject_user, subject, action } = filter
  const conditions: RawBuilder<unknown>[] = []
  if (!scope.is_office) conditions.push(isInDownline(scope))
  if (before !== undefined) conditions.push(sql`a.chain_no < ${before}`)
  if (date_from !== undefined) conditions.push(sql`a.at >= ${date_from}::timestamp at time zone 'Asia/Bangkok'`)
  if (date_to !== undefined) conditions.push(sql`a.at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`)
  if (actor !== undefined) conditions.push(sql`a.actor_id = ${idOf(scope, actor)}`)
  if (principal !== undefined) conditions.push(sql`a.principal_id = ${idOf(scope, principal)}`)
  if (subject_user !== undefined) conditions.push(sql`a.subject_user_id = ${idOf(scope, subject_user)}`)
  if (subject !== undefined) conditions.push(sql`a.subject = ${subject}`)
  if (action !== undefined) conditions.push(sql`a.action = ${action}`)
  return conditions
}

/** What an agent or its assistants did, and what concerns the agent, anybody below it, or an assistant of these. */
function isInDownline({ principal_id }: Scope): RawBuilder<unknown> {
  const below = sql`array[${principal_id}]::bigint[]`
  return sql`(a.principal_id = ${principal_id} or subject.user_id = ${principal_id} or subject.upline_ids @> ${below}
    or chief.user_id = ${principal_id} or chief.upline_ids @> ${below})`
}

/** The id of a name that a reader may know: by a filter nobody finds out a name of the office (`seenActor`). */
function idOf({ is_office }: Scope, username: string): RawBuilder<unknown> {
  return sql`(select user_id from users where username = ${username.toLowerCase()} and (${is_office} or not is_office))`
}

/** Usernames by user id, those of the office for the office alone (`seenActor`). */
export async function listUsernames(
  db: Db,
  { is_office }: Scope,
  user_ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (user_ids.length === 0) return new Map()
  const { rows } = await sql<{ user_id: number; username: string }>`
    select user_id, username from users where user_id = any(${user_ids}::bigint[]) and (${is_office} or not is_office)`.execute(
    db,
  )
  return new Map(rows.map(({ user_id, username }) => [user_id, username]))
}

interface SubjectUser {
  user_id: number
  username: string
  display_name: string
}

/** A row of the log as people read it. */
export interface SubjectAudit {
  audit_id: number
  at: Date
  action: string
  /** Null: the system. */
  actor: SubjectUser | null
  is_by_office: boolean
  /** For whom an assistant has acted; null for everybody else. */
  principal: SubjectUser | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** What was done to a subject, newest first. */
export async function listRowsOfSubject(
  db: Db,
  subject: string,
  limit: number,
  before_id: number | null,
): Promise<SubjectAudit[]> {
  const { rows } = await sql<SubjectAudit>`
    select audit_id, at, action, before, after, reason, coalesce(a.is_office, false) as is_by_office,
      case when a.user_id is not null then
        json_build_object('user_id', a.user_id, 'username', a.username, 'display_name', a.display_name) end as actor,
      case when p.user_id is not null then
        json_build_object('user_id', p.user_id, 'username', p.username, 'display_name', p.display_name) end as principal
    from audit_log left join users a on a.user_id = actor_id left join users p on p.user_id = audit_log.principal_id and p.user_id <> actor_id
    where subject = ${subject} and (${before_id}::bigint is null or audit_id < ${before_id})
    order by audit_id desc limit ${limit}`.execute(db)
  return rows
}
