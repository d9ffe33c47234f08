import { checkSlip, computeLineMoney, doesRefuse } from '@megalot/rules'
import type { BetTypeCode, BetTypeTerms, SlipCheck, SlipContext, SlipLine, SlipProblem } from '@megalot/rules'
import { amountColumns, betTypeOfCell } from './slip-columns.ts'
import type { AmountColumn } from './slip-columns.ts'
import { isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

/** A line of the ticket and the cell it was typed into. */
export interface PlacedLine extends SlipLine {
  row: number
  column: AmountColumn
}

/** The lines a slip stands for: every cell that applies and holds an amount, row by row. */
export function linesOfRows(rows: readonly SlipRow[], offered: readonly BetTypeCode[]): readonly PlacedLine[] {
  return rows.flatMap((row, index) =>
    amountColumns.flatMap((column): readonly PlacedLine[] => {
      const bet_type = betTypeOfCell(row.number, column, offered)
      if (bet_type === null || row[column] === '') return []
      return [{ row: index, column, bet_type, number: row.number, bet_satang: Number(row[column]) * 100 }]
    }),
  )
}

/** What is said beside a row. Only plain values, so that an unchanged state is recognised as such. */
export interface RowState {
  kind: 'empty' | 'no_amount' | 'no_number' | 'good' | 'warn' | 'bad'
  problem: SlipProblem['code'] | null
  /** The limit the problem speaks of, or what the row costs where all is well. */
  satang: number
  /** The columns the problem lies in, separated by blanks. */
  columns: string
}

export interface CheckedSlip extends SlipCheck {
  lines: readonly PlacedLine[]
  row_states: readonly RowState[]
  /** Problems of the slip as a whole. */
  slip_problems: readonly SlipProblem[]
}

const EMPTY_STATE: RowState = { kind: 'empty', problem: null, satang: 0, columns: '' }

function limitOf(problem: SlipProblem): number {
  if ('min_satang' in problem) return problem.min_satang
  if ('max_satang' in problem) return problem.max_satang
  return 'max_per_number_satang' in problem ? problem.max_per_number_satang : 0
}

/** Asks the rules, and hands every problem to the rows it is about; the first of a row is the gravest. */
export function checkRows(rows: readonly SlipRow[], context: SlipContext): CheckedSlip {
  const lines = linesOfRows(rows, context.offered)
  const check = checkSlip(lines, context)
  const problemsByRow = new Map<number, { problem: SlipProblem; columns: Set<string> }>()
  for (const problem of check.problems) {
    for (const index of problem.lines) {
      const { row, column } = lines[index]!
      const known = problemsByRow.get(row)
      if (known === undefined) problemsByRow.set(row, { problem, columns: new Set([column]) })
      else if (known.problem.code === problem.code) known.columns.add(column)
    }
  }
  const netByRow = netOfRows(lines, context.terms ?? [])
  const row_states = rows.map((row, index): RowState => {
    const found = problemsByRow.get(index)
    if (found !== undefined) {
      return {
        kind: doesRefuse(found.problem) ? 'bad' : 'warn',
        problem: found.problem.code,
        satang: limitOf(found.problem),
        columns: [...found.columns].join(' '),
      }
    }
    const net = netByRow.get(index)
    if (net !== undefined) return { kind: 'good', problem: null, satang: net, columns: '' }
    if (isEmptyRow(row)) return EMPTY_STATE
    return { kind: row.number === '' ? 'no_number' : 'no_amount', problem: null, satang: 0, columns: '' }
  })
  return { ...check, lines, row_states, slip_problems: check.problems.filter((problem) => problem.lines.length === 0) }
}

function netOfRows(lines: readonly PlacedLine[], terms: readonly BetTypeTerms[]): ReadonlyMap<number, number> {
  const nets = new Map<number, number>()
  for (const line of lines) {
    if (!Number.isSafeInteger(line.bet_satang)) continue
    const discount_rate = terms.find((one) => one.bet_type === line.bet_type)?.discount_rate ?? 0
    const { net_satang } = computeLineMoney(line.bet_satang, line.bet_satang, discount_rate)
    nets.set(line.row, (nets.get(line.row) ?? 0) + net_satang)
  }
  return nets
}

export function isSameRowState(a: RowState, b: RowState): boolean {
  return a.kind === b.kind && a.problem === b.problem && a.satang === b.satang && a.columns === b.columns
}
