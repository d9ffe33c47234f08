import type { AuditRow, UserLevel } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import { aboveLevel, isSeenBy } from './reader-expressions.ts'
import { type Db, unquotedArray } from '../../postgres/db.ts'
import type { ChainedRow, ChainHead, ErasedPersons } from './audit-chain.ts'
import { withoutSalt } from './history-expressions.ts'

/** How many rows of the chain one statement reads, and how much content, if that is more than one row. */
const CHAIN_ROWS = 250
const CHAIN_BYTES = 2_000_000

/**
 * Rows of the chain after a number, in order, with every hashed column as text. Returns as many as one statement can
 * read in time, and at least one, if there is any.
 */
export async function listChainedRows(db: Db, after_chain_no: number): Promise<ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select ${chainColumns} from (
      select *, sum(content_bytes) over (order by chain_no) as bytes_so_far from (
        select *, ${contentBytes} as content_bytes from audit_log
        where chain_no > ${after_chain_no} order by chain_no limit ${sql.lit(CHAIN_ROWS)}) next) sized
    where ${isWithin(CHAIN_BYTES)} order by chain_no`.execute(db)
  return rows
}

/** Rows outside the chain. */
export async function listRowsWithoutChain(db: Db, limit: number): Promise<ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select ${chainColumns} from audit_log where chain_no is null order by audit_id limit ${limit}`.execute(db)
  return rows
}

/**
 * Approximate length of a row's content as text, in a hundredth of the time. The stored size says little, because it is
 * compressed, up to thirtyfold for a rule's numbers. Concatenating an empty string makes PostgreSQL unpack the value.
 */
const contentBytes = sql`(
  coalesce(pg_column_size(before || '{}'), 0) + coalesce(pg_column_size(after || '{}'), 0))`

/** The first rows within a size limit, and at least one; rows need `content_bytes` and its running sum. */
const isWithin = (bytes: number) => sql`(bytes_so_far <= ${sql.lit(bytes)} or bytes_so_far = content_bytes)`

/** The fields as JSON, which the client parses in a tenth of the time of a text array with quotes. */
const chainColumns = sql`
  audit_id, chain_no, encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash,
  actor_id, subject_user_id,
  to_json(array[(extract(epoch from at) * 1000000)::bigint::text, actor_id::text, principal_id::text,
    encode(digests[1], 'hex'), action, subject, subject_user_id::text, encode(digests[2], 'hex'),
    encode(digests[3], 'hex'), encode(digests[4], 'hex')]) as fields,
  to_json(array[address, before::text, after::text, reason]) as contents,
  to_json(array[encode(salts[1], 'hex'), encode(salts[2], 'hex'), encode(salts[3], 'hex'), encode(salts[4], 'hex')]) as salts,
  to_json(array[encode(digests[1], 'hex'), encode(digests[2], 'hex'), encode(digests[3], 'hex'),
    encode(digests[4], 'hex')]) as digests`

/** Customers whom rows of the chain say were erased. Office users never are. */
export async function listErasedPersons(db: Db): Promise<ErasedPersons> {
  const { rows } = await sql<{ user_id: number; chain_no: number }>`
    select subject_user_id as user_id, max(chain_no) as chain_no from audit_log
      join users on users.user_id = subject_user_id
    where action = 'erase_person' and chain_no is not null and level <> 'company'
    group by subject_user_id order by subject_user_id`.execute(db)
  return new Map(rows.map(({ user_id, chain_no }) => [user_id, chain_no]))
}

export async function readHead(db: Db): Promise<ChainHead> {
  const { rows } = await sql<ChainHead>`select chain_no, encode(hash, 'hex') as hash from audit_head`.execute(db)
  return rows[0]!
}

/** The job's last verification. */
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
  /** `off` leaves out log-ins and log-outs. */
  log_ins?: 'off' | undefined
}

export interface AuditPart {
  limit: number
  /** Only rows before this chain number. */
  before?: number | undefined
}

type AuditUser = AuditRow['actor']

export interface AuditEntry extends Omit<AuditRow, 'at' | 'usernames' | 'actor' | 'principal' | 'subject_user'> {
  at: Date
  actor: AuditUser
  principal: AuditUser
  subject_user: AuditUser
  is_about_office: boolean
}

export interface AuditListing {
  entries: AuditEntry[]
  /** `before` of the next page; null if there are no more. */
  next_before: number | null
}

/** How many rows are scanned for one page, if the filter goes beyond an index. */
const SCAN_LIMIT = 10_000
/** Agents with at most this many downline users scan each user's rows; others scan the whole log. */
const FEW_USERS = 300

