// The fields of a result while it is typed: digits only, lists of three-digit numbers with a space between, and when a field is
// full, so that the focus moves on by itself.

import type { AwardEntries } from '@megalot/contract'
import type { DrawResult } from '@megalot/rules'

export type ResultField = 'first_prize' | 'top3' | 'bottom2' | 'front3' | 'back3'

/** Until this day four back numbers were drawn and no front numbers. */
const FRONT_NUMBERS_SINCE = '2015-09-01'

/** The fields of a market, in the order in which they are typed. */
export function listResultFields(isGovernment: boolean, period_date: string): readonly ResultField[] {
  if (!isGovernment) return ['top3', 'bottom2']
  return period_date < FRONT_NUMBERS_SINCE
    ? ['first_prize', 'back3', 'bottom2']
    : ['first_prize', 'front3', 'back3', 'bottom2']
}

/** How many digits a field has when it is full. */
export function digitsOf(field: ResultField, period_date: string): number {
  if (field === 'first_prize') return 6
  if (field === 'top3') return 3
  if (field === 'bottom2') return 2
  return field === 'back3' && period_date < FRONT_NUMBERS_SINCE ? 12 : 6
}

/** What was typed, without anything but digits; lists in groups of three. Thai digits count as digits. */
export function formatDigits(field: ResultField, text: string, period_date: string): string {
  const digits = text
    .normalize('NFKC')
    .replaceAll(/[๐-๙]/g, toDigit)
    .replaceAll(/\D/g, '')
    .slice(0, digitsOf(field, period_date))
  return field === 'front3' || field === 'back3' ? (digits.match(/.{1,3}/g) ?? []).join(' ') : digits
}

function toDigit(thai: string): string {
  return String(thai.charCodeAt(0) - '๐'.charCodeAt(0))
}

export function isFull(field: ResultField, text: string, period_date: string): boolean {
  return text.replaceAll(' ', '').length === digitsOf(field, period_date)
}

export type TypedResult = DrawResult & { front3?: string[]; back3?: string[] }

/** The fields as a result. */
export function resultOf(values: Readonly<Record<ResultField, string>>, fields: readonly ResultField[]): TypedResult {
  const { first_prize, top3, bottom2, front3, back3 } = values
  if (!fields.includes('first_prize')) return { top3, bottom2 }
  return {
    first_prize,
    top3: first_prize.slice(3),
    bottom2,
    ...(fields.includes('front3') ? { front3: listOf(front3) } : {}),
    back3: listOf(back3),
  }
}

function listOf(text: string): string[] {
  return text.split(' ').filter((number) => number !== '')
}

export type ResultShown = NonNullable<AwardEntries['paid_result']>

/** What of a result is shown to people, in its order. */
export const shownFields = ['first_prize', 'top3', 'front3', 'back3', 'bottom2'] as const

/** A field of a result as text; empty: the result does not have it. */
export function writeField(result: ResultShown, name: (typeof shownFields)[number]): string {
  const value = result[name]
  if (value === undefined) return ''
  return typeof value === 'string' ? value : value.toSorted().join(' ')
}
