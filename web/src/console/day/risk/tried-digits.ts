// A result to try, as it is typed. An empty field is not tried; a field that is incomplete or wrong has a problem.

import type { BetTypeCode } from '@megalot/rules'
import type { TriedResult } from './queries.ts'

export interface TriedDigits {
  top3: string
  bottom2: string
  /** Two numbers: `381715`, `381 715` or `381,715`. */
  front3: string
  back3: string
}

export type TriedField = keyof TriedDigits

export const noTriedDigits: TriedDigits = { top3: '', bottom2: '', front3: '', back3: '' }

const forms = {
  top3: /^(\d{3})$/,
  bottom2: /^(\d{2})$/,
  front3: /^(\d{3})[\s,]*(\d{3})$/,
  back3: /^(\d{3})[\s,]*(\d{3})$/,
} as const satisfies Record<TriedField, RegExp>

/** The numbers that a market draws beside the top and bottom results. */
export function listExtraNumbers(bet_types: readonly BetTypeCode[]): readonly ('front3' | 'back3')[] {
  return [
    ...(bet_types.includes('3front') ? (['front3'] as const) : []),
    ...(bet_types.includes('3bottom') ? (['back3'] as const) : []),
  ]
}

/** The fields of a market's result, in the order of the form. */
export function listTriedFields(bet_types: readonly BetTypeCode[]): readonly TriedField[] {
  return ['top3', 'bottom2', ...listExtraNumbers(bet_types)]
}

export interface ReadTried {
  /** The request to the server: empty unless top and bottom results are given and no field has a problem. */
  result: TriedResult
  /** The fields that have something in them which is incomplete or wrong. */
  problems: readonly TriedField[]
}

/** Reads a typed result. Two numbers are sent as `381,715`, however they are separated. */
export function readTried(digits: TriedDigits, bet_types: readonly BetTypeCode[]): ReadTried {
  const filled = listTriedFields(bet_types)
    .map((name) => ({ name, text: digits[name].trim() }))
    .filter(({ text }) => text !== '')
  const reads = filled.map(({ name, text }) => ({ name, numbers: forms[name].exec(text)?.slice(1) }))
  const problems = reads.flatMap(({ name, numbers }) => (numbers === undefined ? [name] : []))
  const hasBoth = (['top3', 'bottom2'] as const).every((name) => filled.some((one) => one.name === name))
  if (problems.length > 0 || !hasBoth) return { result: {}, problems }
  return { result: Object.fromEntries(reads.map(({ name, numbers }) => [name, numbers!.join(',')])), problems }
}