/** How much content a page has, if that is more than one row. */
const PART_BYTES = 1_000_000

/**
 * Rows visible to a reader, newest first. A call scans a bounded number of rows. A page may hold fewer rows than
 * requested, or none, if matches are rare, and the next page continues after the last scanned row. If rows are large it
 * holds fewer, but at least one.
 */
export async function listEntries(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  { limit, before }: AuditPart,
): Promise<AuditListing> {
  const bounds = [sql`chain_no is not null`, ...(await findBounds(db, filter))]
  if (before !== undefined) bounds.push(sql`chain_no < ${before}`)
  const { streams, residual } = await planScan(db, scope, filter)
  const { chain_nos, floor } = await scan(db, streams, bounds, residual, limit + 1)
  const shown = chain_nos.slice(0, limit)
  const entries = await readEntries(db, scope, shown)
  const isWhole = entries.length === chain_nos.length
  return { entries, next_before: isWhole ? floor : entries.at(-1)!.chain_no }
}

/** The first of these rows, newest first, as many as fit a page. */
async function readEntries(db: Db, scope: Scope, chain_nos: readonly number[]): Promise<AuditEntry[]> {
  if (chain_nos.length === 0) return []
  const { rows } = await sql<AuditEntry>`
    select a.chain_no, a.at, ${userIn('actor')} as actor, ${userIn('principal')} as principal,
      coalesce(actor.is_office, false) as is_by_office, ${aboveLevel(scope)} as above_level,
      case when ${isSeenBy(scope)} then a.address end as address, a.action, a.subject,
      ${userIn('subject')} as subject_user, coalesce(subject.is_office, false) as is_about_office,
      case when not ${isWaitingResult} then ${withoutSalt('a.before')} end as before,
      case when not ${isWaitingResult} then ${withoutSalt('a.after')} end as after, a.reason,
      encode(a.hash, 'hex') as hash
    from (
        select chain_no, content_bytes, sum(content_bytes) over (order by chain_no desc) as bytes_so_far from (
          select chain_no, ${contentBytes} as content_bytes from audit_log
          where chain_no = any(${unquotedArray(chain_nos)}::bigint[])) shown) sized
      join audit_log a using (chain_no)
      left join users actor on actor.user_id = a.actor_id
      left join users principal on principal.user_id = a.principal_id
      left join users subject on subject.user_id = a.subject_user_id
    where ${isWithin(PART_BYTES)}
    order by a.chain_no desc`.execute(db)
  return rows
}

type AuditColumn = 'subject_user_id' | 'subject' | 'actor_id' | 'principal_id' | 'action'
/** A column and its required value. */
type Condition = [AuditColumn, RawBuilder<unknown>]
/** What an index finds in chain order: all rows, those of a condition, or those about each of some users. */
type Stream = 'all' | Condition | { about: readonly number[] }

interface ScanPlan {
  streams: Stream[]
  /** Further conditions on the rows found. */
  residual: RawBuilder<unknown>[]
}

/** Log-ins and log-outs: the bulk of the log. */
const LOG_INS = ['log_in', 'log_in_failed', 'log_off', 'verify_factor']

/** The indexes that find a filter's rows. */
async function planScan(db: Db, scope: Scope, filter: AuditFilter): Promise<ScanPlan> {
  const { subject_user, subject, actor, principal, action } = filter
  const conditions: Condition[] = []
  if (subject_user !== undefined) conditions.push(['subject_user_id', idOf(scope, subject_user)])
  if (subject !== undefined) conditions.push(['subject', sql`${subject}`])
  if (actor !== undefined) conditions.push(['actor_id', idOf(scope, actor)])
  if (principal !== undefined) conditions.push(['principal_id', idOf(scope, principal)])
  if (action !== undefined) conditions.push(['action', sql`${action}`])
  const further = [
    ...datesOf(filter),
    ...(filter.log_ins === 'off' ? [sql`action <> all(${unquotedArray(LOG_INS)})`] : []),
  ]
  const asResidual = ([column, value]: Condition) => sql`${sql.ref(column)} = ${value}`
  const [first, ...others] = conditions
  const byFirst = { streams: [first ?? 'all'], residual: [...others.map(asResidual), ...further] } satisfies ScanPlan
  if (scope.is_office) return byFirst
  const ofDownline = { ...byFirst, residual: [...byFirst.residual, isInDownline(scope)] }
  // Few rows are about one user or subject, but an actor may have acted mostly on others.
  if (subject_user !== undefined || subject !== undefined) return ofDownline
  const about = await listLine(db, scope)
  if (about.length > FEW_USERS) return ofDownline
  return {
    streams: [['principal_id', sql`${scope.principal_id}::bigint`], { about }],
    residual: [...conditions.map(asResidual), ...further],
  }
}

