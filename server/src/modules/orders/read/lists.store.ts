// Which tickets a list shows. However many there are, a call looks at a bounded number of them: the newest of those that an
// index leads to, and of these the ones that fit. Where too few do, the next call goes on behind the last that was seen.

import type { UserLevel } from '@megalot/contract'
import { slotsOfNumber } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, plainArray } from '../../../platform/db.ts'
import type { Part } from '../../../platform/page.ts'
import { holdsBet } from '../intake/packed-lines.ts'

/** Whose tickets a list shows: a member's own, an upline's downline's, everybody's for the office. */
export interface Viewer {
  user_id: number
  level: UserLevel
  is_office: boolean
}

/** What a list is narrowed to; what is absent does not narrow it. */
export interface OrderFilter {
  period?: { period_id: number; open_at: Date; close_at: Date } | undefined
  product_code?: string | undefined
  statuses?: readonly string[] | undefined
  /** Days in Asia/Bangkok on which a ticket was placed, both included. */
  date_from?: string | undefined
  date_to?: string | undefined
  order_id?: number | undefined
  user_id?: number | undefined
  /** A part of the note, in lower case, or a ticket's number, or the number of a bet. */
  search?: string | undefined
}

export interface OrderPart {
  /** Newest first. */
  order_ids: number[]
  /** Where the next part begins; null: that was all. */
  next_before: number | null
}

/** How many tickets are looked at, in one index or in each of many members'. */
const SEEN_AT_ONCE = 500
const SEEN_OF_EACH = 100
/**
 * The same where a number is searched that tickets may bet on: of all tickets none can be left out beforehand, but to look at
 * one costs a microsecond. An index on bets leads to the tickets of everybody in one period, and not to a member's own.
 */
const SEEN_FOR_BETS = 10_000
/** Uplines of no more members than this look at each one's tickets, others at all tickets there are. */
const FEW_MEMBERS = 300

const yes = sql`true`

/** The tickets that a viewer may see and the filter leaves. */
export async function listOrderIds(db: Db, viewer: Viewer, filter: OrderFilter, part: Part): Promise<OrderPart> {
  const members = await findMembers(db, viewer, filter.user_id)
  const kind = kindOf(filter, Array.isArray(members))
  const bounds = await findBounds(db, filter)
  const residual = [...residualsOf(filter, kind)]
  if (members === 'downline') residual.push(isBelow(viewer.user_id))
  const wanted_id = filter.order_id ?? numberIn(filter.search)
  const found =
    wanted_id !== undefined && part.before === undefined ? await findExact(db, wanted_id, viewer, filter) : []
  // It comes first, on the first page.
  const exact = part.offset === 0 ? found : []
  // A list of one ticket is at its end with it.
  if (filter.order_id !== undefined) return { order_ids: exact, next_before: null }
  if (wanted_id !== undefined) residual.push(sql`order_id <> ${wanted_id}`)

  const room = part.limit - exact.length
  if (part.before !== undefined) bounds.push(sql`order_id < ${part.before}`)
  const source = sql.join([kind.source, ...bounds], sql` and `)
  const offset = part.isPage ? part.offset - found.length + exact.length : 0
  const { order_ids, last_seen } =
    kind.name === 'bet'
      ? await lookForBets(db, members, source, residual, room + 1, offset)
      : part.isPage
        ? await lookThroughAll(db, members, source, residual, room + 1, offset)
        : await lookAtNewest(db, members, source, residual, room + 1)
  const shown = order_ids.slice(0, room)
  // Where the exact one fills the part, all others are still to come.
  const next_before = order_ids.length > room ? (shown.at(-1) ?? order_ids[0]! + 1) : last_seen
  return { order_ids: [...exact, ...shown], next_before }
}

type Members = number[] | 'downline' | 'all'

interface Seen {
  /** Of those that were looked at the ones that fit, newest first. */
  order_ids: number[]
  /** The last that was looked at, where there may be more behind it. */
  last_seen: number | null
}

