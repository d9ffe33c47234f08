// What both sides of the wire know about payments and clearing statements.

/** The number of a payment, on its receipt. */
export function receiptNumber(payment_id: number): string {
  return `R${String(payment_id).padStart(6, '0')}`
}

export const clearingStates = ['draft', 'sent', 'disputed', 'confirmed', 'paid', 'closed'] as const
export type ClearingState = (typeof clearingStates)[number]

/**
 * Who moves a clearing statement to a state, and from which. The parent may mark one paid that its child has not
 * confirmed: `paid` is refused while money is missing.
 */
export const clearingMoves = {
  sent: { by: 'below', from: ['draft', 'disputed'] },
  confirmed: { by: 'above', from: ['sent'] },
  disputed: { by: 'above', from: ['sent'] },
  paid: { by: 'below', from: ['sent', 'confirmed'] },
  closed: { by: 'below', from: ['confirmed', 'paid'] },
} as const satisfies Readonly<
  Record<Exclude<ClearingState, 'draft'>, { by: 'below' | 'above'; from: readonly ClearingState[] }>
>
export type ClearingMove = keyof typeof clearingMoves
