// The terms a package ("reward rate") gives for one bet type.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypes } from './bet-type.ts'

/** The least stake, even if a package sets no minimum: one Baht. */
export const LEAST_STAKE_SATANG = 100

/** A package's terms for one bet type. They always come from the server, never from a browser. */
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

/**
 * A package's terms as arrays indexed as `betTypes`, for deciding many lines. Bet types that the market or the package
 * does not offer have an infinite least stake, which no stake reaches.
 */
export interface TermsTable {
  rate: readonly number[]
  discount_rate: readonly number[]
  min_satang: readonly number[]
  max_satang: readonly number[]
}

/** @param offered the bet types of the market */
export function tabulateTerms(terms: readonly BetTypeTerms[], offered: readonly BetTypeCode[]): TermsTable {
  const termsOf = termsByType(terms)
  const column = (pick: (terms: BetTypeTerms) => number) =>
    betTypes.map(({ code }) => {
      const own = termsOf.get(code)
      return own === undefined ? 0 : pick(own)
    })
  const isOffered = ({ bet_type, is_on }: BetTypeTerms): boolean => is_on && offered.includes(bet_type)
  return {
    rate: column((own) => own.rate),
    discount_rate: column((own) => own.discount_rate),
    min_satang: betTypes.map(({ code }) => {
      const own = termsOf.get(code)
      return own && isOffered(own) ? Math.max(own.min_satang, LEAST_STAKE_SATANG) : Infinity
    }),
    max_satang: column((own) => own.max_satang),
  }
}

const memoisedByType = new WeakMap<readonly BetTypeTerms[], ReadonlyMap<BetTypeCode, BetTypeTerms>>()

/** Terms by bet type, memoised per array, because terms are never changed in place. */
export function termsByType(terms: readonly BetTypeTerms[]): ReadonlyMap<BetTypeCode, BetTypeTerms> {
  const memoised = memoisedByType.get(terms)
  if (memoised) return memoised
  const byType = new Map(terms.map((each) => [each.bet_type, each]))
  memoisedByType.set(terms, byType)
  return byType
}
