import { listChangedTickets, listOutstanding, listWinners } from '@megalot/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import type { LineSearch } from './line-search.ts'

const PART_SIZE = 50

function spanOf({ date_from, date_to, product_code, user_id }: LineSearch) {
  return dropUndefined({ date_from, date_to, product_code, user_id })
}

/** The key of a report's span: these reports share the subject of win and loss, and are refreshed with it. */
const keyOf = (report: string, span: object) => queryKeys.reports.periods({ report, ...span })

const nextPage = (last: { data: readonly unknown[] }, pages: readonly unknown[]): number | undefined =>
  last.data.length < PART_SIZE ? undefined : pages.length

/** What is not decided yet, by the users directly below. */
export const outstandingQuery = (search: LineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('outstanding', spanOf(search)),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listOutstanding, {
        query: { ...spanOf(search), page: String(pageParam), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

/** Tickets that have won, the greatest win first. */
export const winnersQuery = (search: LineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('winners', spanOf(search)),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listWinners, {
        query: { ...spanOf(search), page: String(pageParam), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  })

/** Tickets that were cancelled, deleted, voided or returned, the latest change first. */
export const changesQuery = (search: LineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('changed', spanOf(search)),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listChangedTickets, {
        query: { ...spanOf(search), ...(before === undefined ? {} : { before }), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
  })
