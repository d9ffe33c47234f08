import type { PeopleSums, Person, PersonFigureSort, PersonSort, UserLevel, UserStatus } from '@megalot/contract'
import { ONLINE_MINUTES } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../http/caller.ts'
import { type Db, unquotedArray } from '../../postgres/db.ts'
import { getCompanyId } from '../accounts/index.ts'

/** Whose downline a caller lists: everybody's for the office. */
export type DownlineScope = Pick<Caller, 'principal_id' | 'is_office'> & Partial<Pick<Caller, 'level'>>

export interface PeopleFilter {
  /** Only users directly below this one. */
  parent_id: number | null
  /** In lower case, part of the username or of the name; empty for everybody. */
  text: string
  level: UserLevel | null
  /** The status in force. */
  status: UserStatus | null
  package_id: number | null
  is_online: boolean | null
  agent_code: string | null
  tag: string | null
  used: 'some' | 'most' | null
  net: 'won' | 'lost' | null
  owed: 'collect' | 'pay' | null
  idle_days: number | null
  /** Users whose phone number or LINE id holds the text, besides their names. */
  contact_ids: readonly number[]
}

export interface PersonRecord extends Omit<
  Person,
  | 'created_at'
  | 'last_log_in_at'
  | 'last_bet_at'
  | 'credit_limit_satang'
  | 'balance_satang'
  | 'held_satang'
  | 'credit_used_satang'
  | 'credit_remain_satang'
  | 'net_7_days_satang'
  | 'owed_satang'
> {
  created_at: Date
  last_log_in_at: Date | null
  last_bet_at: Date | null
  credit_limit_satang: number
  cash_satang: number
  held_satang: number
  net_7_days_satang: number
  /** Null for the company. */
  owed_satang: number | null
}

const isPerson = sql`u.principal_id is null and not u.is_office`

/** Periods of the net of seven days. */
const recentPeriods = sql`
  recent as materialized (
    select period_id from periods
    where outcome = 'settled' and period_date between (clock_timestamp() at time zone 'Asia/Bangkok')::date - 6
      and (clock_timestamp() at time zone 'Asia/Bangkok')::date
  ), bounds as materialized (
    select min(period_id) as low, max(period_id) as high from recent
  )`

const netOf = (table: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(sum(win_satang - received_satang + discount_satang), 0)::bigint from ${table} played
  where played.user_id = u.user_id and played.period_id between (select low from bounds) and (select high from bounds)
    and played.period_id in (select period_id from recent))`

/** Figures of a user `u`. Those that bets change have no index. */
const figures = {
  used: sql`(select greatest(0, 0 - cash.balance_satang) from accounts cash
    where cash.user_id = u.user_id and cash.kind = 'cash')`,
  net: sql`case when u.level = 'member' then ${netOf(sql`member_periods`)} else ${netOf(sql`level_periods`)} end`,
  owed: sql`(select 0 - edge.balance_satang from edges edge where edge.child_id = u.user_id)`,
  last_bet: sql`(select order_id from orders where orders.user_id = u.user_id order by order_id desc limit 1)`,
} satisfies Record<PersonFigureSort, RawBuilder<unknown>>

const lastBetAt = sql`(select placed_at from orders where orders.user_id = u.user_id order by order_id desc limit 1)`

export function hasFigure({ used, net, owed, idle_days }: PeopleFilter): boolean {
  return used !== null || net !== null || owed !== null || idle_days !== null
}

/** Joined with the users of a list, because the time does not change within a statement. */
const isOnline = sql`exists (
  select 1 from sessions where sessions.user_id = u.user_id and ended_at is null
    and last_active_at > statement_timestamp() - ${sql.lit(ONLINE_MINUTES)} * interval '1 minute')`

function isInScope({ principal_id, is_office, level }: DownlineScope): RawBuilder<unknown> {
  if (is_office) return sql`true`
  // Everybody stands below the company; the index would name each of them.
  if (level === 'company') return sql`u.user_id <> ${principal_id}`
  return sql`u.upline_ids @> array[${principal_id}]::bigint[]`
}

function conditionsOf(filter: PeopleFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (filter.parent_id !== null) conditions.push(sql`u.parent_id = ${filter.parent_id}`)
  if (filter.text !== '') {
    const isNamed = sql`u.search_text like ${`%${escapePattern(filter.text)}%`}`
    const ids = unquotedArray(filter.contact_ids)
    conditions.push(filter.contact_ids.length === 0 ? isNamed : sql`(${isNamed} or u.user_id = any(${ids}::bigint[]))`)
  }
  if (filter.tag !== null)
    conditions.push(sql`u.user_id in (select user_id from contact_notes where tags @> array[${filter.tag}::text])`)
  if (filter.level !== null) conditions.push(sql`u.level = ${filter.level}`)
  if (filter.status !== null) conditions.push(sql`u.status_in_force = ${filter.status}`)
  if (filter.package_id !== null)
    conditions.push(sql`exists (
      select 1 from user_packages given where given.user_id = u.user_id and given.package_id = ${filter.package_id})`)
  if (filter.is_online !== null) conditions.push(filter.is_online ? isOnline : sql`not ${isOnline}`)
  if (filter.used === 'some') conditions.push(sql`${figures.used} > 0`)
  if (filter.used === 'most')
    conditions.push(sql`exists (select from accounts cash where cash.user_id = u.user_id and cash.kind = 'cash'
      and cash.balance_satang < 0 and cash.balance_satang * 5 <= cash.floor_satang * 4)`)
  if (filter.net !== null) conditions.push(sql`${figures.net} ${filter.net === 'won' ? sql`> 0` : sql`< 0`}`)
  if (filter.owed !== null) conditions.push(sql`${figures.owed} ${filter.owed === 'collect' ? sql`> 0` : sql`< 0`}`)
  if (filter.idle_days !== null)
    conditions.push(sql`u.level = 'member' and coalesce(${lastBetAt}, '-infinity')
      < statement_timestamp() - ${filter.idle_days} * interval '1 day'`)
  if (filter.agent_code !== null) conditions.push(sql`u.agent_code = ${filter.agent_code}`)
  return conditions
}

/** Fewer characters than this are in too many numbers to search for. */
const CONTACT_CHARACTERS = 4
const MAX_CONTACTS = 200

/** Users whose phone number or LINE id holds a text, of the whole house. */
export async function findContactIds(db: Db, text: string): Promise<number[]> {
  const isNumber = /^[+\d][\d -]*$/.test(text)
  const searched = isNumber ? text.replaceAll(/\D/g, '') : text
  if (searched.length < CONTACT_CHARACTERS) return []
  const pattern = `%${escapePattern(searched)}%`
  const registered = isNumber ? sql`union select user_id from users where phone_digits(phone) like ${pattern}` : sql``
  const { rows } = await sql<{ user_id: number }>`
    select user_id from contact_notes where search_text like ${pattern} ${registered} limit ${MAX_CONTACTS}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** A text as a part of a pattern of `like`, where it stands for itself. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** Each is an index of the database, read forwards or backwards. Usernames are unique; ids rise with the time of creation. */
