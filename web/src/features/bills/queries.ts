import { listOrders } from '@megalot/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/http-client.ts'

const PAGE_SIZE = 20

/** All tickets of the member, newest first, a page at a time. */
export const ordersQuery = infiniteQueryOptions({
  queryKey: ['orders', 'all'],
  queryFn: async ({ pageParam, signal }) =>
    (
      await callRoute(listOrders, {
        query: { page: String(pageParam), ipp: String(PAGE_SIZE), with_period: 'true', v: '2' },
        signal,
      })
    ).data,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length),
})
