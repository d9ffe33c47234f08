import type { Order } from '@megalot/contract'
import { getOrder, listOrders } from '@megalot/contract/browser'
import { callRoute } from '../../../lib/api/http-client.ts'

const SEARCHED_TICKETS = '100'

/** The member's last ticket in a market, of whichever period; null where there is none among the last hundred. */
export async function fetchLastOrder(product_code: string): Promise<Order | null> {
  const { data } = await callRoute(listOrders, { query: { page: '0', ipp: SEARCHED_TICKETS } })
  const last = data.find(({ period }) => period.product_code === product_code)
  if (last === undefined) return null
  return (await callRoute(getOrder, { params: { order_id: String(last.order_id) } })).data
}
