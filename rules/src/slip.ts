// Checks a slip before it becomes a ticket: all problems at once, and the totals. The
// browser runs this while the member types; the server runs it again and decides.
// Problems are ordered by precedence (`slipProblemCodes`), then by line; screens show the first. A problem either
// refuses the slip or only warns. Some problems hide others: a bet type that is not offered hides every other problem
// of its line; a bad number hides duplicates, limits per number and closed numbers; a bad amount hides the limits on
// amounts.
// The order of lines affects only line indexes, neither problems nor totals.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, isBetTypeCode } from './bet-type.ts'
import { discountSatang } from './money.ts'
import { quotaSlot, type NumberState } from './quota.ts'
import { type BetTypeTerms, LEAST_STAKE_SATANG, termsByType } from './terms.ts'

/** One requested bet: one number, one bet type, one stake. */
export interface SlipLine {
  bet_type: BetTypeCode
  number: string
  /** Whole Baht, in satang. */
  bet_satang: number
}

/** A value per bet type and number. Rolls may be written in any order of digits; all orders share one value. */
export type PerNumber<Value> = Readonly<Partial<Record<BetTypeCode, Readonly<Record<string, Value>>>>>

/** The member, market and period of a slip. */
export interface SlipContext {
  /** Terms of the chosen package; `null` if none is chosen or the member has none. */
  terms: readonly BetTypeTerms[] | null
  /** The bet types the market offers. */
  offered: readonly BetTypeCode[]
  credit_remain_satang: number
  /** The most lines in a ticket. */
  max_items: number
  /** Whether the period accepts bets now, by the database's clock. */
  is_open: boolean
  /** The member's earlier stakes in this period, in satang. */
  already_bet?: PerNumber<number>
  number_states?: PerNumber<NumberState>
}

/** Every kind of problem, in order of precedence. */
export const slipProblemCodes = [
  'no_package',
  'period_closed',
  'no_number',
  'zero_total',
  'too_many_items',
  'bet_type_not_offered',
  'too_few_digits',
  'bad_number',
  'bad_amount',
  'under_min',
  'over_max',
  'over_max_per_number',
  'all_numbers_closed',
  'over_credit',
  'number_closed',
  'number_half',
  'number_yellow',
  'duplicate',
] as const
export type SlipProblemCode = (typeof slipProblemCodes)[number]

/** Whether a problem refuses the whole slip, or only warns. */
export const slipProblemSeverity = {
  no_package: 'refuses',
  period_closed: 'refuses',
  no_number: 'refuses',
  zero_total: 'refuses',
  too_many_items: 'refuses',
  bet_type_not_offered: 'refuses',
  too_few_digits: 'refuses',
  bad_number: 'refuses',
  bad_amount: 'refuses',
  under_min: 'refuses',
  over_max: 'refuses',
  over_max_per_number: 'refuses',
  all_numbers_closed: 'refuses',
  over_credit: 'refuses',
  // A closed number accepts nothing, but the rest of the ticket is accepted, and the member must confirm.
  number_closed: 'warns',
  number_half: 'warns',
  number_yellow: 'warns',
  duplicate: 'warns',
} as const satisfies Record<SlipProblemCode, 'refuses' | 'warns'>

/** One problem. `lines` are the indexes of its lines, ascending; empty if it concerns the whole slip. */
export type SlipProblem =
  | { code: 'no_package' | 'period_closed' | 'no_number' | 'zero_total' | 'all_numbers_closed'; lines: readonly [] }
  | { code: 'too_many_items'; lines: readonly []; count: number; max_items: number }
  | { code: 'bet_type_not_offered'; lines: readonly [number] }
  /** Only digits, but fewer than the bet type needs. */
  | { code: 'too_few_digits'; lines: readonly [number]; digits: number }
  /** Anything but Arabic digits, or more digits than the bet type has. */
  | { code: 'bad_number'; lines: readonly [number]; digits: number }
  /** Not a whole number of Baht, negative, or beyond `MAX_LINE_SATANG`. */
  | { code: 'bad_amount'; lines: readonly [number] }
  | { code: 'under_min'; lines: readonly [number]; min_satang: number }
  | { code: 'over_max'; lines: readonly [number]; max_satang: number }
  /** The lines on one number, together with earlier stakes on it, exceed the period's limit. */
  | {
      code: 'over_max_per_number'
      lines: readonly number[]
      max_per_number_satang: number
      already_bet_satang: number
      slip_satang: number
    }
  | { code: 'over_credit'; lines: readonly []; net_satang: number; credit_remain_satang: number }
  | { code: 'number_closed' | 'number_half' | 'number_yellow'; lines: readonly [number] }
  /** The same number of the same bet type more than once; for rolls in any order of digits. */
  | { code: 'duplicate'; lines: readonly number[] }

/** The cost of the slip if every line is accepted in full, in satang. */
export interface SlipTotals {
  bet_satang: number
  discount_satang: number
  net_satang: number
}

export interface SlipCheck {
  problems: readonly SlipProblem[]
  totals: SlipTotals
  /** Whether no problem refuses the slip. */
  is_acceptable: boolean
}

