// Lists of tickets. Each call scans a bounded number of tickets: the newest found by an index, filtered by the
// remaining conditions. If too few match, the next call continues after the last scanned ticket.

import type { UserLevel } from '@megalot/contract'
import { slotsOfNumber } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, plainArray, unquotedArray } from '../../postgres/db.ts'
import type { Part } from '../../http/page.ts'

/** Determines visible tickets: a member's own, an upline's downline, or all for the office. */
export interface Viewer {
  user_id: number
  level: UserLevel
  is_office: boolean
}

/** The filter of a list; absent fields do not filter. */
export interface OrderFilter {
  period?: { period_id: number } | undefined
  product_code?: string | undefined
  statuses?: readonly string[] | undefined
  /** Days of placing in Asia/Bangkok, both included. */
  date_from?: string | undefined
  date_to?: string | undefined
  order_id?: number | undefined
  user_id?: number | undefined
  /** Instants of placing: the first included, the second excluded. */
  placed_from?: string | undefined
  placed_to?: string | undefined
  /** Bet amount, both included. */
  bet_from_satang?: number | undefined
  bet_to_satang?: number | undefined
  /** The network address of the owner's log-in when it was placed. */
  address?: string | undefined
  /** Part of the note, in lower case, or a ticket id, or a bet number. */
  search?: string | undefined
}

export interface OrderPart {
  /** Newest first. */
  order_ids: number[]
  /** Cursor of the next page; null if there are no more. */
  next_before: number | null
}

/** How many tickets are scanned, in one index or for each of several members. */
const SCAN_LIMIT = 500
const MEMBER_SCAN_LIMIT = 100
/**
 * The limit for conditions without an index that cost only a microsecond per ticket: a bet number, an amount, a market,
 * a status.
 */
const LONG_SCAN_LIMIT = 10_000
/** Minimum reach of numbered pages when several members are scanned. */
const MEMBERS_PAGE_LIMIT = 1_000
/** Uplines with at most this many members scan each member's tickets, others all tickets. */
const FEW_MEMBERS = 300

const yes = sql`true`

/** Ticket ids visible to the viewer that match the filter. */
export async function listOrderIds(db: Db, viewer: Viewer, filter: OrderFilter, part: Part): Promise<OrderPart> {
  const log_ins = filter.address === undefined ? undefined : await listLogIns(db, viewer, filter.address)
  const members = narrowMembers(await findMembers(db, viewer, filter.user_id), log_ins)
  const kind = kindOf(filter, Array.isArray(members))
  const bounds = await findBounds(db, filter)
  const residual = [...residualsOf(filter, kind)]
  if (log_ins) residual.push(isPlacedDuring(log_ins))
  if (members === 'downline') residual.push(isBelow(viewer.user_id))
  const exact_id = filter.order_id ?? orderIdIn(filter.search)
  const found =
    exact_id !== undefined && part.before === undefined ? await findExact(db, exact_id, viewer, filter, log_ins) : []
  // The exact match comes first, on the first page.
  const exact = part.offset === 0 ? found : []
  // A list of one ticket has no further page.
  if (filter.order_id !== undefined) return { order_ids: exact, next_before: null }
  if (exact_id !== undefined) residual.push(sql`order_id <> ${exact_id}`)

  const room = part.limit - exact.length
  if (part.before !== undefined) bounds.push(sql`order_id < ${part.before}`)
  const source = sql.join([kind.source, ...bounds], sql` and `)
  const offset = part.isPage ? part.offset - found.length + exact.length : 0
  const { order_ids, last_scanned } =
    kind.name === 'unindexed' || part.isPage
      ? await scanFurther(db, members, source, residual, room + 1, offset)
      : await scanNewest(db, members, source, residual, room + 1)
  const shown = order_ids.slice(0, room)
  // If the exact match fills the page, all others are still to come.
  const next_before = order_ids.length > room ? (shown.at(-1) ?? order_ids[0]! + 1) : last_scanned
  return { order_ids: [...exact, ...shown], next_before }
}

type Members = number[] | 'downline' | 'all'

