import type { BodyOf, Order, Rows } from '@megalot/contract'
import { cancelOrder, confirmOrder, getOrder, toOrderSummary } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { withRefresh } from '../../../lib/api/with-refresh.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'

/** One ticket with its items. */
export const orderQuery = (order_id: string) =>
  queryOptions({
    queryKey: queryKeys.orders.one(order_id),
    queryFn: async ({ signal }) => (await callRoute(getOrder, { params: { order_id }, signal })).data,
    refetchInterval: 30_000,
  })

/** The member's decision on a waiting ticket: items with bet 0 are returned, those not named confirmed. */
export async function confirmTicket(order_id: number, items: BodyOf<Rows['confirmOrder']>['items']): Promise<Order> {
  return withRefresh(
    'ticket_decided',
    async () => (await callRoute(confirmOrder, { params: { order_id: String(order_id) }, body: { items } })).data,
    { isAwaited: true },
  )
}

export async function cancelTicket(order: Order): Promise<Order> {
  return withRefresh(
    'ticket_cancelled',
    async () =>
      (await callRoute(cancelOrder, { params: { order_id: String(order.order_id) }, body: toOrderSummary(order) }))
        .data,
    { isAwaited: true },
  )
}