/** The largest plausible stake: 100 million Baht. More is a typing mistake, whatever the limits. */
export const MAX_LINE_SATANG = 100_000_000_00

type WithoutLines<Problem> = Problem extends SlipProblem ? Omit<Problem, 'lines'> : never

/** A problem of one line, without its index. */
export type LineProblem = WithoutLines<Extract<SlipProblem, { lines: readonly [number] }>>

/** The context for checking one line; constant while a member types. */
export type LineContext = Pick<SlipContext, 'terms' | 'offered' | 'number_states'>

/** What one line contributes to the check of its slip. Depends only on the line and the context. */
export interface LineCheck {
  bet_type: BetTypeCode
  number: string
  problems: readonly LineProblem[]
  /** Counted in the totals; 0 if the amount is bad. */
  bet_satang: number
  discount_satang: number
  /** Equal for lines that share a limit per number; null if the line is not compared with others. */
  slot: number | null
  is_closed: boolean
}

/** Lines on the same number of the same bet type, and their total stake. */
interface NumberGroup {
  bet_type: BetTypeCode
  /** From the first line. */
  number: string
  first_line: number
  /** Absent if there is only one: most numbers appear on a slip once. */
  later_lines: number[] | undefined
  slip_satang: number
}

/** Used if no package is chosen. */
const noTerms: readonly BetTypeTerms[] = []

/** Whether an amount can be a stake: whole Baht, from 0 to `MAX_LINE_SATANG`. 0 is checked elsewhere. */
export function isAmount(bet_satang: number): boolean {
  return bet_satang >= 0 && bet_satang <= MAX_LINE_SATANG && bet_satang % 100 === 0
}

/**
 * Checks a slip: lists every problem and computes the totals. Never throws.
 * Totals count every line with a valid amount as accepted in full. Lines with a bad amount count 0, and without a
 * package there is no discount. `over_credit` compares the net total, because that is debited; it is not checked
 * without a package, because the net is then unknown.
 */
export function checkSlip(lines: readonly SlipLine[], context: SlipContext): SlipCheck {
  return combineLineChecks(
    lines.map((line) => checkLine(line, context)),
    context,
  )
}

/** Checks one line by itself, the first half of `checkSlip`. The results can be reused while the line is unchanged. */
export function checkLine(line: SlipLine, context: LineContext): LineCheck {
  const { bet_type, number, bet_satang } = line
  const terms = termsByType(context.terms ?? noTerms).get(bet_type)
  const hasAmount = isAmount(bet_satang)
  const problems: LineProblem[] = []
  const check: LineCheck = {
    bet_type,
    number,
    problems,
    bet_satang: hasAmount ? bet_satang : 0,
    discount_satang: hasAmount && terms !== undefined ? discountSatang(bet_satang, terms.discount_rate) : 0,
    slot: null,
    is_closed: false,
  }
  if (!isOffered(bet_type, context, terms)) {
    problems.push({ code: 'bet_type_not_offered' })
    return check
  }
  const amountProblem = hasAmount ? checkLimits(line, terms) : badAmount
  if (amountProblem !== null) problems.push(amountProblem)
  const numberProblem = checkNumber(line)
  if (numberProblem !== null) {
    problems.push(numberProblem)
    return check
  }
  const state = findState(line, context)
  if (state !== undefined) problems.push({ code: problemOfState[state] })
  check.slot = quotaSlot(bet_type, number)
  check.is_closed = state === 'grey'
  return check
}

/** The second half of `checkSlip`: problems of several lines together and of the whole slip. */
export function combineLineChecks(checks: readonly LineCheck[], context: SlipContext): SlipCheck {
  const problems: SlipProblem[] = []
  const totals: SlipTotals = { bet_satang: 0, discount_satang: 0, net_satang: 0 }
  const groups = new Map<number, NumberGroup>()
  const count = checks.length
  let closedLines = 0
  let hasBadAmount = false

  if (context.terms === null) problems.push({ code: 'no_package', lines: [] })
  if (!context.is_open) problems.push({ code: 'period_closed', lines: [] })
  if (count === 0) problems.push({ code: 'no_number', lines: [] })
  if (count > context.max_items)
    problems.push({ code: 'too_many_items', lines: [], count, max_items: context.max_items })

  for (const [index, check] of checks.entries()) {
    totals.bet_satang += check.bet_satang
    totals.discount_satang += check.discount_satang
    for (const problem of check.problems) {
      problems.push({ ...problem, lines: [index] })
      if (problem.code === 'bad_amount') hasBadAmount = true
    }
    if (check.is_closed) closedLines += 1
    if (check.slot !== null) addToGroup(groups, check.slot, check, index)
  }

  totals.net_satang = totals.bet_satang - totals.discount_satang
  // Show the bad amount instead, which adds nothing to the total.
  if (count > 0 && totals.bet_satang === 0 && !hasBadAmount) problems.push({ code: 'zero_total', lines: [] })
  if (count > 0 && closedLines === count) problems.push({ code: 'all_numbers_closed', lines: [] })
  if (context.terms !== null && !(totals.net_satang <= context.credit_remain_satang))
    problems.push({
      code: 'over_credit',
      lines: [],
      net_satang: totals.net_satang,
      credit_remain_satang: context.credit_remain_satang,
    })
  problems.push(...checkGroups(groups.values(), context, termsByType(context.terms ?? noTerms)))

  sortByPrecedence(problems)
  return { problems, totals, is_acceptable: !problems.some(doesRefuse) }
}

