import { checkLine, quotaSlot, termsByType } from '@megalot/rules'
import type { BetTypeTerms, LineCheck, LineContext, SlipLine, SlipProblem } from '@megalot/rules'
import { problemOfNumber, readAmount, readNumber } from './cell-text.ts'
import type { CellProblem } from './cell-text.ts'
import { amountColumns, betTypeOfCell } from './slip-columns.ts'
import type { AmountColumn, Column } from './slip-columns.ts'
import { isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

// Checks one row of the slip independently of the others, so that a key re-checks one row only.

/** A line of the ticket and the cell it was typed into. */
export interface PlacedLine extends SlipLine {
  row: number
  column: AmountColumn
}

/** The message beside a row. Plain values only, so that an unchanged message compares as equal. */
export interface RowState {
  kind: 'empty' | 'no_amount' | 'no_number' | 'good' | 'warn' | 'bad'
  problem: SlipProblem['code'] | CellProblem | null
  /** The limit that the problem names, or the row's cost without a problem. */
  satang: number
  /** The columns the problem lies in, separated by blanks. */
  columns: string
  /** The amount that could still be staked on the row's numbers by the limits; null if unknown. */
  room_satang: number | null
}

export const EMPTY_STATE: RowState = { kind: 'empty', problem: null, satang: 0, columns: '', room_satang: null }

export function isSameRowState(a: RowState, b: RowState): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.problem === b.problem &&
      a.satang === b.satang &&
      a.columns === b.columns &&
      a.room_satang === b.room_satang)
  )
}

const NO_TERMS: readonly BetTypeTerms[] = []

/** The amount that limits leave for one line if no other line has its number. */
interface LineRoom {
  /** Shared by the lines that a limit per number counts together. */
  slot: number
  bet_satang: number
  max_satang: number
  max_per_number_satang: number
}

/** One row read and checked alone. */
export interface RowCheck {
  lines: readonly PlacedLine[]
  /** By line. */
  line_checks: readonly LineCheck[]
  /** Of the lines that have limits. */
  rooms: readonly LineRoom[]
  /** The first thing in the row that is no number or no amount, and the cells it stands in. */
  unreadable: { problem: CellProblem; columns: readonly Column[] } | null
  /** The message if neither a line nor a cell of the row has a problem. */
  kind: 'empty' | 'no_number' | 'no_amount' | 'good'
  /** The cost of the lines after discount. */
  net_satang: number
}

/** The lines a row stands for: every cell that applies and holds an amount. */
export function checkRow(row: SlipRow, index: number, context: LineContext): RowCheck {
  const lines: PlacedLine[] = []
  const number = readNumber(row.number)
  let unreadable: { problem: CellProblem; columns: Column[] } | null =
    number === null ? { problem: problemOfNumber(row.number), columns: ['number'] } : null
  for (const column of amountColumns) {
    if (row[column] === '') continue
    const bet_type = betTypeOfCell(row.number, column, context.offered)
    // An amount in a cell that does not apply is not shown; where there is no number yet every cell may come to apply.
    if (bet_type === null && number !== null && number !== '') continue
    const baht = readAmount(row[column])
    if (typeof baht === 'string') {
      if (unreadable === null) unreadable = { problem: baht, columns: [column] }
      else if (unreadable.problem === baht) unreadable.columns.push(column)
    } else if (bet_type !== null && number !== null && baht > 0) {
      lines.push({ row: index, column, bet_type, number, bet_satang: baht * 100 })
    }
  }
  const line_checks = lines.map((line) => checkLine(line, context))
  const net_satang = line_checks.reduce((sum, line) => sum + line.bet_satang - line.discount_satang, 0)
  return {
    lines,
    line_checks,
    rooms: roomsOf(lines, line_checks, context),
    unreadable,
    kind: kindOf(row, number, lines),
    net_satang,
  }
}

function kindOf(row: SlipRow, number: string | null, lines: readonly PlacedLine[]): RowCheck['kind'] {
  if (lines.length > 0) return 'good'
  if (isEmptyRow(row)) return 'empty'
  return number === '' ? 'no_number' : 'no_amount'
}

function roomsOf(
  lines: readonly PlacedLine[],
  checks: readonly LineCheck[],
  context: LineContext,
): readonly LineRoom[] {
  const terms = termsByType(context.terms ?? NO_TERMS)
  return lines.flatMap(({ bet_type, number, bet_satang }, at) => {
    const limits = terms.get(bet_type)
    if (limits === undefined) return []
    const { max_satang, max_per_number_satang } = limits
    // A line that cannot be accepted is compared with no other in the check, but its room is known all the same.
    const slot = checks[at]!.slot ?? quotaSlot(bet_type, number)
    return [{ slot, bet_satang, max_satang, max_per_number_satang }]
  })
}

/** The same row at another place of the slip. */
export function moveRowCheck(check: RowCheck, index: number): RowCheck {
  const [first] = check.lines
  if (first === undefined || first.row === index) return check
  return { ...check, lines: check.lines.map((line) => ({ ...line, row: index })) }
}
