import type { Order, PlaceOrderBody } from '@megalot/contract'
import {
  findOrderByRequestId,
  getGameConfig,
  listPeriodOrders,
  listPeriods,
  placeOrder,
  TICKET_REPLY_MS,
} from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { afterNextPaint } from '../../lib/page/after-next-paint.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { fetchPackages } from './replies.ts'

const LATEST_COUNT = '15'
const LATEST_REFETCH_MS = 15_000

export const packagesQuery = (product_code: string) =>
  queryOptions({
    queryKey: queryKeys.packages.ofMarket(product_code),
    queryFn: ({ signal }) => fetchPackages(product_code, signal),
  })

export const gameConfigQuery = (product_code: string, package_code: string | null) =>
  queryOptions({
    queryKey: queryKeys.gameConfig.ofPackage(product_code, package_code),
    queryFn: async ({ signal }) =>
      (await callRoute(getGameConfig, { params: { product_code, package_code: package_code ?? '' }, signal })).data,
    enabled: package_code !== null,
    refetchInterval: 60_000,
  })

const OPEN_PERIODS_REFETCH_MS = 60_000

/** The periods of a market that are open, the next to close first. */
export const openPeriodsQuery = (product_code: string) =>
  queryOptions({
    queryKey: queryKeys.markets.openPeriods(product_code),
    queryFn: async ({ signal }) => {
      // Most markets have one, which is known already.
      await afterNextPaint()
      const { data } = await callRoute(listPeriods, { query: { product_code, ipp: '60' }, signal })
      return data.periods.filter(({ status }) => status === 'open').toReversed()
    },
    refetchInterval: OPEN_PERIODS_REFETCH_MS,
  })

/** The last tickets of one period, as they stand beside the slip. */
export const latestOrdersQuery = (period_code: string) =>
  queryOptions({
    queryKey: queryKeys.orders.latest(period_code),
    queryFn: async ({ signal }) => {
      await afterNextPaint()
      return (
        await callRoute(listPeriodOrders, { query: { period_code, page: '0', ipp: LATEST_COUNT, v: '2' }, signal })
      ).data
    },
    refetchInterval: LATEST_REFETCH_MS,
  })

export async function placeTicket(body: PlaceOrderBody): Promise<Order> {
  return (await callRoute(placeOrder, { body, timeoutMs: TICKET_REPLY_MS })).data
}

export async function findTicket(request_id: string): Promise<Order> {
  return (await callRoute(findOrderByRequestId, { params: { request_id }, timeoutMs: 8_000 })).data
}
