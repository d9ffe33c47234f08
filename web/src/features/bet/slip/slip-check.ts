import { checkSlip, computeLineMoney, doesRefuse, quotaName } from '@megalot/rules'
import type { BetTypeCode, BetTypeTerms, SlipCheck, SlipContext, SlipLine, SlipProblem } from '@megalot/rules'
import { readAmount, readNumber } from './cell-text.ts'
import type { CellProblem } from './cell-text.ts'
import { amountColumns, betTypeOfCell } from './slip-columns.ts'
import type { AmountColumn, Column } from './slip-columns.ts'
import { isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

/** A line of the ticket and the cell it was typed into. */
export interface PlacedLine extends SlipLine {
  row: number
  column: AmountColumn
}

interface ReadRows {
  lines: readonly PlacedLine[]
  /** By row: the first thing in it that is no number or no amount, and the cells it stands in. */
  unreadable: ReadonlyMap<number, { problem: CellProblem; columns: readonly Column[] }>
}

/** The lines a slip stands for, every cell that applies and holds an amount, row by row; and what cannot be read. */
export function readRows(rows: readonly SlipRow[], offered: readonly BetTypeCode[]): ReadRows {
  const lines: PlacedLine[] = []
  const unreadable = new Map<number, { problem: CellProblem; columns: Column[] }>()
  for (const [index, row] of rows.entries()) {
    const number = readNumber(row.number)
    if (number === null) unreadable.set(index, { problem: 'number_form', columns: ['number'] })
    for (const column of amountColumns) {
      const bet_type = betTypeOfCell(row.number, column, offered)
      // An amount in a cell that does not apply is not shown; where there is no number yet every cell may come to apply.
      if (bet_type === null && number !== null && number !== '') continue
      const baht = readAmount(row[column])
      if (typeof baht === 'string') {
        const known = unreadable.get(index)
        if (known === undefined) unreadable.set(index, { problem: baht, columns: [column] })
        else if (known.problem === baht) known.columns.push(column)
      } else if (bet_type !== null && number !== null && baht > 0) {
        lines.push({ row: index, column, bet_type, number, bet_satang: baht * 100 })
      }
    }
  }
  return { lines, unreadable }
}

/** What is said beside a row. Only plain values, so that an unchanged state is recognised as such. */
export interface RowState {
  kind: 'empty' | 'no_amount' | 'no_number' | 'good' | 'warn' | 'bad'
  problem: SlipProblem['code'] | CellProblem | null
  /** The limit the problem speaks of, or what the row costs where all is well. */
  satang: number
  /** The columns the problem lies in, separated by blanks. */
  columns: string
  /** What could still be staked on the row's numbers beside what it holds, by the limits; null where nobody knows. */
  room_satang: number | null
}

export interface CheckedSlip extends SlipCheck {
  lines: readonly PlacedLine[]
  row_states: readonly RowState[]
  /** Problems of the slip as a whole. */
  slip_problems: readonly SlipProblem[]
  /** What is wrong with cells that cannot be read; none of them may be sent past the member. */
  cell_problems: readonly CellProblem[]
  /** Lines that share their number with others and that the member has not decided about. */
  duplicates: readonly PlacedLine[]
}

export const EMPTY_STATE: RowState = { kind: 'empty', problem: null, satang: 0, columns: '', room_satang: null }
const NOTHING_KEPT: readonly string[] = []

export function limitOf(problem: SlipProblem): number {
  if ('min_satang' in problem) return problem.min_satang
  if ('max_satang' in problem) return problem.max_satang
  return 'max_per_number_satang' in problem ? problem.max_per_number_satang : 0
}

/**
 * Asks the rules, and hands every problem to the rows it is about; the first of a row is the gravest.
 * @param keptDuplicates numbers, by `quotaName`, whose duplicates the member wants: they are no problem any more
 */
export function checkRows(
  rows: readonly SlipRow[],
  context: SlipContext,
  keptDuplicates: readonly string[] = NOTHING_KEPT,
): CheckedSlip {
  const { lines, unreadable } = readRows(rows, context.offered)
  const checked = checkSlip(lines, context)
  const isKept = (problem: SlipProblem): boolean =>
    problem.code === 'duplicate' && keptDuplicates.includes(nameOfLine(lines[problem.lines[0]!]!))
  const check = { ...checked, problems: checked.problems.filter((problem) => !isKept(problem)) }
  const problemsByRow = findProblemsOfRows(check.problems, lines)
  const netByRow = netOfRows(lines, context.terms ?? [])
  const roomByRow = roomOfRows(lines, context.terms ?? [])
  const row_states = rows.map((row, index): RowState => {
    const room_satang = roomByRow.get(index) ?? null
    const wrong = unreadable.get(index)
    if (wrong !== undefined)
      return { kind: 'bad', problem: wrong.problem, satang: 0, columns: wrong.columns.join(' '), room_satang }
    const found = problemsByRow.get(index)
    if (found !== undefined) {
      return {
        kind: doesRefuse(found.problem) ? 'bad' : 'warn',
        problem: found.problem.code,
        satang: limitOf(found.problem),
        columns: [...found.columns].join(' '),
        room_satang,
      }
    }
    const net = netByRow.get(index)
    if (net !== undefined) return { kind: 'good', problem: null, satang: net, columns: '', room_satang }
    if (isEmptyRow(row)) return EMPTY_STATE
    const kind = readNumber(row.number) === '' ? 'no_number' : 'no_amount'
    return { kind, problem: null, satang: 0, columns: '', room_satang }
  })
  return {
    ...check,
    is_acceptable: check.is_acceptable && unreadable.size === 0,
    lines,
    row_states,
    slip_problems: check.problems.filter((problem) => problem.lines.length === 0),
    cell_problems: [...new Set([...unreadable.values()].map(({ problem }) => problem))],
    duplicates: check.problems.flatMap((problem) =>
      problem.code === 'duplicate' ? problem.lines.map((index) => lines[index]!) : [],
    ),
  }
}

export function nameOfLine({ bet_type, number }: SlipLine): string {
  return quotaName(bet_type, number)
}

type ProblemOfRow = { problem: SlipProblem; columns: Set<string> }

function findProblemsOfRows(
  problems: readonly SlipProblem[],
  lines: readonly PlacedLine[],
): ReadonlyMap<number, ProblemOfRow> {
  const problemsByRow = new Map<number, ProblemOfRow>()
  for (const problem of problems) {
    for (const index of problem.lines) {
      const { row, column } = lines[index]!
      const known = problemsByRow.get(row)
      if (known === undefined) problemsByRow.set(row, { problem, columns: new Set([column]) })
      else if (known.problem.code === problem.code) known.columns.add(column)
    }
  }
  return problemsByRow
}

function netOfRows(lines: readonly PlacedLine[], terms: readonly BetTypeTerms[]): ReadonlyMap<number, number> {
  const nets = new Map<number, number>()
  const termsByType = new Map(terms.map((one) => [one.bet_type, one]))
  for (const line of lines) {
    if (!Number.isSafeInteger(line.bet_satang)) continue
    const discount_rate = termsByType.get(line.bet_type)?.discount_rate ?? 0
    const { net_satang } = computeLineMoney(line.bet_satang, line.bet_satang, discount_rate)
    nets.set(line.row, (nets.get(line.row) ?? 0) + net_satang)
  }
  return nets
}

/** By row, the least that its limits on lines and numbers leave beside what the slip holds; never below 0. */
function roomOfRows(lines: readonly PlacedLine[], terms: readonly BetTypeTerms[]): ReadonlyMap<number, number> {
  const rooms = new Map<number, number>()
  const termsByType = new Map(terms.map((one) => [one.bet_type, one]))
  const stakes = new Map<string, number>()
  for (const line of lines) stakes.set(nameOfLine(line), (stakes.get(nameOfLine(line)) ?? 0) + line.bet_satang)
  for (const line of lines) {
    const limits = termsByType.get(line.bet_type)
    if (limits === undefined) continue
    const onLine = limits.max_satang - line.bet_satang
    const onNumber = limits.max_per_number_satang - stakes.get(nameOfLine(line))!
    rooms.set(line.row, Math.max(0, Math.min(rooms.get(line.row) ?? Infinity, onLine, onNumber)))
  }
  return rooms
}

export function isSameRowState(a: RowState, b: RowState): boolean {
  return (
    a.kind === b.kind &&
    a.problem === b.problem &&
    a.satang === b.satang &&
    a.columns === b.columns &&
    a.room_satang === b.room_satang
  )
}
