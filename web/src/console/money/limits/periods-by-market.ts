import type { ProductPeriod } from '@megalot/contract'
import { stateOfMarket } from '../../../shared/markets/queries.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'

/** The period of each market that takes bets now or next. */
export function periodsByMarket(markets: readonly ProductPeriod[]): ReadonlyMap<string, string> {
  return new Map(
    markets.flatMap((market): [string, string][] => {
      // Numbers are set beforehand too, while a market is switched off or under maintenance.
      const state = stateOfMarket({ ...market, is_enabled: true, has_package: true, maintenance: null }, serverNowMs())
      return 'period' in state ? [[market.product_code, state.period.period_code]] : []
    }),
  )
}
