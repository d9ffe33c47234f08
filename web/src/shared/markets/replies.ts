import type { ProductPeriod } from '@megalot/contract'
import { listPackages, listProductPeriod } from '@megalot/contract/browser'
import { callRoute, callRouteTimed } from '../../lib/api/http-client.ts'
import { observeServerNow } from '../../lib/clock/server-clock.ts'

/** Every market with its current or next period. The reply also sets the clock by which everything counts down. */
export async function fetchMarkets(signal?: AbortSignal): Promise<readonly ProductPeriod[]> {
  const { reply, sent_ms, received_ms } = await callRouteTimed(listProductPeriod, { signal })
  observeServerNow(reply.data.now, sent_ms, received_ms)
  return reply.data.products
}

/** The reward rates that a market offers the member. */
export async function fetchPackages(product_code: string, signal?: AbortSignal) {
  return (await callRoute(listPackages, { params: { product_code }, signal })).data
}
