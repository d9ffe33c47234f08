import { listTransactions } from '@megalot/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
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
