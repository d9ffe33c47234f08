import type { BetTypeCode, BetTypeTerms, NumberState, PerNumber } from '@megalot/rules'
import { betTypeByCode } from '@megalot/rules'
import type { CheckedSlipStore } from './slip/checked-slip.ts'
import type { SlipStore } from './slip/slip-store.ts'

/**
 * What every style of entry works on: the slip, what the rules say of it, and what the market and package take. It is the same
 * object while a member types: what follows the rows reads them from `slip`.
 */
export interface Desk {
  store: SlipStore
  slip: CheckedSlipStore
  offered: readonly BetTypeCode[]
  terms: readonly BetTypeTerms[] | null
  numberStates: NumberStates
  /** The most items of a ticket. */
  max_items: number
  /** A ticket is on its way: the slip must stay as it was sent. */
  isLocked: boolean
}

/** Why the terms are not known: no package is picked, they are being fetched, or they could not be fetched. */
export type LackingTerms = 'no_package' | 'terms_loading' | 'terms_failed'

export type NumberStates = PerNumber<NumberState>

/** Whether a number is yellow or grey under a bet type; rolls are the same in any order of digits. */
export function stateOfNumber(states: NumberStates, bet_type: BetTypeCode, number: string): NumberState | null {
  return states[bet_type]?.[betTypeByCode[bet_type].quotaKey(number)] ?? null
}
