// A result to try, as it is typed: what is not complete is not tried.

import type { BetTypeCode } from '@megalot/rules'
import type { TriedResult } from './queries.ts'

export interface TriedDigits {
  top3: string
  bottom2: string
  /** Two numbers with a space between. */
  front3: string
  back3: string
}

export const noTriedDigits: TriedDigits = { top3: '', bottom2: '', front3: '', back3: '' }

const TWO_NUMBERS = /^\s*(\d{3})[\s,]+(\d{3})\s*$/

/** The numbers that a market draws beside the top and bottom results. */
export function listExtraNumbers(bet_types: readonly BetTypeCode[]): readonly ('front3' | 'back3')[] {
  return [
    ...(bet_types.includes('3front') ? (['front3'] as const) : []),
    ...(bet_types.includes('3bottom') ? (['back3'] as const) : []),
  ]
}

/** What of it can be tried: a top and a bottom result together, and pairs of front and back numbers where they are complete. */
export function triedResultOf(digits: TriedDigits, bet_types: readonly BetTypeCode[]): TriedResult {
  const { top3, bottom2 } = digits
  if (!/^\d{3}$/.test(top3) || !/^\d{2}$/.test(bottom2)) return {}
  const extra = listExtraNumbers(bet_types).flatMap((name) => {
    const found = TWO_NUMBERS.exec(digits[name])
    return found === null ? [] : [[name, `${found[1]},${found[2]}`] as const]
  })
  return { top3, bottom2, ...Object.fromEntries(extra) }
}