/** Whether a problem refuses the slip, rather than only warning. */
export function doesRefuse(problem: SlipProblem): boolean {
  return slipProblemSeverity[problem.code] === 'refuses'
}

/** Offered by the market and, if a package is chosen, switched on in it. */
function isOffered(bet_type: string, context: LineContext, terms: BetTypeTerms | undefined): boolean {
  if (!isBetTypeCode(bet_type) || !context.offered.includes(bet_type)) return false
  return context.terms === null || terms?.is_on === true
}

const badAmount: LineProblem = { code: 'bad_amount' }

function checkNumber(line: SlipLine): LineProblem | null {
  const digits = betTypeByCode[line.bet_type].digits
  if (!/^[0-9]*$/.test(line.number) || line.number.length > digits) return { code: 'bad_number', digits }
  return line.number.length < digits ? { code: 'too_few_digits', digits } : null
}

function checkLimits(line: SlipLine, terms: BetTypeTerms | undefined): LineProblem | null {
  const min_satang = Math.max(terms?.min_satang ?? 0, LEAST_STAKE_SATANG)
  if (line.bet_satang < min_satang) return { code: 'under_min', min_satang }
  if (terms !== undefined && line.bet_satang > terms.max_satang)
    return { code: 'over_max', max_satang: terms.max_satang }
  return null
}

const problemOfState = { grey: 'number_closed', half: 'number_half', yellow: 'number_yellow' } as const

/** The value of a line's number; rolls match in any order of digits. */
export function findState(
  line: SlipLine,
  { number_states }: Pick<SlipContext, 'number_states'>,
): NumberState | undefined {
  const states = number_states?.[line.bet_type]
  return states?.[betTypeByCode[line.bet_type].quotaKey(line.number)] ?? states?.[line.number]
}

function addToGroup(groups: Map<number, NumberGroup>, slot: number, check: LineCheck, index: number): void {
  const { bet_type, number, bet_satang } = check
  const group = groups.get(slot)
  if (group === undefined) {
    groups.set(slot, { bet_type, number, first_line: index, later_lines: undefined, slip_satang: bet_satang })
    return
  }
  if (group.later_lines === undefined) group.later_lines = [index]
  else group.later_lines.push(index)
  group.slip_satang += bet_satang
}

function linesOf({ first_line, later_lines }: NumberGroup): number[] {
  return later_lines === undefined ? [first_line] : [first_line, ...later_lines]
}

/** Checks duplicates and the limit per number, over all lines on one number. */
function checkGroups(
  groups: Iterable<NumberGroup>,
  context: SlipContext,
  termsOf: ReadonlyMap<BetTypeCode, BetTypeTerms>,
): readonly SlipProblem[] {
  const problems: SlipProblem[] = []
  const alreadyByType = new Map<BetTypeCode, ReadonlyMap<string, number>>()
  for (const group of groups) {
    const { bet_type, number, later_lines, slip_satang } = group
    if (later_lines !== undefined) problems.push({ code: 'duplicate', lines: linesOf(group) })
    const terms = termsOf.get(bet_type)
    if (terms === undefined) continue
    const before = context.already_bet?.[bet_type]
    if (before !== undefined && !alreadyByType.has(bet_type))
      alreadyByType.set(bet_type, poolByQuotaKey(bet_type, before))
    const already_bet_satang = alreadyByType.get(bet_type)?.get(betTypeByCode[bet_type].quotaKey(number)) ?? 0
    const { max_per_number_satang } = terms
    if (already_bet_satang + slip_satang <= max_per_number_satang) continue
    const lines = linesOf(group)
    problems.push({ code: 'over_max_per_number', lines, max_per_number_satang, already_bet_satang, slip_satang })
  }
  return problems
}

/** Adds up values written under different orders of the same digits. */
function poolByQuotaKey(bet_type: BetTypeCode, perNumber: Readonly<Record<string, number>>): Map<string, number> {
  const pooled = new Map<string, number>()
  for (const [number, value] of Object.entries(perNumber)) {
    const key = betTypeByCode[bet_type].quotaKey(number)
    pooled.set(key, (pooled.get(key) ?? 0) + value)
  }
  return pooled
}

const rankOfCode = new Map(slipProblemCodes.map((code, rank) => [code, rank]))

function sortByPrecedence(problems: SlipProblem[]): void {
  const rank = (problem: SlipProblem): number => rankOfCode.get(problem.code) as number
  // Problems of one code are already in line order, and the sort is stable.
  problems.sort((a, b) => rank(a) - rank(b))
}
