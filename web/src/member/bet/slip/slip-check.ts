import { combineLineChecks, doesRefuse, quotaName } from '@megalot/rules'
import type { LineCheck, SlipCheck, SlipContext, SlipLine, SlipProblem } from '@megalot/rules'
import type { CellProblem } from './cell-text.ts'
import { checkRow, EMPTY_STATE, isSameRowState, moveRowCheck } from './row-check.ts'
import type { PlacedLine, RowCheck, RowState } from './row-check.ts'
import type { SlipRow } from './slip-rows.ts'

export interface CheckedSlip extends SlipCheck {
  lines: readonly PlacedLine[]
  row_states: readonly RowState[]
  /** Problems of the slip as a whole. */
  slip_problems: readonly SlipProblem[]
  /** Problems of unreadable cells. A slip with one is never sent. */
  cell_problems: readonly CellProblem[]
  /** Lines that share their number with others and that the member has not decided about. */
  duplicates: readonly PlacedLine[]
}

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
export type SlipChecker = (
  rows: readonly SlipRow[],
  context: SlipContext,
  keptDuplicates?: readonly string[],
) => CheckedSlip

/** Checks a slip from nothing. */
export const checkRows: SlipChecker = (rows, context, keptDuplicates) =>
  createSlipChecker()(rows, context, keptDuplicates)

/**
 * A checker for one slip that is checked again after each change. It reads and checks only the rows that are new objects
 * since the last call; what concerns rows together is added up anew, which is cheap. Parts of the result that are equal to
 * those of the last one are the same objects, so that whoever shows them need not show them again.
 */
export function createSlipChecker(): SlipChecker {
  let memo: { context: SlipContext; rowChecks: WeakMap<SlipRow, RowCheck>; checked: CheckedSlip } | null = null
  return (rows, context, keptDuplicates = NOTHING_KEPT) => {
    const isReusable = memo !== null && hasSameLineContext(memo.context, context)
    const rowChecks = isReusable ? memo!.rowChecks : new WeakMap<SlipRow, RowCheck>()
    const checks = rows.map((row, index) => {
      const known = rowChecks.get(row)
      const check = known === undefined ? checkRow(row, index, context) : moveRowCheck(known, index)
      if (check !== known) rowChecks.set(row, check)
      return check
    })
    const checked = combineRowChecks(checks, context, keptDuplicates, memo?.checked ?? null)
    memo = { context, rowChecks, checked }
    return checked
  }
}

function hasSameLineContext(a: SlipContext, b: SlipContext): boolean {
  return a.terms === b.terms && a.offered === b.offered && a.number_states === b.number_states
}

function combineRowChecks(
  checks: readonly RowCheck[],
  context: SlipContext,
  keptDuplicates: readonly string[],
  before: CheckedSlip | null,
): CheckedSlip {
  const lines: PlacedLine[] = []
  const lineChecks: LineCheck[] = []
  const cellProblems = new Set<CellProblem>()
  for (const check of checks) {
    for (const line of check.lines) lines.push(line)
    for (const line of check.line_checks) lineChecks.push(line)
    if (check.unreadable !== null) cellProblems.add(check.unreadable.problem)
  }
  const { problems: allProblems, totals, is_acceptable } = combineLineChecks(lineChecks, context)
  const isKept = (problem: SlipProblem): boolean =>
    problem.code === 'duplicate' && keptDuplicates.includes(nameOfLine(lines[problem.lines[0]!]!))
  const problems = allProblems.filter((problem) => !isKept(problem))
  const duplicates = problems.flatMap((problem) =>
    problem.code === 'duplicate' ? problem.lines.map((index) => lines[index]!) : [],
  )
  const slip_problems = problems.filter((problem) => problem.lines.length === 0)
  return {
    problems,
    totals: before !== null && isSameJson(before.totals, totals) ? before.totals : totals,
    is_acceptable: is_acceptable && cellProblems.size === 0,
    lines,
    row_states: statesOfRows(checks, problems, lines, before?.row_states ?? []),
    slip_problems: keepIfSame(before?.slip_problems, slip_problems, isSameJson),
    cell_problems: keepIfSame(before?.cell_problems, [...cellProblems], Object.is),
    duplicates: keepIfSame(before?.duplicates, duplicates, Object.is),
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function keepIfSame<Item>(
  before: readonly Item[] | undefined,
  now: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): readonly Item[] {
  if (before === undefined || before.length !== now.length) return now
  return before.every((item, index) => isSame(item, now[index]!)) ? before : now
}

export function nameOfLine({ bet_type, number }: SlipLine): string {
  return quotaName(bet_type, number)
}

function statesOfRows(
  checks: readonly RowCheck[],
  problems: readonly SlipProblem[],
  lines: readonly PlacedLine[],
  before: readonly RowState[],
): readonly RowState[] {
  const problemsByRow = findProblemsOfRows(problems, lines)
  const staked = stakesBySlot(checks)
  const states = checks.map((check, index) => {
    const state = stateOfRow(check, problemsByRow.get(index), roomOfRow(check, staked))
    const known = before[index]
    return known !== undefined && isSameRowState(known, state) ? known : state
  })
  return keepIfSame(before, states, Object.is)
}

function stateOfRow(
  { kind, unreadable, net_satang }: RowCheck,
  found: ProblemOfRow | undefined,
  room_satang: number | null,
): RowState {
  if (unreadable !== null) {
    const { problem, columns } = unreadable
    return { kind: 'bad', problem, satang: 0, columns: columns.join(' '), room_satang }
  }
  if (found !== undefined) {
    const { problem, columns } = found
    return {
      kind: doesRefuse(problem) ? 'bad' : 'warn',
      problem: problem.code,
      satang: limitOf(problem),
      columns: [...columns].join(' '),
      room_satang,
    }
  }
  if (kind === 'empty') return EMPTY_STATE
  return { kind, problem: null, satang: net_satang, columns: '', room_satang }
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

function stakesBySlot(checks: readonly RowCheck[]): ReadonlyMap<number, number> {
  const stakes = new Map<number, number>()
  for (const { rooms } of checks) {
    for (const { slot, bet_satang } of rooms) stakes.set(slot, (stakes.get(slot) ?? 0) + bet_satang)
  }
  return stakes
}

/** The smallest remainder of the limits on lines and numbers after this slip; never below 0. */
function roomOfRow({ rooms }: RowCheck, staked: ReadonlyMap<number, number>): number | null {
  if (rooms.length === 0) return null
  let room_satang = Infinity
  for (const { slot, bet_satang, max_satang, max_per_number_satang } of rooms)
    room_satang = Math.min(room_satang, max_satang - bet_satang, max_per_number_satang - staked.get(slot)!)
  return Math.max(0, room_satang)
}
