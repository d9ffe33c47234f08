import type { Award, DataOf, Envelope, ProductPeriod, Rows } from '@megalot/contract'
import {
  getAwardStatistics,
  listAwardsFrom,
  listLatestAwards,
  listOwnWins,
  listProductAwards,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { addDays } from '../../lib/format/calendar-day.ts'
import { callRoute } from '../../lib/api/http-client.ts'

/** The one market with front and back numbers, which newspapers print. */
export function printedMarket(markets: readonly ProductPeriod[]): ProductPeriod | undefined {
  return markets.find((market) => market.bet_types.includes('3front'))
}

/** The market whose statistics are shown until another is chosen. */
export function usualMarket(markets: readonly ProductPeriod[]): ProductPeriod | undefined {
  return printedMarket(markets) ?? markets[0]
}

/** The last five results of a market. */
export const productAwardsQuery = (product_code: string) =>
  queryOptions({
    queryKey: queryKeys.awards.ofMarket(product_code),
    queryFn: async ({ signal }) => (await callRoute(listProductAwards, { query: { product_code }, signal })).data,
  })

/** As many results as the member's own wins can be asked for at once. */
const PART_SIZE = 100

/**
 * Results of all markets in parts, newest first: all of a day, or without one the last of each market, however old, which
 * are one part.
 */
export const marketAwardsQuery = (day: string | undefined) =>
  infiniteQueryOptions({
    queryKey: queryKeys.awards.ofDay(day),
    queryFn: async ({ pageParam: page, signal }) => {
      if (day === undefined) return (await callRoute(listLatestAwards, { signal })).data
      const query = { date_to: day, page: String(page), ipp: String(PART_SIZE) }
      return (await callRoute(listAwardsFrom, { params: { date_from: day }, query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: (part, _parts, page) => (day === undefined || part.length < PART_SIZE ? undefined : page + 1),
    placeholderData: keepPreviousData,
  })

/** Two draws before a day and two after it lie within so many days. */
const DAYS_AROUND = 35

/** Results of one market around a day, newest first. */
export const awardsAroundQuery = (product_code: string, day: string) =>
  queryOptions({
    queryKey: queryKeys.awards.around(product_code, day),
    queryFn: async ({ signal }) => {
      const params = { date_from: addDays(day, -DAYS_AROUND) }
      const query = { date_to: addDays(day, DAYS_AROUND), product_code }
      return (await callRoute(listAwardsFrom, { params, query, signal })).data
    },
    placeholderData: keepPreviousData,
  })

export type OwnWin = DataOf<Rows['listOwnWins']>[number]

/** All that the member has won in these periods, which are at most `PART_SIZE`. */
export const ownWinsQuery = (awards: readonly Award[], isMember: boolean) => {
  const period_code = awards.map(({ period }) => period.period_code).join(',')
  return queryOptions({
    queryKey: queryKeys.awards.ownWins(period_code),
    enabled: isMember && period_code !== '',
    queryFn: async ({ signal }) => {
      const wins: OwnWin[] = []
      let before: string | undefined
      do {
        const query = { period_code, ...(before === undefined ? {} : { before }) }
        const part: Envelope<Rows['listOwnWins']> = await callRoute(listOwnWins, { query, signal })
        wins.push(...part.data)
        before = part.next_before?.toString()
      } while (before !== undefined)
      return wins
    },
  })
}

/** How often digits and numbers came in a market; without a number of draws, in all of them. */
export const statisticsQuery = (product_code: string, draws: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.awards.statistics(product_code, draws),
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