/**
 * The tickets of `member_id`, in the order of a member's ticket indexes. Ordered by id alone, the planner may read all
 * members' tickets, because it does not know how few this member has; `between` as in `first_order_of`.
 */
const isOfMember = sql`user_id between member_id and member_id`
const byMember = sql`user_id, order_id desc`

interface Scan {
  /** Scanned tickets that match, newest first. */
  order_ids: number[]
  /** The last scanned ticket, if there may be more after it. */
  last_scanned: number | null
}

/** Scans a bounded number of the source's newest tickets. */
async function scanNewest(
  db: Db,
  members: Members,
  source: RawBuilder<unknown>,
  residual: readonly RawBuilder<unknown>[],
  row_count: number,
): Promise<Scan> {
  const isOfEach = Array.isArray(members) && members.length !== 1
  // Without residual conditions every scanned ticket is shown.
  const size = residual.length === 0 ? row_count : Math.max(row_count, isOfEach ? MEMBER_SCAN_LIMIT : SCAN_LIMIT)
  // A literal, so that the planner knows how small it is.
  const scanned = sql.lit(size)
  const columns = sql`order_id, user_id, period_id, status, note, bet_satang, created_at`
  const newestOf = (whose: RawBuilder<unknown>) => sql`
    select ${columns} from orders where ${whose} and ${source} order by order_id desc limit ${scanned}`
  const newest = !Array.isArray(members)
    ? newestOf(yes)
    : isOfEach
      ? sql`select newest.* from unnest(${plainArray(members)}::bigint[]) as member (member_id) cross join lateral (
          select ${columns} from orders where ${isOfMember} and ${source} order by ${byMember} limit ${scanned}
        ) newest order by order_id desc limit ${scanned}`
      : newestOf(sql`user_id = ${members[0]}::bigint`)
  const { rows } = await sql<{ order_ids: number[]; last_id: number | null; scanned_count: number }>`
    with newest as materialized (${newest})
    select array(select order_id from newest where ${sql.join([yes, ...residual], sql` and `)}
        order by order_id desc limit ${row_count}) as order_ids,
      (select min(order_id) from newest) as last_id, (select count(*)::int from newest) as scanned_count`.execute(db)
  const { order_ids, last_id, scanned_count } = rows[0]!
  return { order_ids, last_scanned: scanned_count >= size ? last_id : null }
}

/**
 * Scans more of the newest tickets than other lists, down to a precomputed id, and stops when enough are found. A
 * numbered page beyond them is short or empty, and names the cursor.
 */
async function scanFurther(
  db: Db,
  members: Members,
  source: RawBuilder<unknown>,
  residual: readonly RawBuilder<unknown>[],
  row_count: number,
  offset: number,
): Promise<Scan> {
  const reach = offset + row_count
  const most = countScanned(members, reach, residual.length > 0)
  const isScanned = sql`order_id >= coalesce((select last_id from scanned), 0)`
  const fits = sql.join([source, isScanned, ...residual], sql` and `)
  const lastOf = (newest: Newest) => sql`
    select case when count(*) >= ${most}::int then min(order_id) end as last_id from (${newest(source, most)}) newest`
  const foundOf = (newest: Newest) => newest(fits, reach)
  const [last, found] = [lastOf, foundOf].map((of) => {
    if (!Array.isArray(members)) return of(newestOf(yes))
    if (members.length === 1) return of(newestOf(sql`user_id = ${members[0]}::bigint`))
    return sql`
      select of_one.* from unnest(${plainArray(members)}::bigint[]) as member (member_id)
        cross join lateral (${of(newestOfMember)}) of_one`
  })
  const { rows } = await sql<{ order_ids: number[]; last_id: number | null }>`
    with scanned as materialized (select max(last_id) as last_id from (${last}) last)
    select array(select order_id from (${found}) found order by order_id desc limit ${row_count}::int offset ${offset}::int) as order_ids,
      (select last_id from scanned) as last_id`.execute(db)
  return { order_ids: rows[0]!.order_ids, last_scanned: rows[0]!.last_id }
}

