// The result of a draw, and when it is complete (§1 of the domain rules).
// All digits are text, so that '007' keeps its zeros.

import type { BetTypeCode } from './bet-type-code.ts'

/** The result of one draw. Only the Thai government lottery has `first_prize`, `front3` and `back3`. */
export interface DrawResult {
  /** Three digits; for the Thai government lottery the last three of `first_prize`. */
  top3: string
  /** Two digits. */
  bottom2: string
  /** Six digits. */
  first_prize?: string
  /** Two three-digit numbers; absent before 2015-09-01. */
  front3?: readonly string[]
  /** Two three-digit numbers; four before 2015-09-01. */
  back3?: readonly string[]
}

/** The first day on which the Thai government lottery draws two front and two back numbers instead of four back ones. */
export const FRONT3_SINCE = '2015-09-01'

/** What can be wrong with a result, in order of precedence: the first problem is the one to show. */
export type DrawResultProblem =
  /** Not three digits. */
  | { code: 'bad_top3' }
  /** Not two digits. */
  | { code: 'bad_bottom2' }
  /** Missing where the market needs it, or not six digits. */
  | { code: 'bad_first_prize' }
  /** The last three digits of `first_prize` are not `top3`. */
  | { code: 'top3_differs'; expected: string }
  /** Not `count` numbers of three digits (0: there must be none). */
  | { code: 'bad_front3'; count: 0 | 2 }
  | { code: 'bad_back3'; count: 0 | 2 | 4 }

function isDigits(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length === length && /^[0-9]+$/.test(value)
}

function isNumberList(value: unknown, count: number): boolean {
  const numbers: unknown = value ?? []
  return Array.isArray(numbers) && numbers.length === count && numbers.every((number) => isDigits(number, 3))
}

/**
 * Lists everything wrong with a result, in the order of `DrawResultProblem`; an empty list means it may be settled.
 *
 * A market that offers `3front` or `3bottom` needs `first_prize` and either two front and two back numbers or, as drawn
 * before 2015-09-01, four back numbers and no front ones. `draw_date` (yyyy-mm-dd in Asia/Bangkok) says which of the two
 * forms applies; without it both are accepted. Any other market must have neither list, and may leave `first_prize`
 * out.
 * Two equal front or back numbers are possible and no problem.
 */
export function checkDrawResult(
  result: DrawResult,
  offeredBetTypes: readonly BetTypeCode[],
  draw_date?: string,
): readonly DrawResultProblem[] {
  const problems: DrawResultProblem[] = []
  const hasFrontAndBack = offeredBetTypes.includes('3front') || offeredBetTypes.includes('3bottom')

  if (!isDigits(result.top3, 3)) problems.push({ code: 'bad_top3' })
  if (!isDigits(result.bottom2, 2)) problems.push({ code: 'bad_bottom2' })

  if (hasFrontAndBack || result.first_prize !== undefined) {
    if (!isDigits(result.first_prize, 6)) problems.push({ code: 'bad_first_prize' })
    else if (result.first_prize.slice(3) !== result.top3)
      problems.push({ code: 'top3_differs', expected: result.first_prize.slice(3) })
  }

  const form = hasFrontAndBack ? dueForm(result, draw_date) : ({ front: 0, back: 0 } as const)
  if (!isNumberList(result.front3, form.front)) problems.push({ code: 'bad_front3', count: form.front })
  if (!isNumberList(result.back3, form.back)) problems.push({ code: 'bad_back3', count: form.back })
  return problems
}

/** How many front and back numbers a government draw must have; without a day the result itself decides. */
function dueForm(result: DrawResult, draw_date: string | undefined): { front: 0 | 2; back: 2 | 4 } {
  const isOldForm =
    draw_date === undefined ? isNumberList(result.front3, 0) && isNumberList(result.back3, 4) : draw_date < FRONT3_SINCE
  return isOldForm ? { front: 0, back: 4 } : { front: 2, back: 2 }
}
