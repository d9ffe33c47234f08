// The tree and the list of a line: who stands in it, with status, credit and figures.

import type { PeopleFilter as FilterQuery, Person, PersonSort } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getAccessibleUser, getCompanyId, showCredit, toCreditInfo } from '../accounts/index.ts'
import {
  countPeople,
  findContactIds,
  findPackageId,
  findPersonRecord,
  type DownlineScope,
  listPeoplePage,
  type PeopleFilter,
  type PersonRecord,
} from './people.store.ts'

export { listFoundIds } from './people.store.ts'

export interface PeopleQuery extends FilterQuery {
  parent_id?: string | undefined
  sort?: PersonSort | undefined
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
  if (query.sort === 'credit_limit' && !caller.permissions.has('credit.view')) throw new Refusal('not_allowed')
  const parent_id = query.parent_id === undefined ? null : Number(query.parent_id)
  if (parent_id !== null) await getAccessibleUser(db, caller, parent_id)
  const filter = { ...(await readFilter(db, caller, query)), parent_id }
  const order = { sort: query.sort ?? 'username', isDescending: query.order === 'desc' }
  const records = await listPeoplePage(db, caller, filter, order, limit, offset)
  const total_count = await countPeople(db, caller, filter)
  const root_id = caller.is_office ? await getCompanyId(db) : caller.principal_id
  return { data: records.map((record) => toPerson(record, caller)), top_level: { total_count, root_id } }
}

/** @throws Refusal unknown_package, bad_input (half a package), not_allowed (a filter shows what the caller may not view) */
export async function readFilter(db: Db, { permissions }: PersonViewer, query: FilterQuery): Promise<PeopleFilter> {
  const asksForPackage = query.product_code !== undefined || query.package_code !== undefined
  if (asksForPackage && !permissions.has('terms.view')) throw new Refusal('not_allowed')
  const text = query.search?.trim().toLowerCase() ?? ''
  return {
    parent_id: null,
    text,
    contact_ids: text === '' ? [] : await findContactIds(db, text),
    tag: query.tag ?? null,
    level: query.level ?? null,
    status: query.status ?? null,
    package_id: await readPackage(db, query),
    is_online: query.is_online === undefined ? null : query.is_online === 'true',
    agent_code: query.agent_code?.toUpperCase() ?? null,
  }
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
  { created_at, last_log_in_at, cash_satang, net_7_days_satang, ...record }: PersonRecord,
  viewer: PersonViewer,
): Person {
  return {
    ...record,
    ...showCredit(toCreditInfo({ ...record, cash_satang }), viewer),
    package_count: viewer.permissions.has('terms.view') ? record.package_count : null,
    net_7_days_satang: viewer.permissions.has('reports.view') ? net_7_days_satang : null,
    created_at: created_at.toISOString(),
    last_log_in_at: last_log_in_at?.toISOString() ?? null,
  }
}
