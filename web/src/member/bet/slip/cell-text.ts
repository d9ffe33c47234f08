// What a cell of the grid says. A cell keeps what the member typed, letter for letter, so that no amount and no number
// ever becomes another one on its way; only reading decides what it means, the same for typing and for every paste.

import { toPlainText } from '@megalot/rules'

/** The most one cell can hold, in Baht: seven digits. */
export const MAX_CELL_BAHT = 9_999_999

export const cellProblems = ['number_form', 'number_line', 'amount_form', 'amount_too_large'] as const
export type CellProblem = (typeof cellProblems)[number]

/** Typed text as a cell shows it: plain digits and signs, nothing invisible. */
export const writeCell = toPlainText

/** The one to three digits of a number cell, an empty text where it is blank, null where it holds anything else. */
export function readNumber(cell: string): string | null {
  const plain = cell.trim()
  return /^[0-9]{0,3}$/.test(plain) ? plain : null
}

/** Why a number cell cannot be read: it holds something else, or a line with amounts that is not spread over its row yet. */
export function problemOfNumber(cell: string): 'number_form' | 'number_line' {
  return /^\s*x?[0-9]{1,3}[^\p{L}\p{M}0-9]+[0-9]/iu.test(cell) ? 'number_line' : 'number_form'
}

// 10  1,000  10.00, and what one has typed of them on the way: "10," and "10."
const WHOLE_BAHT = /^(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:,|\.0{0,2})?$/

/** The whole Baht of an amount cell, 0 where it is blank. */
export function readAmount(cell: string): number | 'amount_form' | 'amount_too_large' {
  const plain = cell.trim()
  if (plain === '') return 0
  if (!WHOLE_BAHT.test(plain)) return 'amount_form'
  const baht = Number(plain.replaceAll(',', ''))
  return baht > MAX_CELL_BAHT ? 'amount_too_large' : baht
}
