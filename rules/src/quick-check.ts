// Checks a slip by numbers alone, at a fraction of the cost of listing problems. It may reject a good slip, so
// `checkSlip` decides about rejected ones. Most slips pass.

import { typeIndexOf } from './bet-slot.ts'
import { discountSatang } from './money.ts'
import { isAmount } from './slip.ts'
import type { TermsTable } from './terms.ts'

/** Member, market and period; see `SlipContext`. */
export interface QuickCheckContext {
  terms: TermsTable
  credit_remain_satang: number
  max_items: number
  is_open: boolean
}

/**
 * Whether no problem refuses a slip. Ignores the limit per number, which the caller must know to be out of reach.
 * @param slots -1 if the bet does not exist
 * @param bets in satang, by line
 */
export function passesQuickCheck(
  slots: ArrayLike<number>,
  bets: ArrayLike<number>,
  { terms, credit_remain_satang, max_items, is_open }: QuickCheckContext,
): boolean {
  if (!is_open || slots.length === 0 || slots.length > max_items) return false
  let net_satang = 0
  for (let line = 0; line < slots.length; line++) {
    const slot = slots[line] as number
    const bet_satang = bets[line] as number
    if (slot < 0 || !isAmount(bet_satang)) return false
    const type = typeIndexOf(slot)
    if (!(bet_satang >= (terms.min_satang[type] as number)) || bet_satang > (terms.max_satang[type] as number))
      return false
    net_satang += bet_satang - discountSatang(bet_satang, terms.discount_rate[type] as number)
  }
  return net_satang <= credit_remain_satang
}
