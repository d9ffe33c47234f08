import { MAX_IMPORT_CHARACTERS, columnOfBetType, isUnclearAmount, readImportText, splitLines } from '@megalot/rules'
import type { BetTypeCode, ImportErrorCode, SlipLine } from '@megalot/rules'
import { readAmount, readNumber, writeCell } from '../../slip/cell-text.ts'
import type { CellPlace } from './grid-keys.ts'
import { betTypeOfCell } from '../../slip/slip-columns.ts'
import type { AmountColumn } from '../../slip/slip-columns.ts'
import { growRows, insertRows } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'

// Pasting into the grid, from a spreadsheet or a chat. Lines are read by the reader of the import, so that both read the
// same. Every line is taken as it stands or not at all, and the member is shown which and why.

/** The most rows one paste may make; no ticket comes near this, and a screen must still hold them. */
export const MAX_PASTED_ROWS = 1_000

export type LineTroubleCode =
  | ImportErrorCode
  /** A word in the line: it is not about numbers. */
  | 'letters'

export interface LineProblem {
  /** Counted from 1, empty lines included. */
  line_no: number
  text: string
  code: LineTroubleCode
}

export interface Pasted {
  /** Why nothing of the text was taken. */
  problem: 'text_too_long' | 'too_many_rows' | null
  rows: readonly SlipRow[]
  /** How many rows were filled. */
  taken: number
  problems: readonly LineProblem[]
}

type NewRow = Partial<Omit<SlipRow, 'id'>>

/** The rows after a paste into a cell; null where the field itself can take the text, as it takes typing. */
export function pasteText(
  rows: readonly SlipRow[],
  place: CellPlace,
  text: string,
  shown: readonly AmountColumn[],
  offered: readonly BetTypeCode[],
): Pasted | null {
  if (text.length > MAX_IMPORT_CHARACTERS) return { problem: 'text_too_long', rows, taken: 0, problems: [] }
  const pasted = splitLines(text).map((line) => writeCell(line.text))
  const lines = pasted.slice(0, pasted.findLastIndex((line) => line !== '') + 1)
  const isOneCell = lines.length <= 1 && !text.includes('\t')
  if (place.column === 'number') {
    if (isOneCell && readNumber(lines[0] ?? '') !== null) return null
    return pasteNumbers(rows, place.row, text, offered)
  }
  return isOneCell ? null : pasteAmounts(rows, place.row, shown.indexOf(place.column), lines, shown, offered)
}

function pasteNumbers(rows: readonly SlipRow[], at: number, text: string, offered: readonly BetTypeCode[]): Pasted {
  const { problem, bets, errors, dropped } = readImportText(text, { offered })
  const made: { line_no: number; rows: readonly NewRow[] }[] = []
  const problems: LineProblem[] = dropped.map((line) => ({ ...line, code: 'letters' }))
  for (const { line_no, items } of bets) made.push({ line_no, rows: rowsOfItems(items) })
  for (const error of errors) {
    const number = error.code === 'no_amount' ? numberAlone(error.text) : null
    if (number === null) problems.push(error)
    else made.push({ line_no: error.line_no, rows: [{ number }] })
  }
  const added = made.toSorted(byLine).flatMap((line) => line.rows)
  if (problem !== null || added.length > MAX_PASTED_ROWS)
    return { problem: 'too_many_rows', rows, taken: 0, problems: [] }
  return {
    problem: null,
    rows: insertRows(rows, at, added),
    taken: added.length,
    problems: problems.toSorted(byLine),
  }
}

function byLine(one: { line_no: number }, other: { line_no: number }): number {
  return one.line_no - other.line_no
}

/** The number of a line without amounts, as in a column of numbers, which waits for them; null for any other line. */
function numberAlone(line: string): string | null {
  const [first = '', ...amounts] = line.split('\t')
  return amounts.every(isBlank) ? readNumber(first) : null
}

function isBlank(cell: string): boolean {
  return cell.trim() === '-' || readAmount(cell) === 0
}

/** One row for each number of a line; doors make many. */
function rowsOfItems(items: readonly SlipLine[]): readonly NewRow[] {
  const byNumber = new Map<string, NewRow>()
  for (const { number, bet_type, bet_satang } of items) {
    const row = byNumber.get(number) ?? { number }
    row[columnOfBetType(bet_type)] = String(bet_satang / 100)
    byNumber.set(number, row)
  }
  return [...byNumber.values()]
}

/** Amounts lie beside the numbers that are there already: every line, also an empty one, keeps its row. */
function pasteAmounts(
  rows: readonly SlipRow[],
  at: number,
  firstColumn: number,
  lines: readonly string[],
  shown: readonly AmountColumn[],
  offered: readonly BetTypeCode[],
): Pasted {
  if (at + lines.length > MAX_PASTED_ROWS) return { problem: 'too_many_rows', rows, taken: 0, problems: [] }
  const filled = [
    ...insertRows(
      rows,
      rows.length,
      Array.from({ length: lines.length }, () => ({})),
    ),
  ]
  const problems: LineProblem[] = []
  let taken = 0
  for (const [index, text] of lines.entries()) {
    const row = filled[at + index]!
    const read = readAmountCells(row, text.split('\t'), shown.slice(firstColumn), offered)
    if (typeof read === 'string') {
      problems.push({ line_no: index + 1, text: text.trim(), code: read })
      continue
    }
    if (text.trim() !== '') taken += 1
    filled[at + index] = { ...row, ...read }
  }
  return { problem: null, rows: growRows(withoutEmptyEnd(filled)), taken, problems }
}

function readAmountCells(
  row: SlipRow,
  cells: readonly string[],
  into: readonly AmountColumn[],
  offered: readonly BetTypeCode[],
): NewRow | LineTroubleCode {
  const change: NewRow = {}
  // Without a number yet, every column may apply.
  const isNumberKnown = (readNumber(row.number) ?? '') !== ''
  for (const [index, cell] of cells.entries()) {
    const column = into[index]
    // Before it is read: 0.0 is an amount with a mark, too.
    if (isUnclearAmount(cell)) return 'unclear_amount'
    if (isBlank(cell)) {
      if (column !== undefined) change[column] = ''
      continue
    }
    if (column === undefined) return 'too_many_columns'
    if (isNumberKnown && betTypeOfCell(row.number, column, offered) === null) return 'column_not_offered'
    change[column] = cell.trim()
  }
  return change
}

function withoutEmptyEnd(rows: readonly SlipRow[]): readonly SlipRow[] {
  const last = rows.findLastIndex(({ id: _id, ...cells }) => Object.values(cells).some((cell) => cell !== ''))
  return rows.slice(0, last + 1)
}
