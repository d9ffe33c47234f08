import { listAwardsFrom, listProductAwards } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/http-client.ts'
import { dayInBangkok } from '../../lib/dates.ts'
import { serverNowMs } from '../../lib/server-clock.ts'

/** The last five results of a market. */
export const productAwardsQuery = (product_code: string) =>
  queryOptions({
    queryKey: ['awards', 'product', product_code],
    queryFn: async ({ signal }) => (await callRoute(listProductAwards, { query: { product_code }, signal })).data,
  })

const DAYS_BACK = 14

/** Results of all markets of the last two weeks, newest first. */
export const recentAwardsQuery = queryOptions({
  queryKey: ['awards', 'recent'],
  queryFn: async ({ signal }) => {
    const date_from = dayInBangkok(serverNowMs() - DAYS_BACK * 86_400_000)
    return (await callRoute(listAwardsFrom, { params: { date_from }, signal })).data
  },
})
