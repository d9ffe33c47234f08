// Results of draws for the demo: the real one where it is known, else a generated one, which is marked wherever it is
// stored or shown.

import { createHash } from 'node:crypto'
import type { BetTypeCode, DrawResult } from '@megalot/rules'

/**
 * A generated result, always the same for the same period. All results are equally likely.
 * @param bet_types of the market: one that offers front or back threes draws them, with a first prize
 */
export function generateResult(period_code: string, bet_types: readonly BetTypeCode[]): DrawResult {
  const hash = createHash('sha256').update(`demo result of ${period_code}`).digest('hex')
  // 2^48 is so much more than 10^6 that the modulo bias is negligible.
  const digits = (place: number, count: number): string =>
    String(Number.parseInt(hash.slice(place * 12, place * 12 + 12), 16) % 10 ** count).padStart(count, '0')
  const bottom2 = digits(1, 2)
  if (!bet_types.includes('3front') && !bet_types.includes('3bottom')) return { top3: digits(0, 3), bottom2 }
  const first_prize = digits(0, 6)
  const [fronts, backs] = [digits(2, 6), digits(3, 6)]
  return { first_prize, top3: first_prize.slice(3), bottom2, front3: inThrees(fronts), back3: inThrees(backs) }
}

function inThrees(six: string): string[] {
  return [six.slice(0, 3), six.slice(3)]
}
