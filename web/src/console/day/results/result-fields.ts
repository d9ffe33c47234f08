// The fields of a result while it is typed: digits only, lists of three-digit numbers with a space between, and when a field is
// full, so that the focus moves on by itself.

import type { AwardEntries } from '@megalot/contract'
import { deriveNumbers, type DrawResult, FRONT3_SINCE, publishedNumbers, type ResultForm } from '@megalot/rules'

export type ResultField = 'first_prize' | 'top3' | 'bottom2' | 'front3' | 'back3'

/** The draw whose result is typed. */
export interface ResultOfDraw {
  result_form: ResultForm
  period_date: string
}

/** The fields of a draw, in the order in which they are typed. Numbers that the first one decides are not typed. */
export function listResultFields({ result_form, period_date }: ResultOfDraw): readonly ResultField[] {
  const published = publishedNumbers[result_form]
  if (published === null) return ['top3', 'bottom2']
  if (result_form !== 'government') return published.has_bottom2 ? ['first_prize'] : ['first_prize', 'bottom2']
  return period_date < FRONT3_SINCE
    ? ['first_prize', 'back3', 'bottom2']
    : ['first_prize', 'front3', 'back3', 'bottom2']
}

/** How many digits a field has when it is full. */
function digitsOf(field: ResultField, { result_form, period_date }: ResultOfDraw): number {
  if (field === 'first_prize') return publishedNumbers[result_form]?.most_digits ?? 0
  if (field === 'top3') return 3
  if (field === 'bottom2') return 2
  return field === 'back3' && period_date < FRONT3_SINCE ? 12 : 6
}

/** The digits of a published number, as `6` or `4–6`. */
export function writeDigitCount(result_form: ResultForm): string {
  const { least_digits = 0, most_digits = 0 } = publishedNumbers[result_form] ?? {}
  return least_digits === most_digits ? String(most_digits) : `${least_digits}–${most_digits}`
}

/** The digits of the typed text, Thai digits included; lists in groups of three. */
export function formatDigits(field: ResultField, text: string, draw: ResultOfDraw): string {
  const digits = text
    .normalize('NFKC')
    .replaceAll(/[๐-๙]/g, toDigit)
    .replaceAll(/\D/g, '')
    .slice(0, digitsOf(field, draw))
  return field === 'front3' || field === 'back3' ? (digits.match(/.{1,3}/g) ?? []).join(' ') : digits
}

function toDigit(thai: string): string {
  return String(thai.charCodeAt(0) - '๐'.charCodeAt(0))
}

export function isFull(field: ResultField, text: string, draw: ResultOfDraw): boolean {
  return text.replaceAll(' ', '').length === digitsOf(field, draw)
}

export type TypedResult = DrawResult & { front3?: string[]; back3?: string[] }

/** The fields as a result. */
export function resultOf(values: Readonly<Record<ResultField, string>>, draw: ResultOfDraw): TypedResult {
  const { first_prize, top3, bottom2, front3, back3 } = values
  const fields = listResultFields(draw)
  return {
    ...(fields.includes('first_prize')
      ? { first_prize, bottom2, ...deriveNumbers(draw.result_form, first_prize) }
      : { top3, bottom2 }),
    ...(fields.includes('front3') ? { front3: listOf(front3) } : {}),
    ...(fields.includes('back3') ? { back3: listOf(back3) } : {}),
  }
}

function listOf(text: string): string[] {
  return text.split(' ').filter((number) => number !== '')
}

export type ResultShown = NonNullable<AwardEntries['paid_result']>

/** The shown fields of a result, in order. */
export const shownFields = ['first_prize', 'top3', 'front3', 'back3', 'bottom2'] as const

/** The name of a field: only the government lottery calls its number a first prize. */
export function nameOf(result: ResultShown, name: (typeof shownFields)[number]) {
  return name === 'first_prize' && result.back3 === undefined ? 'published' : name
}

/** A field of a result as text; empty: the result does not have it. */
export function writeField(result: ResultShown, name: (typeof shownFields)[number]): string {
  const value = result[name]
  if (value === undefined) return ''
  return typeof value === 'string' ? value : value.toSorted().join(' ')
}
