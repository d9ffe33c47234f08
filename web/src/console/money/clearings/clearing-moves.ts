// The states of a clearing statement, and what its reader may do with it.

import type { Clearing, ClearingMove, ClearingState } from '@megalot/contract'
import { clearingMoves } from '@megalot/contract/browser'

/** The states that a statement without a dispute passes. */
export const clearingSteps = [
  'draft',
  'sent',
  'confirmed',
  'paid',
  'closed',
] as const satisfies readonly ClearingState[]

/** What the reader may do with a statement; the first is the usual one. */
export function movesOf({ side, state, is_due }: Pick<Clearing, 'side' | 'state' | 'is_due'>): readonly ClearingMove[] {
  const moves = Object.keys(clearingMoves) as ClearingMove[]
  return moves.filter((to) => {
    const { by, from } = clearingMoves[to]
    // What is carried forward is closed without a payment.
    return by === side && from.some((each) => each === state) && (is_due || to !== 'paid')
  })
}
