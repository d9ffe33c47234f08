import { queryClient } from '../../../lib/api/query-client.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { gameConfigQuery, packagesQuery } from '../../../shared/markets/rate-queries.ts'
import { lastPackageOf } from './package-memory.ts'

/** Fetches the packages of a market, and the terms of the one that its bet page will show. */
export async function prefetchRates(product_code: string): Promise<void> {
  void queryClient.prefetchQuery(packagesQuery(product_code))
  const markets = await queryClient.ensureQueryData(marketsQuery).catch(() => [])
  const market = markets.find((one) => one.product_code === product_code)
  const package_code = market === undefined ? null : lastPackageOf(market.group_code)
  if (package_code !== null) void queryClient.prefetchQuery(gameConfigQuery(product_code, package_code))
}