interface Scan {
  /** Matching rows, newest first. */
  chain_nos: number[]
  /** The last scanned row, if there may be more after it. */
  floor: number | null
}

/** Scans a bounded number of rows, down to a precomputed number, and stops when enough are found. */
async function scan(
  db: Db,
  streams: readonly Stream[],
  bounds: readonly RawBuilder<unknown>[],
  residual: readonly RawBuilder<unknown>[],
  row_count: number,
): Promise<Scan> {
  const within = sql.join(bounds, sql` and `)
  const stream_count = streams.reduce((sum, stream) => sum + (isOfUsers(stream) ? stream.about.length : 1), 0)
  // Literals, so that the planner knows how few they are.
  const limit = sql.lit(row_count)
  const most = sql.lit(Math.max(Math.ceil(SCAN_LIMIT / stream_count), row_count))
  const last = readEach(
    streams,
    (newest) => sql`
      select case when count(*) >= ${most} then min(chain_no) end as last_no from (${newest(within, most)}) newest`,
  )
  const isScanned = sql`chain_no >= coalesce((select last_no from scanned), 0)`
  const fits = sql.join([within, isScanned, ...residual], sql` and `)
  const found = readEach(streams, (newest) => newest(fits, limit))
  // Without residual conditions every scanned row is shown.
  const { rows } = await sql<Scan>`
    with scanned as materialized (
      select ${residual.length === 0 ? sql`null::bigint` : sql`(select max(last_no) from (${last}) last)`} as last_no)
    select array(select chain_no from (${found}) found order by chain_no desc limit ${limit}) as chain_nos,
      (select last_no from scanned) as floor`.execute(db)
  return rows[0]!
}

function isOfUsers(stream: Stream): stream is { about: readonly number[] } {
  return typeof stream === 'object' && 'about' in stream
}

/** The newest rows' numbers of one stream. */
type Newest = (conditions: RawBuilder<unknown>, limit: RawBuilder<unknown>) => RawBuilder<unknown>

/** Reads something of each stream. */
function readEach(streams: readonly Stream[], read: (newest: Newest) => RawBuilder<unknown>): RawBuilder<unknown> {
  const all = streams.map((stream) => {
    if (stream === 'all')
      return read(
        (conditions, limit) =>
          sql`select chain_no from audit_log where ${conditions} order by chain_no desc limit ${limit}`,
      )
    if (!isOfUsers(stream)) return read(newestOf(...stream))
    return sql`select of_user.* from unnest(${unquotedArray(stream.about)}::bigint[]) as line (line_id)
      cross join lateral (${read(newestOf('subject_user_id', sql`line_id`))}) of_user`
  })
  return sql.join(
    all.map((each) => sql`(${each})`),
    sql` union `,
  )
}

/**
 * In this column's index order. Ordered by `chain_no` alone, the planner may read the whole log from its end through
 * other users' rows. `between`, because with `=` it would know that the column is constant.
 */
function newestOf(name: AuditColumn, value: RawBuilder<unknown>): Newest {
  const column = sql.ref(name)
  return (conditions, limit) => sql`
    select chain_no from audit_log where ${column} between ${value} and ${value} and ${conditions}
    order by ${column} desc, chain_no desc limit ${limit}`
}

/** The number range of a filter's days. Read first, so that the planner sees numbers. */
async function findBounds(db: Db, { date_from, date_to }: AuditFilter): Promise<RawBuilder<unknown>[]> {
  if (date_from === undefined && date_to === undefined) return []
  const { rows } = await sql<{ after_no: number | null; last_no: number | null }>`
    select ${numberBefore(sql`${beginOf(date_from, 0)} - ${COMMIT_MARGIN}`)} as after_no,
      ${numberBefore(sql`${beginOf(date_to, 1)} + ${COMMIT_MARGIN}`)} as last_no`.execute(db)
  const { after_no, last_no } = rows[0]!
  return [
    ...(after_no === null ? [] : [sql`chain_no > ${after_no}`]),
    ...(last_no === null ? [] : [sql`chain_no <= ${last_no}`]),
  ]
}

