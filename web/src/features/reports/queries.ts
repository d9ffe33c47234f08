import { getCreditInfo, listTransactions } from '@megalot/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/http-client.ts'

const PAGE_SIZE = 50

/** The statement, newest first, a page at a time. */
export const statementQuery = infiniteQueryOptions({
  queryKey: ['statement'],
  queryFn: async ({ pageParam, signal }) =>
    (await callRoute(listTransactions, { query: { page: String(pageParam), ipp: String(PAGE_SIZE) }, signal })).data,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length),
})

/** Out of what the remaining credit is made. */
export const creditQuery = queryOptions({
  queryKey: ['credit'],
  queryFn: async ({ signal }) => (await callRoute(getCreditInfo, { signal })).data,
  refetchInterval: 30_000,
})
