// The draft in the form of a limit rule, and its reading.

import type { BodyOf, RuleSetting, RuleTarget, Rows } from '@megalot/contract'
import { MAX_RULE_NUMBERS } from '@megalot/contract/browser'
import { betTypeByCode, type BetTypeCode, permuteNumber, readPastedNumbers } from '@megalot/rules'

export interface RuleDraft {
  text: string
  /** Each number in every order of its digits. */
  isPermuted: boolean
  bet_types: readonly BetTypeCode[]
  product_codes: readonly string[]
  /** For every period of the markets; otherwise for the one that takes bets now or next. */
  isStanding: boolean
  /** The last day of a standing rule, yyyy-mm-dd; undefined: without end. */
  until_date: string | undefined
  set_to: RuleSetting
  /** Whole Baht, as typed. */
  full_baht: string
  half_baht: string
}

export const emptyDraft: RuleDraft = {
  text: '',
  isPermuted: false,
  bet_types: [],
  product_codes: [],
  isStanding: false,
  until_date: undefined,
  set_to: 'half',
  full_baht: '',
  half_baht: '0',
}

export interface ReadNumbers {
  /** As they are sent: permuted if that was chosen, each once, and each fits a chosen bet type. */
  numbers: string[]
  doubled: string[]
  unknown: string[]
  /** Numbers with as many digits as none of the chosen bet types. */
  unfit: string[]
}

/** The numbers of a draft; while no bet type is chosen all of them fit. */
export function readNumbers({
  text,
  isPermuted,
  bet_types,
}: Pick<RuleDraft, 'text' | 'isPermuted' | 'bet_types'>): ReadNumbers {
  const { numbers, doubled, unknown } = readPastedNumbers(text)
  const digits = new Set<number>(bet_types.map((bet_type) => betTypeByCode[bet_type].digits))
  const fits = (number: string): boolean => digits.size === 0 || digits.has(number.length)
  const fitting = numbers.filter(fits)
  return {
    numbers: isPermuted ? [...new Set(fitting.flatMap(permuteNumber))] : fitting,
    doubled,
    unknown,
    unfit: numbers.filter((number) => !fits(number)),
  }
}

/** Missing parts of a draft, in the order of the form. */
export type MissingPart = 'numbers' | 'too_many' | 'bet_types' | 'markets' | 'amount'

export type RuleContent = Omit<BodyOf<Rows['setLimitRule']>, 'request_id' | 'preview' | 'reason'>

/**
 * A draft as it is sent, or what it lacks.
 * @param periodOf the period of a market that takes bets now or next; a market without one is left out
 */
export function readDraft(
  draft: RuleDraft,
  periodOf: (product_code: string) => string | undefined,
): { content: RuleContent } | { missing: MissingPart } {
  const { numbers } = readNumbers(draft)
  if (numbers.length === 0) return { missing: 'numbers' }
  if (numbers.length > MAX_RULE_NUMBERS) return { missing: 'too_many' }
  if (draft.bet_types.length === 0) return { missing: 'bet_types' }
  const target = readTarget(draft, periodOf)
  if (target === null) return { missing: 'markets' }
  const isAmount = draft.set_to === 'amount'
  const full_satang = isAmount ? readWholeBaht(draft.full_baht) : null
  const half_satang = isAmount ? readWholeBaht(draft.half_baht) : null
  if (isAmount && (full_satang === null || half_satang === null)) return { missing: 'amount' }
  const value = { set_to: draft.set_to, full_satang, half_satang }
  return { content: { target, bet_types: [...draft.bet_types], numbers, value } }
}

function readTarget(
  { isStanding, product_codes, until_date }: RuleDraft,
  periodOf: (product_code: string) => string | undefined,
): RuleTarget | null {
  if (isStanding)
    return product_codes.length === 0 ? null : { product_codes: [...product_codes], until_date: until_date ?? null }
  const period_codes = product_codes.flatMap((product_code) => periodOf(product_code) ?? [])
  return period_codes.length === 0 ? null : { period_codes }
}

const SATANG_PER_BAHT = 100

/** Whole Baht as satang; null: it is no amount. */
export function readWholeBaht(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) * SATANG_PER_BAHT : null
}