/** The start of a day in Bangkok, or some days later. */
const beginOf = (day: string | undefined, days_later: number) =>
  sql`(${day ?? null}::date + ${sql.lit(days_later)})::timestamp at time zone 'Asia/Bangkok'`

/** A row gets its number at the commit, and its time earlier; no transaction takes this long. */
const COMMIT_MARGIN = sql`interval '2 hours'`

const numberBefore = (instant: RawBuilder<unknown>) => sql`id_before('audit_log', 'chain_no', 'at', ${instant})`

/**
 * An entry of a result while the period is undecided, or of a correction before the second entry. The log hides its
 * numbers from all, because a second person repeats them unseen. Reset entries are hidden too, because their numbers
 * are usually entered again.
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

function datesOf({ date_from, date_to }: AuditFilter): RawBuilder<unknown>[] {
  return [
    ...(date_from === undefined ? [] : [sql`at >= ${date_from}::timestamp at time zone 'Asia/Bangkok'`]),
    ...(date_to === undefined ? [] : [sql`at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`]),
  ]
}

/**
 * What an agent or its assistants did, and what concerns the agent, users below it, or their assistants. What concerns
 * the office, which is below the company, is visible to the office only: its log-ins, and role changes.
 */
function isInDownline({ principal_id }: Scope): RawBuilder<unknown> {
  const below = sql`array[${principal_id}]::bigint[]`
  return sql`(audit_log.principal_id = ${principal_id} or exists (
    select 1 from users subject left join users chief on chief.user_id = subject.principal_id
    where subject.user_id = audit_log.subject_user_id and not subject.is_office
      and (subject.user_id = ${principal_id} or subject.upline_ids @> ${below}
        or chief.user_id = ${principal_id} or chief.upline_ids @> ${below})))`
}

/** The users of `isInDownline`, up to one more than `FEW_USERS`. */
async function listLine(db: Db, { principal_id }: Scope): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with below as (
      select user_id from users
      where (user_id = ${principal_id} or upline_ids @> array[${principal_id}]::bigint[]) and not is_office
      limit ${sql.lit(FEW_USERS + 1)})
    select user_id from below
    union select user_id from users where principal_id in (select user_id from below)
    limit ${sql.lit(FEW_USERS + 1)}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** The id of a name that a reader may know, so that filters do not reveal names of the office, or of users above. */
function idOf(scope: Scope, username: string): RawBuilder<unknown> {
  return sql`(
    select u.user_id from users u join users principal on principal.user_id = coalesce(u.principal_id, u.user_id)
    where u.username = ${username.toLowerCase()} and ${isSeenBy(scope)})`
}

/** Usernames by user id, as far as a reader may know them. */
export async function listUsernames(
  db: Db,
  scope: Scope,
  user_ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (user_ids.length === 0) return new Map()
  const { rows } = await sql<{ user_id: number; username: string }>`
    select u.user_id, u.username from users u join users principal on principal.user_id = coalesce(u.principal_id, u.user_id)
    where u.user_id = any(${user_ids}::bigint[]) and ${isSeenBy(scope)}`.execute(db)
  return new Map(rows.map(({ user_id, username }) => [user_id, username]))
}

interface SubjectUser {
  user_id: number
  username: string
  display_name: string
}

/** A log row for display. */
export interface SubjectAudit {
  audit_id: number
  at: Date
  action: string
  /** Null for the system. */
  actor: SubjectUser | null
  is_by_office: boolean
  above_level: UserLevel | null
  /** The assistant's principal; null if an assistant did not act. */
  principal: SubjectUser | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** What was done to a subject, newest first. */
export async function listRowsOfSubject(
  db: Db,
  scope: Scope,
  subject: string,
  limit: number,
  before_id: number | null,
): Promise<SubjectAudit[]> {
  const { rows } = await sql<SubjectAudit>`
    select audit_id, at, action, before, after, reason, coalesce(a.is_office, false) as is_by_office,
      case when a.user_id is not null then
        json_build_object('user_id', a.user_id, 'username', a.username, 'display_name', a.display_name) end as actor,
      ${aboveLevel(scope)} as above_level,
      case when principal.user_id <> actor_id then json_build_object('user_id', principal.user_id, 'username', principal.username,
        'display_name', principal.display_name) end as principal
    from audit_log left join users a on a.user_id = actor_id left join users principal on principal.user_id = audit_log.principal_id
    where subject = ${subject} and (${before_id}::bigint is null
      or chain_no < (select chain_no from audit_log before where before.audit_id = ${before_id}))
    order by chain_no desc limit ${limit}`.execute(db)
  return rows
}
