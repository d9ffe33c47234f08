import { listPackages, listProductPeriod } from '@megalot/contract'
import type { ProductPeriod } from '@megalot/contract'
import { callRoute } from '../../lib/api/http-client.ts'
import { observeServerNow } from '../../lib/clock/server-clock.ts'

// What the first page is made of, apart from the queries that keep it: the first code that runs asks for it while the
// frame, and the queries with it, are still on their way.

/** Every market with its current or next period. The reply also sets the clock by which everything counts down. */
export async function fetchMarkets(signal?: AbortSignal): Promise<readonly ProductPeriod[]> {
  const sentMs = Date.now()
  const { data } = await callRoute(listProductPeriod, { signal })
  observeServerNow(data.now, sentMs, Date.now())
  return data.products
}

/** The reward rates that a market offers the member. */
export async function fetchPackages(product_code: string, signal?: AbortSignal) {
  return (await callRoute(listPackages, { params: { product_code }, signal })).data
}
