// Enter in a row of the grid: a whole line in the number cell, such as 12=50*20, fills the row; a number without amounts
// takes those of the row above.

import type { BetTypeCode } from '@megalot/rules'
import { readAmount, readNumber } from '../../slip/cell-text.ts'
import { amountColumns, betTypeOfCell } from '../../slip/slip-columns.ts'
import type { AmountColumn } from '../../slip/slip-columns.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { pasteText } from './paste.ts'
import type { LineTroubleCode } from './paste.ts'

interface SpreadLine {
  rows: readonly SlipRow[]
  /** How many rows the line became; doors make many. */
  taken: number
  /** Why the line was not taken. */
  problem: LineTroubleCode | 'too_many_rows' | 'text_too_long' | null
}

/**
 * Spreads the line in a number cell over its row, or over several for doors. It replaces the amounts of the row, as every line
 * is a bet of its own. Null where the cell holds a number, or nothing.
 */
export function spreadLine(
  rows: readonly SlipRow[],
  index: number,
  shown: readonly AmountColumn[],
  offered: readonly BetTypeCode[],
): SpreadLine | null {
  const row = rows[index]
  if (row === undefined || readNumber(row.number) !== null) return null
  const blank = rows.with(index, { id: row.id, number: '', top: '', bottom: '', roll: '', front: '' })
  const pasted = pasteText(blank, { row: index, column: 'number' }, row.number, shown, offered)
  if (pasted === null) return null
  const problem = pasted.problem ?? pasted.problems[0]?.code ?? null
  if (problem !== null || pasted.taken === 0) return { rows, taken: 0, problem }
  // The row keeps its identity, and with it the focus in it.
  const made = pasted.rows.with(index, { ...pasted.rows[index]!, id: row.id })
  return { rows: made, taken: pasted.taken, problem: null }
}

/** The amounts that a number without any can take from the row above; null where there are none. */
export function findRepeatable(
  row: SlipRow,
  above: SlipRow | undefined,
  offered: readonly BetTypeCode[],
): Partial<Record<AmountColumn, string>> | null {
  if (above === undefined || (readNumber(row.number) ?? '') === '') return null
  if (amountColumns.some((column) => row[column] !== '')) return null
  const filled = amountColumns.filter((column) => {
    if (betTypeOfCell(row.number, column, offered) === null || betTypeOfCell(above.number, column, offered) === null)
      return false
    const baht = readAmount(above[column])
    return typeof baht === 'number' && baht > 0
  })
  return filled.length === 0 ? null : Object.fromEntries(filled.map((column) => [column, above[column]]))
}

/** Repeats the amounts of the row above; null where there are none. */
export function repeatAbove(
  rows: readonly SlipRow[],
  index: number,
  offered: readonly BetTypeCode[],
): readonly SlipRow[] | null {
  const row = rows[index]
  const amounts = row === undefined ? null : findRepeatable(row, rows[index - 1], offered)
  return amounts === null ? null : rows.with(index, { ...row!, ...amounts })
}