/** The ids of the newest tickets that satisfy a condition. */
type Newest = (condition: RawBuilder<unknown>, limit: number) => RawBuilder<unknown>

const newestOf =
  (whose: RawBuilder<unknown>): Newest =>
  (condition, limit) =>
    sql`
    select order_id from orders where ${whose} and ${condition} order by order_id desc limit ${limit}::int`

const newestOfMember: Newest = (condition, limit) => sql`
  select order_id from orders where ${isOfMember} and ${condition} order by ${byMember} limit ${limit}::int`

/**
 * How many tickets are scanned, per member if there are several. Without residual conditions every scanned one is
 * shown.
 */
function countScanned(members: Members, reach: number, hasResidual: boolean): number {
  const most =
    Array.isArray(members) && members.length > 1
      ? Math.max(Math.ceil(LONG_SCAN_LIMIT / members.length), Math.min(reach, MEMBERS_PAGE_LIMIT))
      : LONG_SCAN_LIMIT
  return hasResidual ? most : Math.min(most, reach)
}

/** Members whose tickets are scanned one by one; otherwise all tickets, filtered by the downline. */
async function findMembers(db: Db, viewer: Viewer, user_id?: number): Promise<Members> {
  if (viewer.level === 'member') return user_id === undefined || user_id === viewer.user_id ? [viewer.user_id] : []
  if (user_id !== undefined) {
    const isTheirs = viewer.is_office || (await isUnder(db, viewer.user_id, user_id))
    return isTheirs ? [user_id] : []
  }
  if (viewer.is_office) return 'all'
  const { rows } = await sql<{ user_id: number }>`
    select user_id from users where upline_ids @> array[${viewer.user_id}]::bigint[] and level = 'member'
    limit ${FEW_MEMBERS + 1}`.execute(db)
  return rows.length > FEW_MEMBERS ? 'downline' : rows.map((row) => row.user_id)
}

