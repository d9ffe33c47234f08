// The console's requests during normal work: searches, pages of every sort and filter, nodes of the tree.

import { listPeople, personSort } from '@megalot/contract'

export type Caller = 'office' | 'company' | 'super_senior' | 'agent'

export interface PeopleCall {
  name: string
  as: Caller
  /** The query of a sample. It differs each time, so that no reply comes from a cache. */
  query: (sample: number) => Record<string, string>
}

export function pathOf(query: Record<string, string>): string {
  return `${listPeople.path}?${new URLSearchParams(query).toString()}`
}

const pad = (number: number): string => String(number).padStart(6, '0')

const searches: readonly [name: string, search: (sample: number) => string][] = [
  ['a username', (sample) => `mb${pad((sample * 2_711) % 100_000)}`],
  ['the end of a username', (sample) => pad((sample * 389) % 100_000).slice(1)],
  ['three digits', (sample) => String(100 + ((sample * 37) % 900))],
  ['a Thai name', (sample) => ['สมชาย ใจ', 'วิไล ศรี', 'ธนพล', 'รุ่งเรือง'][sample % 4]!],
  ['two letters', (sample) => ['mb', 'ag', 'ai', '07'][sample % 4]!],
  ['one letter', (sample) => ['m', '7', 'ส', 'a'][sample % 4]!],
  ['nobody', (sample) => `nobody${sample}`],
]

export function listSearches(): PeopleCall[] {
  return (['office', 'company', 'super_senior', 'agent'] as const).flatMap((as) =>
    searches.map(([name, search]) => ({
      name: `search ${name}`,
      as,
      query: (sample: number) => ({ search: search(sample), ipp: '50' }),
    })),
  )
}

export function listPages(): PeopleCall[] {
  const filters: readonly [string, Record<string, string>][] = [
    ['agents', { level: 'agent' }],
    ['members', { level: 'member' }],
    ['suspended', { status: 'SUSPENDED' }],
    ['normal', { status: 'NORMAL' }],
    ['online', { is_online: 'true' }],
    ['offline', { is_online: 'false' }],
    ['of a package', { product_code: 'thai-government', package_code: '70' }],
    ['online, by name', { is_online: 'true', sort: 'display_name' }],
  ]
  return (['office', 'company', 'super_senior', 'agent'] as const).flatMap((as) => [
    ...personSort.options.flatMap((sort) =>
      (['asc', 'desc'] as const).map((order) => ({
        name: `page by ${sort} ${order}`,
        as,
        query: (sample: number) => ({ sort, order, page: String(sample % 5), ipp: '50' }),
      })),
    ),
    ...filters.map(([name, filter]) => ({
      name: `page ${name}`,
      as,
      query: (sample: number) => ({ ...filter, page: String(sample % 5), ipp: '50' }),
    })),
    { name: 'page far behind', as, query: (sample: number) => ({ page: String(500 + sample), ipp: '50' }) },
  ])
}

/** @param parents nodes of the tree that a caller may expand */
export function listExpansions(parents: Readonly<Record<Caller, readonly number[]>>): PeopleCall[] {
  return (Object.keys(parents) as Caller[]).map((as) => ({
    name: 'expand a node',
    as,
    query: (sample: number) => ({ parent_id: String(parents[as][sample % parents[as].length]), ipp: '100' }),
  }))
}
