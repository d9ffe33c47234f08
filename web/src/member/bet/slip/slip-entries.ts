import { betTypeCodes, doesRefuse } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import type { RowState } from './row-check.ts'
import type { CheckedSlip } from './slip-check.ts'
import { limitOf } from './slip-check.ts'
import { amountColumns, betTypeOfCell } from './slip-columns.ts'
import type { AmountColumn } from './slip-columns.ts'
import { isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

// The slip as a list: every stake under its bet type, and at the end the rows that are no stake yet.

export type SlipEntry =
  | { kind: 'head'; key: string; bet_type: BetTypeCode | null; count: number; bet_satang: number }
  | {
      kind: 'stake'
      key: string
      row: number
      row_id: number
      column: AmountColumn
      number: string
      text: string
      look: 'good' | 'warn' | 'bad'
      problem: RowState['problem']
      limit_satang: number
    }
  | { kind: 'unfinished'; key: string; row_id: number; number: string; state: RowState }

type Stake = Extract<SlipEntry, { kind: 'stake' }>

export function listEntries(
  rows: readonly SlipRow[],
  check: CheckedSlip,
  offered: readonly BetTypeCode[],
): readonly SlipEntry[] {
  const problems = problemsOfCells(check)
  const satangOfCell = new Map(check.lines.map((line) => [`${line.row} ${line.column}`, line.bet_satang]))
  const groups = new Map<BetTypeCode, { stakes: Stake[]; bet_satang: number }>()
  const unfinished: SlipEntry[] = []
  for (const [index, row] of rows.entries()) {
    if (isEmptyRow(row)) continue
    let hasStake = false
    for (const column of amountColumns) {
      const bet_type = row[column].trim() === '' ? null : betTypeOfCell(row.number, column, offered)
      if (bet_type === null) continue
      hasStake = true
      const cell = `${index} ${column}`
      const found = problems.get(cell) ?? unreadableCell(check.row_states[index], column)
      const group = groups.get(bet_type) ?? { stakes: [], bet_satang: 0 }
      groups.set(bet_type, group)
      group.bet_satang += satangOfCell.get(cell) ?? 0
      group.stakes.push({
        kind: 'stake',
        key: `${row.id} ${column}`,
        row: index,
        row_id: row.id,
        column,
        number: row.number.trim(),
        text: row[column],
        look: found?.look ?? 'good',
        problem: found?.problem ?? null,
        limit_satang: found?.limit_satang ?? 0,
      })
    }
    const state = check.row_states[index]
    if (!hasStake && state !== undefined)
      unfinished.push({ kind: 'unfinished', key: `${row.id}`, row_id: row.id, number: row.number, state })
  }
  const entries = betTypeCodes.flatMap((bet_type): readonly SlipEntry[] => {
    const group = groups.get(bet_type)
    if (group === undefined) return []
    const { stakes, bet_satang } = group
    return [{ kind: 'head', key: bet_type, bet_type, count: stakes.length, bet_satang }, ...stakes]
  })
  if (unfinished.length === 0) return entries
  const head: SlipEntry = { kind: 'head', key: 'unfinished', bet_type: null, count: unfinished.length, bet_satang: 0 }
  return [...entries, head, ...unfinished]
}

interface CellTrouble {
  look: 'warn' | 'bad'
  problem: RowState['problem']
  limit_satang: number
}

/** The gravest problem of every stake; problems come with the gravest first. */
function problemsOfCells(check: CheckedSlip): ReadonlyMap<string, CellTrouble> {
  const found = new Map<string, CellTrouble>()
  for (const problem of check.problems) {
    for (const index of problem.lines) {
      const { row, column } = check.lines[index]!
      const cell = `${row} ${column}`
      if (!found.has(cell))
        found.set(cell, {
          look: doesRefuse(problem) ? 'bad' : 'warn',
          problem: problem.code,
          limit_satang: limitOf(problem),
        })
    }
  }
  return found
}

function unreadableCell(state: RowState | undefined, column: AmountColumn): CellTrouble | null {
  if (state?.kind !== 'bad' || !state.columns.split(' ').includes(column)) return null
  return { look: 'bad', problem: state.problem, limit_satang: state.satang }
}
