// Rates a slip: the rate that the house would pay for each line.

import type { BetTypeCode } from './bet-type-code.ts'
import { isNumberOf } from './bet-type.ts'
import { halfRate } from './money.ts'
import { findState, isAmount, type SlipContext, type SlipLine } from './slip.ts'
import type { BetTypeTerms } from './terms.ts'

/** An accepted item, or a slip line treated as accepted in full. */
export interface RatedItem {
  bet_type: BetTypeCode
  number: string
  received_satang: number
  /** Payout per stake in hundredths. */
  rate: number
}

/**
 * The lines of a slip as if accepted in full, at the package's rates, or half for a number at half pay. Lines that
 * cannot be accepted (a bad number or amount, a bet type without terms or switched off, a closed number) are left out.
 */
export function rateSlip(
  lines: readonly SlipLine[],
  terms: readonly BetTypeTerms[],
  number_states: NonNullable<SlipContext['number_states']> = {},
): readonly RatedItem[] {
  const rates = new Map(terms.filter((one) => one.is_on).map((one) => [one.bet_type, one.rate]))
  return lines.flatMap((line) => {
    const { bet_type, number, bet_satang } = line
    const rate = rates.get(bet_type)
    if (rate === undefined || !isNumberOf(bet_type, number) || !isAmount(bet_satang)) return []
    const state = findState(line, { number_states })
    if (state === 'grey') return []
    return [{ bet_type, number, received_satang: bet_satang, rate: state === 'half' ? halfRate(rate) : rate }]
  })
}
