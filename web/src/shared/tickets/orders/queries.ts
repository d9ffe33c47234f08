import type { BodyOf, ListedOrder, Order, Rows } from '@megalot/contract'
import { cancelOrder, confirmOrder, getOrder, toOrderSummary } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import type { Change } from '../../../lib/api/use-change.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'

/** One ticket with its items. */
export const orderQuery = (order_id: string) =>
  queryOptions({
    queryKey: queryKeys.orders.one(order_id),
    queryFn: async ({ signal }) => (await callRoute(getOrder, { params: { order_id }, signal })).data,
    refetchInterval: 30_000,
  })

interface TicketDecision {
  order: Order | ListedOrder
  /** Items with bet 0 are returned, the others are confirmed. Null cancels the ticket. */
  items: BodyOf<Rows['confirmOrder']>['items'] | null
}

export const decideTicket: Change<TicketDecision> = {
  changes: 'ticket_decided',
  waits: true,
  send: async ({ order, items }) => {
    const params = { order_id: String(order.order_id) }
    await (items === null
      ? callRoute(cancelOrder, { params, body: toOrderSummary(order) })
      : callRoute(confirmOrder, { params, body: { items } }))
  },
}
