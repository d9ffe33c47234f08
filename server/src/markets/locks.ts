// Locks of markets and their periods, for changes.

import type { Lock } from '../changes/index.ts'
import { lockPeriods, lockPeriodsToBet, shareStandingRules } from './periods.ts'
import { lockMarketRow, lockPackageRow } from './timetables.store.ts'

/**
 * The settings of a market. Creating periods shares the standing rules' lock, which a rule takes before the periods'.
 */
export function marketLocks(product_code: string): readonly Lock[] {
  return [
    { rank: 'standingRules', key: 'shared', take: shareStandingRules },
    { rank: 'market', key: product_code, take: (tx) => lockMarketRow(tx, product_code) },
  ]
}

/**
 * Every period of the markets that accepts bets now or later. Waits for batches in flight; later ones see the change.
 */
export function lockOfPeriodsToBet(...product_codes: readonly string[]): Lock {
  return { rank: 'periods', key: product_codes.join(), take: (tx) => lockPeriodsToBet(tx, product_codes) }
}

export function lockOfPeriods(...period_codes: readonly string[]): Lock {
  return { rank: 'periods', key: period_codes.join(), take: (tx) => lockPeriods(tx, period_codes) }
}

/** Blocks other changes of a package, but not tickets. */
export function lockOfPackage(key: { product_code: string; package_code: string }): Lock {
  return {
    rank: 'settings',
    key: `package:${key.product_code}/${key.package_code}`,
    take: (tx) => lockPackageRow(tx, key),
  }
}
