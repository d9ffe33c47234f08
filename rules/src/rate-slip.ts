// A slip as the house would stand to pay it (§7 of the domain rules): each line with the rate of its bet type.

import { isNumberOf, type BetTypeCode } from './bet-type.ts'
import { isAmount, type SlipLine } from './slip.ts'
import type { BetTypeTerms } from './terms.ts'

/** An accepted item, or a line of a slip taken as if it were accepted in full. */
export interface RatedItem {
  bet_type: BetTypeCode
  number: string
  received_satang: number
  /** Payout per stake in hundredths. */
  rate: number
}

/**
 * The lines of a slip as if the house took them in full at the package's rates. Lines that could not be taken at all (a bad
 * number or amount, a bet type without terms or switched off) are left out.
 */
export function rateSlip(lines: readonly SlipLine[], terms: readonly BetTypeTerms[]): readonly RatedItem[] {
  const rates = new Map(terms.filter((one) => one.is_on).map((one) => [one.bet_type, one.rate]))
  return lines.flatMap(({ bet_type, number, bet_satang }) => {
    const rate = rates.get(bet_type)
    const isTaken = rate !== undefined && isNumberOf(bet_type, number) && isAmount(bet_satang)
    return isTaken ? [{ bet_type, number, received_satang: bet_satang, rate }] : []
  })
}