const orders: Readonly<Record<PersonSort, readonly RawBuilder<unknown>[]>> = {
  username: [sql`u.username`],
  display_name: [sql`u.display_name`, sql`u.user_id`],
  created_at: [sql`u.user_id`],
  last_log_in_at: [sql`coalesce(u.last_log_in_at, '-infinity')`, sql`u.user_id`],
  // The floor of an account is minus the limit.
  credit_limit: [sql`c.floor_satang`, sql`c.user_id`],
}

export interface PeopleOrder {
  sort: PersonSort | PersonFigureSort
  isDescending: boolean
}

/** A page of the users of a downline that match. */
export async function listPeoplePage(
  db: Db,
  scope: DownlineScope,
  filter: PeopleFilter,
  { sort, isDescending }: PeopleOrder,
  limit: number,
  offset: number,
): Promise<PersonRecord[]> {
  if (sort === 'used' || sort === 'net' || sort === 'last_bet' || sort === 'owed') {
    const direction = isDescending ? sql`desc nulls last` : sql`asc nulls first`
    const where = sql.join([isPerson, isInScope(scope), ...conditionsOf(filter)], sql` and `)
    return selectPeople(
      db,
      sql`select user_id from (select u.user_id, ${figures[sort]} as figure from users u where ${where}) figured
        order by figure ${direction}, user_id limit ${limit} offset ${offset}`,
    )
  }
  const isOfAccount = sort === 'credit_limit'
  const cash = isOfAccount ? sql`join accounts c on c.user_id = u.user_id and c.kind = 'cash'` : sql``
  const direction = isDescending === isOfAccount ? sql`asc` : sql`desc`
  const where = sql.join([isPerson, isInScope(scope), ...conditionsOf(filter)], sql` and `)
  const order = sql.join(
    orders[sort].map((column) => sql`${column} ${direction}`),
    sql`, `,
  )
  return selectPeople(
    db,
    sql`select u.user_id from users u ${cash} where ${where} order by ${order} limit ${limit} offset ${offset}`,
  )
}

/**
 * Users of a downline that match and can be changed, by id.
 * @param among only these; null for everybody
 */
