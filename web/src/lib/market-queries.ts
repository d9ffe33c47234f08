import { listProductPeriod } from '@megalot/contract'
import type { Language, Period, Product, ProductPeriod } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from './http-client.ts'
import { observeServerNow } from './server-clock.ts'

/** Every market with its current or next period. The reply also sets the clock by which everything counts down. */
export const marketsQuery = queryOptions({
  queryKey: ['markets'],
  queryFn: async ({ signal }): Promise<readonly ProductPeriod[]> => {
    const sentMs = Date.now()
    const { data } = await callRoute(listProductPeriod, { signal })
    observeServerNow(data.now, sentMs, Date.now())
    return data.products
  },
  refetchInterval: 60_000,
})

export function nameOfMarket(product: Pick<Product, 'name_th' | 'name_en'>, language: Language): string {
  return language === 'th' ? product.name_th : product.name_en
}

/** What a member can do with a market right now. */
export type MarketState =
  | { kind: 'open'; period: Period; close_ms: number }
  | { kind: 'opens_later'; period: Period; open_ms: number }
  | { kind: 'closed' }
  | { kind: 'no_package' }

/** A market's state at an instant: the list stays right between two replies, because open and close times decide. */
export function stateOfMarket(market: ProductPeriod, nowMs: number): MarketState {
  if (!market.has_package) return { kind: 'no_package' }
  const period = market.current_period
  if (period === null || period.status === 'void' || period.status === 'settled') return { kind: 'closed' }
  const open_ms = Date.parse(period.open_at)
  const close_ms = Date.parse(period.close_at)
  if (nowMs < open_ms) return { kind: 'opens_later', period, open_ms }
  if (nowMs < close_ms && period.status !== 'closed') return { kind: 'open', period, close_ms }
  return { kind: 'closed' }
}
