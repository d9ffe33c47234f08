import { listDownline, listOrders, listPeriods } from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'

const MAX_FOUND = '6'

/** A few users of the line whose name holds a text. */
export const foundUsersQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.downline.named(search),
    queryFn: async ({ signal }) => (await callRoute(listDownline, { query: { search, ipp: MAX_FOUND }, signal })).data,
    placeholderData: keepPreviousData,
  })

/** A few tickets by their number, or that have a bet on a number. */
export const foundTicketsQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.orders.found(search),
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { search, ipp: MAX_FOUND, v: '2' }, signal })).data,
  })

/** As many periods as a page holds: more than a market has rounds in a day. */
const ROUNDS_OF_A_DAY = '100'

/** The last periods of a market that has several a day, newest first. */
export const roundsQuery = (product_code: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.markets.part('rounds', product_code),
    enabled: product_code !== undefined,
    queryFn: async ({ signal }) =>
      (await callRoute(listPeriods, { query: { product_code: product_code ?? '', ipp: ROUNDS_OF_A_DAY }, signal })).data
        .periods,
  })
