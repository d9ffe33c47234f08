// Checking a slip before it becomes a ticket (§4–§7 of the domain rules): every problem at once, and the totals.
// The browser runs this while the member types; the server runs it again and decides.
//
// Problems come in a fixed order of precedence, that of `slipProblemCodes`; problems of one code in the order of the
// lines. The first problem is the one to show. A problem either refuses the slip or only warns. One line can have
// several problems, but some problems hide others: a bet type that is not offered hides every other problem of its
// line; a bad number hides duplicates, limits per number and closed numbers; a bad amount hides the limits on amounts.
//
// The order of the lines affects nothing but the line indexes: neither the problems nor the totals.

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

/** A value per bet type and number. Rolls may be written in any order of digits: all orders share one value. */
export type PerNumber<Value> = Readonly<Partial<Record<BetTypeCode, Readonly<Record<string, Value>>>>>

/** What the check needs of member, market and period. */
export interface SlipContext {
  /** Terms of the package the member has chosen; `null` where none is chosen or the member has none. */
  terms: readonly BetTypeTerms[] | null
  /** The bet types the market offers. */
  offered: readonly BetTypeCode[]
  credit_remain_satang: number
  /** Most lines one ticket may have. */
  max_items: number
  /** Whether the period accepts bets now; the caller decides, by the database's clock. */
  is_open: boolean
  /** What the member has already staked in this period, in satang. */
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
  // A closed number receives nothing, but the rest of the ticket is accepted: the member must confirm.
  number_closed: 'warns',
  number_half: 'warns',
  number_yellow: 'warns',
  duplicate: 'warns',
} as const satisfies Record<SlipProblemCode, 'refuses' | 'warns'>

/** One problem; `lines` are the indexes of the lines it is about, ascending, and empty where it is about the whole slip. */
export type SlipProblem =
  | { code: 'no_package' | 'period_closed' | 'no_number' | 'zero_total' | 'all_numbers_closed'; lines: readonly [] }
  | { code: 'too_many_items'; lines: readonly []; count: number; max_items: number }
  | { code: 'bet_type_not_offered'; lines: readonly [number] }
  /** Only digits, but fewer than the bet type takes. */
  | { code: 'too_few_digits'; lines: readonly [number]; digits: number }
  /** Anything but Arabic digits, or more digits than the bet type takes. */
  | { code: 'bad_number'; lines: readonly [number]; digits: number }
  /** Not a whole number of Baht, negative, or beyond `MAX_LINE_SATANG`. */
  | { code: 'bad_amount'; lines: readonly [number] }
  | { code: 'under_min'; lines: readonly [number]; min_satang: number }
  | { code: 'over_max'; lines: readonly [number]; max_satang: number }
  /** The lines on one number, with earlier stakes on it, exceed the limit of the period. */
  | {
      code: 'over_max_per_number'
      lines: readonly number[]
      max_per_number_satang: number
      already_bet_satang: number
      slip_satang: number
    }
  | { code: 'over_credit'; lines: readonly []; net_satang: number; credit_remain_satang: number }
  | { code: 'number_closed' | 'number_half' | 'number_yellow'; lines: readonly [number] }
  /** The same number under the same bet type more than once; rolls are the same in any order of digits. */
  | { code: 'duplicate'; lines: readonly number[] }

/** What the slip costs if the house accepts every line in full, in satang. */
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

/**
 * The greatest amount that can be a stake at all, whatever the limits say: 100 million Baht. More is a typing mistake.
 */
export const MAX_LINE_SATANG = 100_000_000_00

type WithoutLines<Problem> = Problem extends SlipProblem ? Omit<Problem, 'lines'> : never

/** A problem of one line, before its index is known. */
export type LineProblem = WithoutLines<Extract<SlipProblem, { lines: readonly [number] }>>

/** What the check of one line needs; nothing in it changes while a member types. */
export type LineContext = Pick<SlipContext, 'terms' | 'offered' | 'number_states'>

/** What one line contributes to the check of its slip. It depends on the line and the context, and on no other line. */
export interface LineCheck {
  bet_type: BetTypeCode
  number: string
  problems: readonly LineProblem[]
  /** What the totals count; 0 where the amount is bad. */
  bet_satang: number
  discount_satang: number
  /** The same for lines that share a limit per number; null where the line is compared with no other. */
  slot: number | null
  is_closed: boolean
}

/** Lines on the same number of the same bet type, and what they stake together. */
interface NumberGroup {
  bet_type: BetTypeCode
  /** That of the first line. */
  number: string
  first_line: number
  /** Absent where there is only one: most numbers occur on a slip once. */
  later_lines: number[] | undefined
  slip_satang: number
}

/** Where no package is chosen. */
const noTerms: readonly BetTypeTerms[] = []

/**
 * Whether an amount can be a stake: whole Baht, from 0 to `MAX_LINE_SATANG`. Whether 0 is too little is checked
 * elsewhere.
 */
export function isAmount(bet_satang: number): boolean {
  return bet_satang >= 0 && bet_satang <= MAX_LINE_SATANG && bet_satang % 100 === 0
}

/**
 * Checks a slip: lists every problem and computes the totals. Never throws, whatever the lines hold.
 *
 * Totals count every line with a valid amount as if the house accepted it in full; lines with a bad amount count 0, and
 * without a package there is no discount. `over_credit` compares the net total, because that is what is debited. It is
 * not checked without a package, because the net is not known then.
 */
export function checkSlip(lines: readonly SlipLine[], context: SlipContext): SlipCheck {
  return combineLineChecks(
    lines.map((line) => checkLine(line, context)),
    context,
  )
}

/** Checks one line alone, the first half of `checkSlip`. Whoever checks a slip again can keep the checks of unchanged lines. */
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

/** The second half of `checkSlip`: what concerns lines together, and the slip as a whole. */
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
  // A bad amount is the problem to show; the total adds nothing to it.
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

/** Whether a problem refuses the slip (and does not only warn). */
export function doesRefuse(problem: SlipProblem): boolean {
  return slipProblemSeverity[problem.code] === 'refuses'
}

/** Offered: the market has it and, where a package is chosen, the package has it switched on. */
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

/** The value of a line's number; rolls are found in any order of their digits. */
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

/** Duplicates and the limit per number, which concern all lines on one number together. */
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

/** Adds up values that are written under several orders of the same digits. */
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
  // Problems of one code were found in the order of the lines, and the sort is stable.
  problems.sort((a, b) => rank(a) - rank(b))
}
