// The terms a package ("reward rate") gives for one bet type (§4 of the domain rules: markets, periods, packages).

import type { BetTypeCode } from './bet-type-code.ts'

/** What a member is offered for one bet type under one package. A server answers with these; a browser never makes them up. */
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
  /** Whether the package takes this bet type at all. */
  is_on: boolean
}

const knownByType = new WeakMap<readonly BetTypeTerms[], ReadonlyMap<BetTypeCode, BetTypeTerms>>()

/** Terms by bet type. The terms of a package are never changed in place: what was sorted once is kept with them. */
export function termsByType(terms: readonly BetTypeTerms[]): ReadonlyMap<BetTypeCode, BetTypeTerms> {
  const known = knownByType.get(terms)
  if (known) return known
  const byType = new Map(terms.map((each) => [each.bet_type, each]))
  knownByType.set(terms, byType)
  return byType
}
