import type { Maintenance, Period, ProductPeriod } from '@megalot/contract'
import { getPeriod, listPeriods } from '@megalot/contract/browser'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { fetchMarkets } from './replies.ts'
import { refreshAfter } from '../../lib/api/query-client.ts'
import { serverNowMs, useServerTime } from '../../lib/clock/server-clock.ts'

/** Every market with its current or next period. The reply also sets the clock by which everything counts down. */
export const marketsQuery = queryOptions({
  queryKey: queryKeys.markets.all,
  queryFn: ({ signal }) => fetchMarkets(signal),
  refetchInterval: 60_000,
})

/** The last periods of a market, newest first; of no market none are asked for. */
export const periodsQuery = (product_code: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.markets.periods(product_code),
    enabled: product_code !== undefined,
    queryFn: async ({ signal }) =>
      (await callRoute(listPeriods, { query: { product_code: product_code ?? '', ipp: '60' }, signal })).data.periods,
  })

/** A period by its code: the list of a market has its last ones only. */
export const periodQuery = (product_code: string | undefined, period_code: string) =>
  queryOptions({
    queryKey: queryKeys.markets.period(period_code),
    enabled: product_code !== undefined && period_code !== '',
    queryFn: async ({ signal }) =>
      (await callRoute(getPeriod, { params: { product_code: product_code ?? '', period_code }, signal })).data.period,
  })

/** The periods with one that was asked for by its code. */
export function withPeriod(known: readonly Period[], named: Period | null | undefined): readonly Period[] {
  return !named || known.some(({ period_code }) => period_code === named.period_code) ? known : [named, ...known]
}

/** A market's present state for a member. */
export type MarketState =
  | { kind: 'open'; period: Period; close_ms: number }
  | { kind: 'opens_later'; period: Period; open_ms: number }
  | { kind: 'closed' }
  | { kind: 'no_package' }
  /** The office has switched it off. */
  | { kind: 'off' }
  /** It is under maintenance, and takes no tickets meanwhile. */
  | { kind: 'maintained'; maintenance: Maintenance }

/** A market's state at an instant: the list stays right between two replies, because open and close times decide. */
export function stateOfMarket(market: ProductPeriod, nowMs: number): MarketState {
  if (!market.is_enabled) return { kind: 'off' }
  if (!market.has_package) return { kind: 'no_package' }
  if (market.maintenance !== null) return { kind: 'maintained', maintenance: market.maintenance }
  const period = market.current_period
  if (period === null || period.status === 'void' || period.status === 'settled') return { kind: 'closed' }
  const open_ms = Date.parse(period.open_at)
  const close_ms = Date.parse(period.close_at)
  if (nowMs < open_ms) return { kind: 'opens_later', period, open_ms }
  if (nowMs < close_ms && period.status !== 'closed') return { kind: 'open', period, close_ms }
  return { kind: 'closed' }
}

/** The next instant at which any market opens or closes: until then the list stands still. */
export function nextChangeMs(markets: readonly ProductPeriod[], nowMs: number): number {
  const instants = markets.flatMap(({ current_period }) =>
    current_period === null ? [] : [Date.parse(current_period.open_at), Date.parse(current_period.close_at)],
  )
  return Math.min(...instants.filter((instant) => instant > nowMs))
}

/** The server makes the change of a period known a moment after its time. */
const AFTER_CHANGE_MS = 1_500
/** The list before the markets are fetched. One object, so that it causes no render. */
export const NO_MARKETS: readonly ProductPeriod[] = []

/** All markets, fetched again whenever one of them opens or closes. */
export function useMarkets(): UseQueryResult<readonly ProductPeriod[]> {
  const query = useQuery(marketsQuery)
  const markets = query.data ?? NO_MARKETS
  // Changes only when a market opens or closes, or with new data: nothing renders every second.
  const changeMs = useServerTime((nowMs) => nextChangeMs(markets, nowMs))
  const awaitedMs = useRef(changeMs)
  useEffect(() => {
    const hasPassed = awaitedMs.current <= serverNowMs()
    awaitedMs.current = changeMs
    if (hasPassed) setTimeout(() => void refreshAfter('market_hours_passed'), AFTER_CHANGE_MS)
  }, [changeMs])
  return query
}
