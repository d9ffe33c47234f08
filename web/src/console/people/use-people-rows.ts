import type { Person } from '@megalot/contract'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PeopleSearch } from './people-search.ts'
import { branchQuery, peopleQuery, rootQuery } from './queries.ts'
import type { PeopleFilters } from './queries.ts'
import type { PersonRow } from './use-people-columns.tsx'

/** Columns by which the server sorts under other names. */
const sortNames = {
  username: 'username',
  display_name: 'display_name',
  created_at: 'created_at',
  last_log_in_at: 'last_log_in_at',
  credit_limit_satang: 'credit_limit',
  credit_used_satang: 'used',
  net_7_days_satang: 'net',
  owed_satang: 'owed',
  last_bet_at: 'last_bet',
} as const

/** The search parameters as the server's filter. */
export function filtersOf(search: PeopleSearch): PeopleFilters {
  const [column = '', direction] = search.sort?.split('.') ?? []
  const sort = Object.entries(sortNames).find(([name]) => name === column)?.[1]
  const [product_code, package_code] = search.package?.split('/') ?? []
  return {
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.level === undefined ? {} : { level: search.level }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.is_online === undefined ? {} : { is_online: search.is_online }),
    ...(search.agent_code === undefined ? {} : { agent_code: search.agent_code }),
    ...(search.used === undefined ? {} : { used: search.used }),
    ...(search.net === undefined ? {} : { net: search.net }),
    ...(search.owed === undefined ? {} : { owed: search.owed }),
    ...(search.idle_days === undefined ? {} : { idle_days: search.idle_days }),
    ...(search.tag === undefined ? {} : { tag: search.tag }),
    ...(product_code === undefined || package_code === undefined ? {} : { product_code, package_code }),
    ...(sort === undefined ? {} : { sort, order: direction === 'desc' ? 'desc' : 'asc' }),
  }
}

/** The rows of the list, with how many there are in all. */
export function useListRows(search: PeopleSearch, isEnabled: boolean) {
  const query = useInfiniteQuery({ ...peopleQuery(filtersOf(search)), enabled: isEnabled })
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data.map((person) => rowOf(person))), [query.data])
  return { query, rows, total: query.data?.pages.at(-1)?.total_count }
}

function rowOf(person: Person, depth = 0, isOpen: boolean | null = null, unloaded = 0): PersonRow {
  return { ...person, depth, isOpen, unloaded }
}

interface Branch {
  people: Person[]
  total_count: number
}

/** The rows of the tree: the first level, and the children of open nodes. */
export function useTreeRows(open: readonly number[], isEnabled: boolean) {
  const root = useQuery({ ...rootQuery, enabled: isEnabled })
  const [pages, setPages] = useState<ReadonlyMap<number, number>>(new Map())
  const root_id = root.data
  const nodes = root_id === undefined ? [] : [root_id, ...open]
  const parts = nodes.flatMap((node) => Array.from({ length: pages.get(node) ?? 1 }, (_, page) => ({ node, page })))
  const queries = useQueries({
    queries: parts.map(({ node, page }) => ({ ...branchQuery(node, page), enabled: isEnabled })),
  })
  const branches = new Map<number, Branch>()
  for (const [index, { node }] of parts.entries()) {
    const part = queries[index]?.data
    if (part === undefined) continue
    const before = branches.get(node)?.people ?? []
    branches.set(node, { people: [...before, ...part.data], total_count: part.total_count })
  }
  const rowsBelow = (node: number, depth: number): PersonRow[] =>
    (branches.get(node)?.people ?? []).flatMap((person) => {
      const hasBelow = person.member_count + person.agent_count > 0
      const isOpen = hasBelow ? open.includes(person.user_id) : null
      const branch = isOpen === true ? branches.get(person.user_id) : undefined
      const unloaded = branch === undefined ? 0 : branch.total_count - branch.people.length
      const row = rowOf(person, depth, isOpen, unloaded)
      return isOpen === true ? [row, ...rowsBelow(person.user_id, depth + 1)] : [row]
    })
  const first = root_id === undefined ? undefined : branches.get(root_id)
  return {
    rows: root_id === undefined || first === undefined ? undefined : rowsBelow(root_id, 0),
    error: root.error ?? queries.find(({ error }) => error !== null)?.error ?? null,
    isRefetching: queries.some(({ isRefetching }) => isRefetching),
    hasMore: first !== undefined && first.people.length < first.total_count,
    isLoadingMore: queries.some(({ isFetching }) => isFetching),
    refetch: () => {
      void root.refetch()
      for (const query of queries) void query.refetch()
    },
    /** Of a node; without one of the first level. */
    loadMore: (node?: number) => {
      const of = node ?? root_id
      if (of !== undefined) setPages(new Map(pages).set(of, (pages.get(of) ?? 1) + 1))
    },
  }
}
