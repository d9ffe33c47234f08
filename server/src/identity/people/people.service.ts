// The tree and the list of a line: who stands in it, with status, credit and figures.

import {
  MAX_FOUND_ROWS,
  type PeopleFilter as FilterQuery,
  type PeopleSums,
  type Person,
  type Permission,
  type PersonFigureSort,
  personFigureSort,
  type PersonSort,
} from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getAccessibleUser, getCompanyId, showCredit, toCreditInfo } from '../accounts/index.ts'
import {
  countPeople,
  findContactIds,
  hasFigure,
  findPackageId,
  findPersonRecord,
  type DownlineScope,
  listPeoplePage,
  type PeopleFilter,
  type PersonRecord,
  sumFigures,
} from './people.store.ts'

export { listFoundIds } from './people.store.ts'

export interface PeopleQuery extends FilterQuery {
  parent_id?: string | undefined
  sort?: PersonSort | PersonFigureSort | undefined
  order?: 'asc' | 'desc' | undefined
}

export interface PeoplePage {
  data: Person[]
  top_level: { total_count: number; root_id: number }
}

/** The reader of a user: credit, net and packages need their permissions. */
export type PersonViewer = Pick<Caller, 'permissions'>

/**
 * A page of the caller's downline and how many users match; the office lists everybody.
 * @throws Refusal not_found (the parent is not in the caller's downline), unknown_package, bad_input (half a package), not_allowed (the
 * order would show credit, or the filter packages, that the caller may not view)
 */
export async function listPeople(
  db: Db,
  caller: DownlineScope & PersonViewer,
  query: PeopleQuery,
  limit: number,
  offset: number,
): Promise<PeoplePage> {
  const { sort = 'username' } = query
  const needed = viewsOfSorts[sort]
  if (needed !== undefined && !caller.permissions.has(needed)) throw new Refusal('not_allowed')
  const parent_id = query.parent_id === undefined ? null : Number(query.parent_id)
  if (parent_id !== null) await getAccessibleUser(db, caller, parent_id)
  const filter = { ...(await readFilter(db, caller, query)), parent_id }
  if (personFigureSort.safeParse(sort).success) await refuseLongLine(db, caller, filter)
  const order = { sort, isDescending: query.order === 'desc' }
  const records = await listPeoplePage(db, caller, filter, order, limit, offset)
  const total_count = await countPeople(db, caller, filter)
  const root_id = caller.is_office ? await getCompanyId(db) : caller.principal_id
  return { data: records.map((record) => toPerson(record, caller)), top_level: { total_count, root_id } }
}

const viewsOfSorts: Partial<Readonly<Record<PersonSort | PersonFigureSort, Permission>>> = {
  credit_limit: 'credit.view',
  used: 'credit.view',
  net: 'reports.view',
  owed: 'money.view',
  last_bet: 'tickets.view',
}
const viewsOfFilters = [
  ['used', 'credit.view'],
  ['net', 'reports.view'],
  ['owed', 'money.view'],
  ['idle_days', 'tickets.view'],
] as const satisfies readonly (readonly [keyof FilterQuery, Permission])[]

/** Figures that bets change are read for each user who matches otherwise. @throws Refusal too_many_found */
async function refuseLongLine(db: Db, scope: DownlineScope, filter: PeopleFilter): Promise<void> {
  const count = await countPeople(db, scope, { ...filter, used: null, net: null, owed: null, idle_days: null })
  if (count > MAX_FOUND_ROWS) throw new Refusal('too_many_found', { most: MAX_FOUND_ROWS })
}

/** @throws Refusal as `readFilter`, too_many_found */
export async function sumPeople(db: Db, caller: DownlineScope & PersonViewer, query: FilterQuery): Promise<PeopleSums> {
  const filter = await readFilter(db, caller, query)
  await refuseLongLine(db, caller, filter)
  const { net_7_days_satang, owed_satang, ...credit } = await sumFigures(db, caller, filter)
  const mayViewCredit = caller.permissions.has('credit.view')
  return {
    ...(mayViewCredit ? credit : { credit_limit_satang: null, credit_used_satang: null, held_satang: null }),
    net_7_days_satang: caller.permissions.has('reports.view') ? net_7_days_satang : null,
    owed_satang: caller.permissions.has('money.view') ? owed_satang : null,
  }
}

/** @throws Refusal too_many_found, unknown_package, bad_input (half a package), not_allowed (a filter shows what the caller may not view) */
export async function readFilter(
  db: Db,
  caller: DownlineScope & PersonViewer,
  query: FilterQuery,
): Promise<PeopleFilter> {
  const { permissions } = caller
  const asksForPackage = query.product_code !== undefined || query.package_code !== undefined
  if (asksForPackage && !permissions.has('terms.view')) throw new Refusal('not_allowed')
  for (const [name, needed] of viewsOfFilters)
    if (query[name] !== undefined && !permissions.has(needed)) throw new Refusal('not_allowed')
  const text = query.search?.trim().toLowerCase() ?? ''
  const filter: PeopleFilter = {
    parent_id: null,
    text,
    contact_ids: text === '' ? [] : await findContactIds(db, text),
    tag: query.tag ?? null,
    used: query.used ?? null,
    net: query.net ?? null,
    owed: query.owed ?? null,
    idle_days: query.idle_days === undefined ? null : Number(query.idle_days),
    level: query.level ?? null,
    status: query.status ?? null,
    package_id: await readPackage(db, query),
    is_online: query.is_online === undefined ? null : query.is_online === 'true',
    agent_code: query.agent_code?.toUpperCase() ?? null,
  }
  if (hasFigure(filter)) await refuseLongLine(db, caller, filter)
  return filter
}

async function readPackage(db: Db, { product_code, package_code }: PeopleQuery): Promise<number | null> {
  if (product_code === undefined && package_code === undefined) return null
  if (product_code === undefined || package_code === undefined)
    throw new Refusal('bad_input', { fields: ['product_code', 'package_code'] })
  const package_id = await findPackageId(db, product_code, package_code)
  if (package_id === undefined) throw new Refusal('unknown_package', { product_code, package_code })
  return package_id
}

/** @throws Error where there is none: the caller has accessed this user before */
export async function getPersonRecord(db: Db, user_id: number): Promise<PersonRecord> {
  const record = await findPersonRecord(db, user_id)
  if (!record) throw new Error(`User ${user_id} is gone`)
  return record
}

export async function getPersonRow(db: Db, viewer: PersonViewer, user_id: number): Promise<Person> {
  return toPerson(await getPersonRecord(db, user_id), viewer)
}

export function toPerson(
  { created_at, last_log_in_at, last_bet_at, cash_satang, net_7_days_satang, ...record }: PersonRecord,
  viewer: PersonViewer,
): Person {
  return {
    ...record,
    ...showCredit(toCreditInfo({ ...record, cash_satang }), viewer),
    package_count: viewer.permissions.has('terms.view') ? record.package_count : null,
    net_7_days_satang: viewer.permissions.has('reports.view') ? net_7_days_satang : null,
    owed_satang: viewer.permissions.has('money.view') ? record.owed_satang : null,
    created_at: created_at.toISOString(),
    last_bet_at: viewer.permissions.has('tickets.view') ? (last_bet_at?.toISOString() ?? null) : null,
    last_log_in_at: last_log_in_at?.toISOString() ?? null,
  }
}
