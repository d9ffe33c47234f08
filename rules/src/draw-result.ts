// The result of a draw, and when it is complete. Digits are text, so that '007' keeps its
// zeros.

/** The result of one draw. Only the Thai government lottery has `front3` and `back3`. */
export interface DrawResult {
  /** Three digits: the last ones of `first_prize`, if the market publishes one. */
  top3: string
  /** Two digits; some markets take them from `first_prize` (`deriveNumbers`). */
  bottom2: string
  /** The published number; absent if the market publishes only `top3` and `bottom2`. */
  first_prize?: string
  /** Two three-digit numbers; absent before 2015-09-01. */
  front3?: readonly string[]
  /** Two three-digit numbers; four before 2015-09-01. */
  back3?: readonly string[]
}

/**
 * What a market publishes.
 * - `government`: a first prize of six digits, two digits, front and back numbers (Thai government)
 * - `four_to_six_digits`: one number (Lao)
 * - `five_digits_and_two`: the special prize, and two digits of the first prize (Hanoi)
 * - `four_digits`: the first prize (Malay)
 * - `three_and_two`: `top3` and `bottom2` alone
 */
export const resultForms = [
  'government',
  'four_to_six_digits',
  'five_digits_and_two',
  'four_digits',
  'three_and_two',
] as const
export type ResultForm = (typeof resultForms)[number]

/** A market's published number: how many digits it has, and whether it contains `bottom2`. */
export interface PublishedNumber {
  least_digits: number
  most_digits: number
  has_bottom2: boolean
}

/** Null if the market publishes only `top3` and `bottom2`. */
export const publishedNumbers: Readonly<Record<ResultForm, PublishedNumber | null>> = {
  government: { least_digits: 6, most_digits: 6, has_bottom2: false },
  four_to_six_digits: { least_digits: 4, most_digits: 6, has_bottom2: true },
  five_digits_and_two: { least_digits: 5, most_digits: 5, has_bottom2: false },
  four_digits: { least_digits: 4, most_digits: 4, has_bottom2: true },
  three_and_two: null,
}

/**
 * The numbers that a published number determines: its last three digits, and in some markets the two before the last
 * two.
 */
export function deriveNumbers(form: ResultForm, first_prize: string): { top3: string; bottom2?: string } {
  const top3 = first_prize.slice(-3)
  return publishedNumbers[form]?.has_bottom2 ? { top3, bottom2: first_prize.slice(-4, -2) } : { top3 }
}

/** The first day on which the Thai government lottery draws two front and two back numbers instead of four back ones. */
export const FRONT3_SINCE = '2015-09-01'

/** Possible problems of a result, in order of precedence: screens show the first. */
export type DrawResultProblem =
  /** Not a number with that many digits (0: there must be none). */
  | { code: 'bad_first_prize'; least_digits: number; most_digits: number }
  /** Not three digits. */
  | { code: 'bad_top3' }
  /** Not two digits. */
  | { code: 'bad_bottom2' }
  /** Not the digits that the market takes from `first_prize`. */
  | { code: 'top3_differs'; expected: string }
  | { code: 'bottom2_differs'; expected: string }
  /** Not `count` numbers of three digits (0: there must be none). */
  | { code: 'bad_front3'; count: 0 | 2 }
  | { code: 'bad_back3'; count: 0 | 2 | 4 }

function isDigits(value: unknown, least: number, most = least): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most && /^[0-9]+$/.test(value)
}

function isNumberList(value: unknown, count: number): boolean {
  const numbers: unknown = value ?? []
  return Array.isArray(numbers) && numbers.length === count && numbers.every((number) => isDigits(number, 3))
}

/**
 * Lists all problems of a result, in the order of `DrawResultProblem`. An empty list means it may be settled.
 * The government lottery needs two front and two back numbers or, before 2015-09-01, four back numbers and no front
 * ones. `draw_date` (yyyy-mm-dd in Asia/Bangkok) says which; without it both are accepted. Other markets must have
 * neither list. Two equal front or back numbers are allowed.
 */
export function checkDrawResult(
  result: DrawResult,
  result_form: ResultForm,
  draw_date?: string,
): readonly DrawResultProblem[] {
  const problems: DrawResultProblem[] = []
  const { first_prize, top3, bottom2 } = result
  const { least_digits, most_digits } = publishedNumbers[result_form] ?? { least_digits: 0, most_digits: 0 }
  const hasPublished = most_digits === 0 ? first_prize === undefined : isDigits(first_prize, least_digits, most_digits)

  if (!hasPublished) problems.push({ code: 'bad_first_prize', least_digits, most_digits })
  if (!isDigits(top3, 3)) problems.push({ code: 'bad_top3' })
  if (!isDigits(bottom2, 2)) problems.push({ code: 'bad_bottom2' })
  if (hasPublished && first_prize !== undefined) {
    const derived = deriveNumbers(result_form, first_prize)
    if (derived.top3 !== top3) problems.push({ code: 'top3_differs', expected: derived.top3 })
    if (derived.bottom2 !== undefined && derived.bottom2 !== bottom2)
      problems.push({ code: 'bottom2_differs', expected: derived.bottom2 })
  }

  const { front, back } = result_form === 'government' ? dueLists(result, draw_date) : ({ front: 0, back: 0 } as const)
  if (!isNumberList(result.front3, front)) problems.push({ code: 'bad_front3', count: front })
  if (!isNumberList(result.back3, back)) problems.push({ code: 'bad_back3', count: back })
  return problems
}

/** How many front and back numbers a government draw must have. Without a day, the result itself decides. */
function dueLists(result: DrawResult, draw_date: string | undefined): { front: 0 | 2; back: 2 | 4 } {
  const isOldForm =
    draw_date === undefined ? isNumberList(result.front3, 0) && isNumberList(result.back3, 4) : draw_date < FRONT3_SINCE
  return isOldForm ? { front: 0, back: 4 } : { front: 2, back: 2 }
}