async function isUnder(db: Db, upline_id: number, user_id: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from users where user_id = ${user_id} and upline_ids @> array[${upline_id}]::bigint[]) as found`.execute(
    db,
  )
  return rows[0]!.found
}

function isBelow(user_id: number): RawBuilder<unknown> {
  return sql`user_id in (select user_id from users where upline_ids @> array[${user_id}]::bigint[])`
}

function isVisibleTo(viewer: Viewer): RawBuilder<unknown> {
  if (viewer.is_office) return yes
  return viewer.level === 'member' ? sql`user_id = ${viewer.user_id}` : isBelow(viewer.user_id)
}

/** The index for a filter's tickets: by period, by final status, by note. */
interface Kind {
  name: 'period' | 'ended' | 'with_note' | 'unindexed' | 'any'
  source: RawBuilder<unknown>
}

function kindOf({ period, statuses, search, ...filter }: OrderFilter, isOfMembers: boolean): Kind {
  const hasAmount = filter.bet_from_satang !== undefined || filter.bet_to_satang !== undefined
  // Checked first: all other conditions are checked for each ticket.
  if (slotsIn(search).length > 0 || hasAmount) return { name: 'unindexed', source: yes }
  const ofPeriod: Kind = { name: 'period', source: sql`period_id = ${period?.period_id ?? null}` }
  if (period && isOfMembers) return ofPeriod
  // Written like the indexes' conditions, so that the planner matches them.
  if (statuses?.length === 1 && statuses[0] === 'CANCELLED') return { name: 'ended', source: sql`status = 'CANCELLED'` }
  if (statuses?.length === 1 && statuses[0] === 'DELETED') return { name: 'ended', source: sql`status = 'DELETED'` }
  if (search !== undefined) return { name: 'with_note', source: sql`note <> ''` }
  if (period) return ofPeriod
  const isRare = filter.product_code !== undefined || statuses !== undefined
  return { name: isRare ? 'unindexed' : 'any', source: yes }
}

function* residualsOf(filter: OrderFilter, kind: Kind): Generator<RawBuilder<unknown>> {
  const { period, product_code, statuses, search } = filter
  if (period && kind.name !== 'period') yield sql`period_id = ${period.period_id}`
  if (product_code !== undefined)
    yield sql`period_id in (select period_id from periods where product_code = ${product_code})`
  if (statuses !== undefined && kind.name !== 'ended') yield sql`status = any(${statuses}::text[])`
  if (search !== undefined) yield isFoundBy(search)
  yield* timesAndAmountsOf(filter)
}

function* timesAndAmountsOf({ date_from, date_to, ...filter }: OrderFilter): Generator<RawBuilder<unknown>> {
  const { placed_from, placed_to, bet_from_satang, bet_to_satang } = filter
  if (placed_from !== undefined) yield sql`created_at >= ${placed_from}::timestamptz`
  if (placed_to !== undefined) yield sql`created_at < ${placed_to}::timestamptz`
  if (bet_from_satang !== undefined) yield sql`bet_satang >= ${bet_from_satang}::bigint`
  if (bet_to_satang !== undefined) yield sql`bet_satang <= ${bet_to_satang}::bigint`
  if (date_from !== undefined) yield sql`created_at >= (${date_from}::date)::timestamp at time zone 'Asia/Bangkok'`
  if (date_to !== undefined) yield sql`created_at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`
}

const atDay = (day: string) => sql`(${day}::date)::timestamp at time zone 'Asia/Bangkok'`
const idBefore = (instant: RawBuilder<unknown>) => sql`id_before('orders', 'order_id', 'created_at', ${instant})`

/** The range of ids for the days, instants and period. Read first, so that the planner sees numbers. */
async function findBounds(db: Db, filter: OrderFilter): Promise<RawBuilder<unknown>[]> {
  const { date_from, date_to, placed_from, placed_to, period } = filter
  if (!period && [date_from, date_to, placed_from, placed_to].every((bound) => bound === undefined)) return []
  // A period without tickets ends before the first id.
  const period_id = sql`${period?.period_id ?? null}::int`
  const least = [
    ...(date_from === undefined ? [] : [idBefore(atDay(date_from))]),
    ...(placed_from === undefined ? [] : [idBefore(sql`${placed_from}::timestamptz`)]),
    sql`first_order_of(${period_id}) - 1`,
  ]
  // `id_before` names a ticket at least ten minutes earlier; tickets may be written in another order than placed.
  const margin = sql`interval '20 minutes'`
  const greatest = [
    ...(date_to === undefined ? [] : [idBefore(sql`${atDay(date_to)} + interval '1 day' + ${margin}`)]),
    ...(placed_to === undefined ? [] : [idBefore(sql`${placed_to}::timestamptz + ${margin}`)]),
    ...(period === undefined ? [] : [sql`coalesce(last_order_of(${period_id}), 0)`]),
  ]
  const { rows } = await sql<{ after_id: number | null; last_id: number | null }>`
    select greatest(${sql.join(least)})::bigint as after_id,
      ${greatest.length === 0 ? sql`null` : sql`least(${sql.join(greatest)})`}::bigint as last_id`.execute(db)
  const { after_id, last_id } = rows[0]!
  return [
    ...(after_id === null ? [] : [sql`order_id > ${after_id}`]),
    ...(last_id === null ? [] : [sql`order_id <= ${last_id}`]),
  ]
}

// ---- the address of a log-in ----

/** A span during which a member was logged in from an address. */
interface LogIn {
  user_id: number
  began_at: Date
  ended_at: Date | null
}

/** The most log-ins read per address, newest first; an address with more is a whole network's. */
const MAX_LOG_INS = 2_000

/**
 * When members visible to the viewer were logged in from an address. A member has one session at a time, so a ticket's
 * session follows from its time, and placing a ticket writes no address.
 */
async function listLogIns(db: Db, viewer: Viewer, address: string): Promise<LogIn[]> {
  const reach = viewer.is_office
    ? yes
    : viewer.level === 'member'
      ? sql`users.user_id = ${viewer.user_id}`
      : sql`users.upline_ids @> array[${viewer.user_id}]::bigint[]`
  const { rows } = await sql<LogIn>`
    select user_id, sessions.created_at as began_at, ended_at
    from sessions join users using (user_id)
    where sessions.address = ${address} and not awaits_factor and users.level = 'member' and ${reach}
    order by session_id desc limit ${sql.lit(MAX_LOG_INS)}`.execute(db)
  return rows
}

function narrowMembers(members: Members, log_ins: readonly LogIn[] | undefined): Members {
  if (log_ins === undefined) return members
  const theirs = new Set(log_ins.map(({ user_id }) => user_id))
  if (Array.isArray(members)) return members.filter((user_id) => theirs.has(user_id))
  return theirs.size > FEW_MEMBERS ? members : [...theirs]
}

/** Each user has a number range of this many seconds, enough until the year 5138. */
const secondsOfUser = sql`100000000000::numeric`
/** A user and a time as one number; a user's numbers are contiguous. */
const numberOf = (user_id: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql`(${user_id} * ${secondsOfUser} + extract(epoch from ${at}))`

/**
 * All log-ins as one sorted multirange, in which each ticket is found by binary search instead of comparing it with
 * each log-in.
 */
function isPlacedDuring(log_ins: readonly LogIn[]): RawBuilder<unknown> {
  const lasting = log_ins.filter(({ began_at, ended_at }) => ended_at === null || began_at < ended_at)
  const ids = lasting.map(({ user_id }) => user_id)
  const begins = lasting.map(({ began_at }) => began_at.toISOString())
  const ends = lasting.map(({ ended_at }) => ended_at?.toISOString() ?? null)
  const [whose, began, ended] = [sql`whose`, sql`began`, sql`ended`]
  // An open session extends to the next user's range.
  const end = sql`coalesce(${numberOf(whose, ended)}, (whose + 1) * ${secondsOfUser})`
  return sql`coalesce(${numberOf(sql`user_id`, sql`created_at`)} <@ (
    select range_agg(numrange(${numberOf(whose, began)}, ${end}))
    from unnest(${ids}::bigint[], ${begins}::timestamptz[], ${ends}::timestamptz[]) as log_in (whose, began, ended)), false)`
}

function orderIdIn(search: string | undefined): number | undefined {
  return search !== undefined && /^[1-9]\d{0,14}$/.test(search) ? Number(search) : undefined
}

/** The slots of the bets that a text can mean. */
export function slotsIn(search: string | undefined): readonly number[] {
  return search === undefined ? [] : slotsOfNumber(search)
}

function isFoundBy(search: string): RawBuilder<unknown> {
  const inNote = sql`strpos(lower(note), ${search}) > 0`
  const slots = slotsIn(search)
  const hasBet = sql`slots && ${unquotedArray(slots)}::smallint[]`
  return slots.length === 0 ? inNote : sql`(${hasBet} or (note <> '' and ${inNote}))`
}

/** The ticket with an id, if it is visible to the viewer and matches the rest of the filter. */
async function findExact(
  db: Db,
  order_id: number,
  viewer: Viewer,
  filter: OrderFilter,
  log_ins: readonly LogIn[] | undefined,
): Promise<number[]> {
  const { period, product_code, statuses, user_id } = filter
  const conditions = [sql`order_id = ${order_id}`, isVisibleTo(viewer), ...timesAndAmountsOf(filter)]
  if (log_ins) conditions.push(isPlacedDuring(log_ins))
  if (period) conditions.push(sql`period_id = ${period.period_id}`)
  if (product_code !== undefined)
    conditions.push(sql`period_id in (select period_id from periods where product_code = ${product_code})`)
  if (statuses !== undefined) conditions.push(sql`status = any(${statuses}::text[])`)
  if (user_id !== undefined) conditions.push(sql`user_id = ${user_id}`)
  const exact_id = orderIdIn(filter.search)
  if (filter.order_id !== undefined && filter.search !== undefined)
    conditions.push(sql`(order_id = ${exact_id ?? null}::bigint or ${isFoundBy(filter.search)})`)
  const { rows } = await sql<{ order_id: number }>`
    select order_id from orders where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows.map((row) => row.order_id)
}