/** Looks at a bounded number of tickets, the newest that the source leads to. */
async function lookAtNewest(
  db: Db,
  members: Members,
  source: RawBuilder<unknown>,
  residual: readonly RawBuilder<unknown>[],
  wanted: number,
): Promise<Seen> {
  const isOfEach = Array.isArray(members) && members.length !== 1
  // Where nothing is left out, what is looked at is what is shown.
  const size = residual.length === 0 ? wanted : Math.max(wanted, isOfEach ? SEEN_OF_EACH : SEEN_AT_ONCE)
  // Said in the statement itself: the planner must know how few they are.
  const seen = sql.lit(size)
  const columns = sql`order_id, user_id, period_id, status, note, created_at`
  const ofMember = (user_id: RawBuilder<unknown>) => sql`
    select ${columns} from orders where user_id = ${user_id} and ${source} order by order_id desc limit ${seen}`
  const newest = !Array.isArray(members)
    ? sql`select ${columns} from orders where ${source} order by order_id desc limit ${seen}`
    : isOfEach
      ? sql`select newest.* from unnest(${plainArray(members)}::bigint[]) as member (member_id)
          cross join lateral (${ofMember(sql`member_id`)}) newest order by order_id desc limit ${seen}`
      : ofMember(sql`${members[0]}::bigint`)
  const { rows } = await sql<{ order_ids: number[]; last_id: number | null; seen_count: number }>`
    with newest as materialized (${newest})
    select array(select order_id from newest where ${sql.join([yes, ...residual], sql` and `)}
        order by order_id desc limit ${wanted}) as order_ids,
      (select min(order_id) from newest) as last_id, (select count(*)::int from newest) as seen_count`.execute(db)
  const { order_ids, last_id, seen_count } = rows[0]!
  return { order_ids, last_seen: seen_count >= size ? last_id : null }
}

/** Looks at more of the newest tickets than others do, down to a number known beforehand, and stops when enough are found. */
async function lookForBets(
  db: Db,
  members: Members,
  source: RawBuilder<unknown>,
  residual: readonly RawBuilder<unknown>[],
  wanted: number,
  offset: number,
): Promise<Seen> {
  const limit = sql.lit(offset + wanted)
  const fits = sql.join([source, ...residual], sql` and `)
  const isSeen = sql`order_id >= coalesce((select last_id from seen), 0)`
  const newestOf = (whose: RawBuilder<unknown>, most: number) => sql`
    select case when count(*) >= ${sql.lit(most)} then min(order_id) end as last_id
    from (select order_id from orders where ${whose} and ${source} order by order_id desc limit ${sql.lit(most)}) newest`
  const foundOf = (whose: RawBuilder<unknown>) => sql`
    select order_id from orders where ${whose} and ${isSeen} and ${fits} order by order_id desc limit ${limit}`
  const isTheirs = sql`user_id = member_id`
  const mostOfEach = Array.isArray(members) ? Math.ceil(SEEN_FOR_BETS / Math.max(members.length, 1)) : 0
  const { rows } = await (
    Array.isArray(members)
      ? sql<{ order_ids: number[]; last_id: number | null }>`
        with member as (select unnest(${plainArray(members)}::bigint[]) as member_id),
          seen as materialized (
            select max(last_id) as last_id from member cross join lateral (${newestOf(isTheirs, mostOfEach)}) of_one)
        select array(select order_id from member cross join lateral (${foundOf(isTheirs)}) of_one
            order by order_id desc limit ${limit}) as order_ids,
          (select last_id from seen) as last_id`
      : sql<{ order_ids: number[]; last_id: number | null }>`
        with seen as materialized (${newestOf(yes, SEEN_FOR_BETS)})
        select array(${foundOf(yes)}) as order_ids, (select last_id from seen) as last_id`
  ).execute(db)
  return { order_ids: rows[0]!.order_ids.slice(offset), last_seen: rows[0]!.last_id }
}

/** Looks at as many tickets as it takes to fill a numbered page. */
async function lookThroughAll(
  db: Db,
  members: Members,
  source: RawBuilder<unknown>,
  residual: readonly RawBuilder<unknown>[],
  wanted: number,
  offset: number,
): Promise<Seen> {
  const isTheirs = Array.isArray(members) ? sql`user_id = any(${plainArray(members)}::bigint[])` : yes
  const { rows } = await sql<{ order_id: number }>`
    select order_id from orders where ${sql.join([source, isTheirs, ...residual], sql` and `)}
    order by order_id desc limit ${wanted} offset ${offset}`.execute(db)
  return { order_ids: rows.map((row) => row.order_id), last_seen: null }
}

/** Members whose tickets are looked at one by one; or all tickets there are, of which the downline's are picked. */
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

function isSeenBy(viewer: Viewer): RawBuilder<unknown> {
  if (viewer.is_office) return yes
  return viewer.level === 'member' ? sql`user_id = ${viewer.user_id}` : isBelow(viewer.user_id)
}

/** What an index knows of the tickets wanted: of which period, that they ended, that they carry a note. */
interface Kind {
  name: 'period' | 'ended' | 'noted' | 'bet' | 'any'
  source: RawBuilder<unknown>
}

