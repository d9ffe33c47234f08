// Draw results for the demo: the real one if it is known, otherwise a generated one, which is marked wherever it is
// stored or shown.

import { createHash } from 'node:crypto'
import { deriveNumbers, type DrawResult, publishedNumbers, type ResultForm } from '@megalot/rules'

/**
 * A generated result, always the same for the same period. All results are equally likely.
 * @param form what the market publishes
 */
export function generateResult(period_code: string, form: ResultForm): DrawResult {
  const hash = createHash('sha256').update(`demo result of ${period_code}`).digest('hex')
  // 2^48 is so much larger than 10^6 that the modulo bias is negligible.
  const digits = (place: number, count: number): string =>
    String(Number.parseInt(hash.slice(place * 12, place * 12 + 12), 16) % 10 ** count).padStart(count, '0')
  const bottom2 = digits(1, 2)
  const published = publishedNumbers[form]
  if (published === null) return { top3: digits(0, 3), bottom2 }
  const first_prize = digits(0, published.most_digits)
  const result = { first_prize, bottom2, ...deriveNumbers(form, first_prize) }
  if (form !== 'government') return result
  const [fronts, backs] = [digits(2, 6), digits(3, 6)]
  return { ...result, front3: inThrees(fronts), back3: inThrees(backs) }
}

function inThrees(six: string): string[] {
  return [six.slice(0, 3), six.slice(3)]
}
