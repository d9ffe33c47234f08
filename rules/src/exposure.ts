// What the house stands to pay on each number (§5 and §7 of the domain rules). Rolls are pooled by their digits, because
// 123 and 321 win together.

import { betTypeByCode, betTypeCodes, isNumberOf, type BetTypeCode } from './bet-type.ts'
import { winSatang } from './money.ts'
import { quotaName } from './quota.ts'
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

/** One number under one bet type, with everything staked on it. */
export interface NumberExposure {
  bet_type: BetTypeCode
  /** For rolls the digits in ascending order. */
  number: string
  received_satang: number
  /** What is to be paid if this number wins. */
  win_satang: number
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

/**
 * What each number would cost the house, the dearest first; equal ones in the order of the bet types and numbers.
 * @throws RangeError where an item holds no whole amounts
 */
export function listExposure(items: readonly RatedItem[]): readonly NumberExposure[] {
  const exposures = new Map<string, NumberExposure>()
  for (const { bet_type, number, received_satang, rate } of items) {
    const name = quotaName(bet_type, number)
    const pooled = betTypeByCode[bet_type].quotaKey(number)
    const exposure = exposures.get(name) ?? { bet_type, number: pooled, received_satang: 0, win_satang: 0 }
    exposure.received_satang += received_satang
    exposure.win_satang += winSatang(received_satang, rate)
    exposures.set(name, exposure)
  }
  return [...exposures.values()].sort(
    (a, b) =>
      b.win_satang - a.win_satang ||
      betTypeCodes.indexOf(a.bet_type) - betTypeCodes.indexOf(b.bet_type) ||
      Number(a.number) - Number(b.number),
  )
}
