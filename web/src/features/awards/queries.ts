import { getAwardStatistics, listAwardsFrom, listOwnWins, listProductAwards } from '@megalot/contract'
import type { Award, DataOf } from '@megalot/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dayInBangkok } from '../../lib/dates.ts'
import { addDays } from '../../lib/day-span.ts'
import { callRoute } from '../../lib/http-client.ts'
import { serverNowMs } from '../../lib/server-clock.ts'

/** The last five results of a market. */
export const productAwardsQuery = (product_code: string) =>
  queryOptions({
    queryKey: ['awards', 'product', product_code],
    queryFn: async ({ signal }) => (await callRoute(listProductAwards, { query: { product_code }, signal })).data,
  })

const DAYS_BACK = 14

/** Results of all markets, newest first: of one day, or without one of the last two weeks. */
export const dayAwardsQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: ['awards', 'day', day],
    queryFn: async ({ signal }) => {
      const date_from = day ?? dayInBangkok(serverNowMs() - DAYS_BACK * 86_400_000)
      const query = day === undefined ? {} : { date_to: day }
      return (await callRoute(listAwardsFrom, { params: { date_from }, query, signal })).data
    },
    placeholderData: keepPreviousData,
  })

/** Two draws before a day and two after it lie within so many days. */
const DAYS_AROUND = 35

/** Results of one market around a day, newest first. */
export const awardsAroundQuery = (product_code: string, day: string) =>
  queryOptions({
    queryKey: ['awards', 'around', product_code, day],
    queryFn: async ({ signal }) => {
      const params = { date_from: addDays(day, -DAYS_AROUND) }
      const query = { date_to: addDays(day, DAYS_AROUND), product_code }
      return (await callRoute(listAwardsFrom, { params, query, signal })).data
    },
    placeholderData: keepPreviousData,
  })

export type OwnWin = DataOf<typeof listOwnWins>[number]

/** The server takes so many periods at once. */
const MOST_PERIODS = 100

/** What the member has won in these periods. */
export const ownWinsQuery = (awards: readonly Award[], isMember: boolean) => {
  const period_code = awards
    .slice(0, MOST_PERIODS)
    .map(({ period }) => period.period_code)
    .join(',')
  return queryOptions({
    queryKey: ['awards', 'own', period_code],
    enabled: isMember && period_code !== '',
    queryFn: async ({ signal }) => (await callRoute(listOwnWins, { query: { period_code }, signal })).data,
  })
}

/** How often digits and numbers came in a market; without a number of draws, in all of them. */
export const statisticsQuery = (product_code: string, draws: string | undefined) =>
  queryOptions({
    queryKey: ['awards', 'statistics', product_code, draws],
    queryFn: async ({ signal }) =>
      (
        await callRoute(getAwardStatistics, {
          params: { product_code },
          query: draws === undefined ? {} : { draws },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })
