// The states of a clearing statement, and who moves it on. The server decides.

import type { Clearing, ClearingState } from '@megalot/contract'

export const clearingStates = [
  'draft',
  'sent',
  'disputed',
  'confirmed',
  'paid',
  'closed',
] as const satisfies readonly ClearingState[]

/** The states that a statement without a dispute passes. */
export const clearingSteps = [
  'draft',
  'sent',
  'confirmed',
  'paid',
  'closed',
] as const satisfies readonly ClearingState[]

export type ClearingMove = Exclude<ClearingState, 'draft'>

const moves: Readonly<Record<Clearing['side'], Readonly<Partial<Record<ClearingState, readonly ClearingMove[]>>>>> = {
  below: { draft: ['sent'], disputed: ['sent'], sent: ['paid'], confirmed: ['paid', 'closed'], paid: ['closed'] },
  above: { sent: ['confirmed', 'disputed'] },
}

/** What the reader may do with a statement; the first is the usual one. */
export const movesOf = ({ side, state }: Pick<Clearing, 'side' | 'state'>): readonly ClearingMove[] =>
  moves[side][state] ?? []
