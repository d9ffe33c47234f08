// The terms a package ("reward rate") gives for one bet type (§4 of the domain rules: markets, periods, packages).

import type { BetTypeCode } from './bet-type-code.ts'

/** What a package offers a member for one bet type. Only the server provides these; a browser never makes them up. */
export interface BetTypeTerms {
  bet_type: BetTypeCode
  /** Payout per stake in hundredths: 55000 pays 550 times the stake. */
  rate: number
  /** Discount in hundredths of a percent: 3300 is 33 %. */
  discount_rate: number
  /** Least stake on one number, in satang. */
  min_satang: number
  /** Greatest stake on one line of a ticket, in satang. */
  max_satang: number
  /** Greatest total stake of one member on one number over the whole period, in satang. */
  max_per_number_satang: number
  /** Whether the package offers this bet type. */
  is_on: boolean
}

const memoisedByType = new WeakMap<readonly BetTypeTerms[], ReadonlyMap<BetTypeCode, BetTypeTerms>>()

/**
 * Terms by bet type. The terms of a package are never changed in place, so the map is memoised for each array of terms.
 */
export function termsByType(terms: readonly BetTypeTerms[]): ReadonlyMap<BetTypeCode, BetTypeTerms> {
  const memoised = memoisedByType.get(terms)
  if (memoised) return memoised
  const byType = new Map(terms.map((each) => [each.bet_type, each]))
  memoisedByType.set(terms, byType)
  return byType
}
