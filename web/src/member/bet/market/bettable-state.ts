import type { MarketState } from '../../../shared/markets/queries.ts'

/** Whether the desk can send its slip, or why it cannot. Without a package there is no desk. */
export type BettableState = Exclude<MarketState['kind'], 'no_package'>