function kindOf({ period, statuses, search }: OrderFilter, isOfMembers: boolean): Kind {
  // Looked at first: what it is narrowed to besides is asked of each ticket.
  if (slotsIn(search).length > 0) return { name: 'bet', source: yes }
  if (period && isOfMembers) return { name: 'period', source: sql`period_id = ${period.period_id}` }
  // As the indexes' conditions say it, so that the planner knows them again.
  if (statuses?.length === 1 && statuses[0] === 'CANCELLED') return { name: 'ended', source: sql`status = 'CANCELLED'` }
  if (statuses?.length === 1 && statuses[0] === 'DELETED') return { name: 'ended', source: sql`status = 'DELETED'` }
  return search === undefined ? { name: 'any', source: yes } : { name: 'noted', source: sql`note <> ''` }
}

function* residualsOf(filter: OrderFilter, kind: Kind): Generator<RawBuilder<unknown>> {
  const { period, product_code, statuses, search } = filter
  // Between the numbers of its time, tickets of a period lie among those of others.
  if (period && kind.name !== 'period') yield sql`period_id = ${period.period_id}`
  if (product_code !== undefined)
    yield sql`period_id in (select period_id from periods where product_code = ${product_code})`
  if (statuses !== undefined && kind.name !== 'ended') yield sql`status = any(${statuses}::text[])`
  if (search !== undefined) yield isFoundBy(search)
  yield* daysOf(filter)
}

function* daysOf({ date_from, date_to }: OrderFilter): Generator<RawBuilder<unknown>> {
  if (date_from !== undefined) yield sql`created_at >= (${date_from}::date)::timestamp at time zone 'Asia/Bangkok'`
  if (date_to !== undefined) yield sql`created_at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`
}

/** Between which numbers tickets of the days, or of the period's time, lie. Read first, so that the planner sees numbers. */
async function findBounds(db: Db, { date_from, date_to, period }: OrderFilter): Promise<RawBuilder<unknown>[]> {
  if (!period && date_from === undefined && date_to === undefined) return []
  const { rows } = await sql<{ first_id: number | null; last_id: number | null }>`
    select order_id_before(greatest((${date_from ?? null}::date)::timestamp at time zone 'Asia/Bangkok',
        ${period?.open_at ?? null}::timestamptz)) as first_id,
      order_id_before(least((${date_to ?? null}::date + 1)::timestamp at time zone 'Asia/Bangkok',
        ${period?.close_at ?? null}::timestamptz) + interval '20 minutes') as last_id`.execute(db)
  const { first_id, last_id } = rows[0]!
  const isFrom = period !== undefined || date_from !== undefined
  const isTo = period !== undefined || date_to !== undefined
  return [
    ...(isFrom && first_id !== null ? [sql`order_id > ${first_id}`] : []),
    ...(isTo && last_id !== null ? [sql`order_id <= ${last_id}`] : []),
  ]
}

function numberIn(search: string | undefined): number | undefined {
  return search !== undefined && /^[1-9]\d{0,14}$/.test(search) ? Number(search) : undefined
}

/** The slots of the bets for which a text may stand. */
function slotsIn(search: string | undefined): readonly number[] {
  return search === undefined ? [] : slotsOfNumber(search)
}

function isFoundBy(search: string): RawBuilder<unknown> {
  const inNote = sql`strpos(lower(note), ${search}) > 0`
  const slots = slotsIn(search)
  return slots.length === 0 ? inNote : sql`(${holdsBet(slots)} or (note <> '' and ${inNote}))`
}

/** The ticket of a number, where it may be seen and the rest of the filter leaves it. */
async function findExact(db: Db, order_id: number, viewer: Viewer, filter: OrderFilter): Promise<number[]> {
  const { period, product_code, statuses, user_id } = filter
  const conditions = [sql`order_id = ${order_id}`, isSeenBy(viewer), ...daysOf(filter)]
  if (period) conditions.push(sql`period_id = ${period.period_id}`)
  if (product_code !== undefined)
    conditions.push(sql`period_id in (select period_id from periods where product_code = ${product_code})`)
  if (statuses !== undefined) conditions.push(sql`status = any(${statuses}::text[])`)
  if (user_id !== undefined) conditions.push(sql`user_id = ${user_id}`)
  const wanted = numberIn(filter.search)
  if (filter.order_id !== undefined && filter.search !== undefined)
    conditions.push(sql`(order_id = ${wanted ?? null}::bigint or ${isFoundBy(filter.search)})`)
  const { rows } = await sql<{ order_id: number }>`
    select order_id from orders where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows.map((row) => row.order_id)
}
