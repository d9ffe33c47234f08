import { cancelOrder, confirmOrder, getOrder, listOrders } from '@megalot/contract'
import type { BodyOf, Order } from '@megalot/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
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

export const orderQuery = (order_id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', order_id],
    queryFn: async ({ signal }) => (await callRoute(getOrder, { params: { order_id }, signal })).data,
    refetchInterval: 30_000,
  })

/** The member's word on a waiting ticket: items with bet 0 are returned, those not named confirmed. */
export async function confirmTicket(order_id: number, items: BodyOf<typeof confirmOrder>['items']): Promise<Order> {
  return (await callRoute(confirmOrder, { params: { order_id: String(order_id) }, body: { items } })).data
}

export async function cancelTicket(order: Order): Promise<Order> {
  return (await callRoute(cancelOrder, { params: { order_id: String(order.order_id) }, body: order })).data
}