export async function listFoundIds(
  db: Db,
  scope: DownlineScope,
  filter: PeopleFilter,
  among: readonly number[] | null,
  limit: number,
): Promise<number[]> {
  const where = sql.join(
    [
      isPerson,
      isInScope(scope),
      ...conditionsOf(filter),
      sql`u.parent_id is not null`,
      ...(among === null ? [] : [sql`u.user_id = any(${unquotedArray(among)}::bigint[])`]),
    ],
    sql` and `,
  )
  const { rows } = await sql<{ user_id: number }>`
    with ${recentPeriods} select u.user_id from users u where ${where} order by u.user_id limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** How many users of a downline match. */
export async function countPeople(db: Db, scope: DownlineScope, filter: PeopleFilter): Promise<number> {
  const { package_id, is_online, ...others } = filter
  // Most users are offline: those who are online are subtracted.
  if (is_online === false) {
    const all = await countPeople(db, scope, { ...filter, is_online: null })
    return all - (await countPeople(db, scope, { ...filter, is_online: true }))
  }
  const { contact_ids: _ids, ...narrowing } = others
  const isPlain = Object.values(narrowing).every((value) => value === null || value === '') && is_online === null
  if (isPlain && package_id === null) return countDownline(db, scope)
  if (isPlain && (scope.is_office || scope.level === 'company')) return countHolders(db, scope, package_id!)
  const where = sql.join([isPerson, isInScope(scope), ...conditionsOf(filter)], sql` and `)
  const { rows } = await sql<{ count: number }>`
    with ${hasFigure(filter) ? recentPeriods : sql`none as (select 1)`}
    select count(*)::int as count from users u where ${where}`.execute(db)
  return rows[0]!.count
}

/** Of the whole house: staff has no packages. */
async function countHolders(db: Db, { is_office, principal_id }: DownlineScope, package_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from user_packages
    where package_id = ${package_id} and (${is_office} or user_id <> ${principal_id})`.execute(db)
  return rows[0]!.count
}

/** Sums over the users of a downline who match. */
export async function sumFigures(
  db: Db,
  scope: DownlineScope,
  filter: PeopleFilter,
): Promise<Record<keyof PeopleSums, number>> {
  const where = sql.join([isPerson, isInScope(scope), ...conditionsOf(filter)], sql` and `)
  const { rows } = await sql<Record<keyof PeopleSums, number>>`
    with ${recentPeriods}
    select coalesce(sum(0 - c.floor_satang), 0)::bigint as credit_limit_satang,
      coalesce(sum(greatest(0, 0 - c.balance_satang)), 0)::bigint as credit_used_satang,
      coalesce(sum(h.balance_satang), 0)::bigint as held_satang,
      coalesce(sum(${figures.net}), 0)::bigint as net_7_days_satang,
      coalesce(sum(${figures.owed}), 0)::bigint as owed_satang
    from users u join accounts c on c.user_id = u.user_id and c.kind = 'cash'
      join accounts h on h.user_id = u.user_id and h.kind = 'held'
    where ${where}`.execute(db)
  return rows[0]!
}

/** The size of the whole downline; for the office also the company itself. */
async function countDownline(db: Db, { principal_id, is_office }: DownlineScope): Promise<number> {
  const root_id = is_office ? await getCompanyId(db) : principal_id
  const { rows } = await sql<{ count: number }>`
    select member_count + agent_count as count from downline_sizes where user_id = ${root_id}`.execute(db)
  return rows[0]!.count + (is_office ? 1 : 0)
}

/** One user of a downline, as a list shows it; undefined for office users and assistants. */
export async function findPersonRecord(db: Db, user_id: number): Promise<PersonRecord | undefined> {
  return (await selectPeople(db, sql`select u.user_id from users u where ${isPerson} and u.user_id = ${user_id}`))[0]
}

/** @param page the ids of users, in the order of the reply */
async function selectPeople(db: Db, page: RawBuilder<unknown>): Promise<PersonRecord[]> {
  const { rows } = await sql<PersonRecord>`
    with ${recentPeriods}, page as materialized (
      select user_id, row_number() over () as place from (${page}) listed
    )
    select u.user_id, u.username, u.display_name, u.level, u.parent_id, parent.username as parent_username,
      coalesce(size.member_count, 0) as member_count, coalesce(size.agent_count, 0) as agent_count,
      u.own_status, u.status_in_force as status,
      0 - c.floor_satang as credit_limit_satang, c.balance_satang as cash_satang, h.balance_satang as held_satang,
      ${figures.net} as net_7_days_satang, ${figures.owed} as owed_satang, ${lastBetAt} as last_bet_at,
      cardinality(u.package_ids) as package_count, u.created_at, u.last_log_in_at,
      ${isOnline} as is_online, u.agent_code, coalesce(kept.tags, '{}') as tags
    from page join users u using (user_id)
      join accounts c on c.user_id = u.user_id and c.kind = 'cash'
      join accounts h on h.user_id = u.user_id and h.kind = 'held'
      left join contact_notes kept on kept.user_id = u.user_id
      left join users parent on parent.user_id = u.parent_id
      left join downline_sizes size on size.user_id = u.user_id
    order by place`.execute(db)
  return rows
}

/** The package of a name, if there is one. */
export async function findPackageId(db: Db, product_code: string, package_code: string): Promise<number | undefined> {
  const { rows } = await sql<{ package_id: number }>`
    select package_id from packages where product_code = ${product_code} and package_code = ${package_code}`.execute(db)
  return rows[0]?.package_id
}
