import { MutationCache, QueryClient } from '@tanstack/react-query'
import type { Query, QueryKey } from '@tanstack/react-query'
import { isOutdated, toRefusal } from '../errors/refusal.ts'
import { keysOfAction } from './refresh.ts'
import type { RefreshingAction } from './refresh.ts'

/** What a change refreshes; `use-change.ts` fills it in. */
interface ChangeMeta extends Record<string, unknown> {
  changes: RefreshingAction | readonly RefreshingAction[]
  waits: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ChangeMeta
  }
}

/** Repeats a read, a second or more later, after no reply and after `too_many_requests`. */
function isTriedAgain(failures: number, error: unknown): boolean {
  const { isUnsure, code } = toRefusal(error)
  return (isUnsure || code === 'too_many_requests') && failures < 2
}

const mutationCache = new MutationCache({
  // Also after a failure, because the server may have carried out the call. A refusal of an outdated change ends
  // with the present state on screen.
  onSettled: (_result, error, _input, _before, _mutation, { meta }) => {
    const refreshed = Promise.all([meta?.changes ?? []].flat().map(refreshAfter))
    return meta?.waits || isOutdated(error) ? refreshed : undefined
  },
})

export const queryClient = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: isTriedAgain,
      refetchOnWindowFocus: true,
    },
    mutations: {
      retry: false,
      // Without it the library holds a change that was made offline and sends it later.
      networkMode: 'always',
      // The input of a change may be a password, so it is forgotten soon after its form closes.
      gcTime: 1_000,
    },
  },
})

/** Queries that are fetched once more after their first fetch, which is under way. */
const refetches = new Map<Query, Promise<void>>()

/** Callers during one first fetch share one refetch. A failed fetch left nothing that could be outdated. */
async function refetchAfterFirst(query: Query): Promise<void> {
  // Joins the fetch that is under way.
  await query.fetch().catch(() => undefined)
  refetches.delete(query)
  if (query.state.data !== undefined) await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/**
 * Marks queries as stale, and resolves when those on screen are fetched again. The library keeps the reply of a first
 * fetch that is under way, which the server may have read before the change. Such a query is fetched once more.
 */
export async function invalidate(queryKey: QueryKey): Promise<void> {
  const firstFetches = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  for (const query of firstFetches) if (!refetches.has(query)) refetches.set(query, refetchAfterFirst(query))
  const further = firstFetches.map((query) => refetches.get(query))
  await Promise.all([queryClient.invalidateQueries({ queryKey }), ...further])
}

/** Invalidates the queries of an action, and resolves when those on screen are fetched again. */
export async function refreshAfter(action: RefreshingAction): Promise<void> {
  await Promise.all(keysOfAction[action].map(invalidate))
}
