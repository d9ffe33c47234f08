// The form of a package's terms: the draft, its changes and its problems.

import type { TermsChange } from '@megalot/contract'
import { boundOfReturn } from '@megalot/rules'
import type { ReturnBound } from '@megalot/rules'
import { readPercent, writePercent } from '../../people/share-rates.ts'
import { readBaht, writeBaht } from '../../people/amounts.ts'
import type { TermsOfPackage } from './queries.ts'
import { readRate, returnOf } from './return-of-terms.ts'

export type Terms = TermsOfPackage['terms'][number]

export interface TermsDraft {
  rate: string
  discount: string
  min: string
  max: string
  max_per_number: string
  is_on: boolean
}

export type TermsField = Exclude<keyof TermsDraft, 'is_on'>
export type TermsProblem = 'rate' | 'discount' | 'amount' | 'order' | 'refused'

export function draftOf(terms: Terms): TermsDraft {
  return {
    // A rate has hundredths as an amount has satang.
    rate: writeBaht(terms.rate),
    discount: writePercent(terms.discount_rate),
    min: writeBaht(terms.min_satang),
    max: writeBaht(terms.max_satang),
    max_per_number: writeBaht(terms.max_per_number_satang),
    is_on: terms.is_on,
  }
}

export interface ReadTerms {
  /** Differences from the terms in force; null without any, or with a problem. */
  change: TermsChange | null
  /** The theoretical return in hundredths of a percent; null where rate or discount is none. */
  return_rate: number | null
  /** The users who may set these terms. Terms that are off have no bound. */
  bound: ReturnBound
  problems: Partial<Record<TermsField, TermsProblem>>
}

/** Stake limits are whole Baht from 1. */
function readStake(text: string): number | null {
  const satang = readBaht(text)
  return satang === null || satang < 100 || satang % 100 !== 0 ? null : satang
}

export function readTerms(terms: Terms, draft: TermsDraft): ReadTerms {
  const rate = readRate(draft.rate)
  const discount_rate = readPercent(draft.discount, 1)
  const [min, max, most] = [readStake(draft.min), readStake(draft.max), readStake(draft.max_per_number)]
  const return_rate = rate === null || discount_rate === null ? null : returnOf(terms, rate, discount_rate)
  const bound = return_rate === null || !draft.is_on ? 'alone' : boundOfReturn(return_rate)
  const problems: ReadTerms['problems'] = {
    ...(rate === null ? { rate: 'rate' } : bound === 'refused' ? { rate: 'refused' } : {}),
    ...(discount_rate === null ? { discount: 'discount' } : {}),
    ...(min === null ? { min: 'amount' } : {}),
    ...(max === null ? { max: 'amount' } : min !== null && max < min ? { max: 'order' } : {}),
    ...(most === null ? { max_per_number: 'amount' } : max !== null && most < max ? { max_per_number: 'order' } : {}),
  }
  if (rate === null || discount_rate === null || min === null || max === null || most === null)
    return { change: null, return_rate, bound, problems }
  const now = {
    rate,
    discount_rate,
    min_satang: min,
    max_satang: max,
    max_per_number_satang: most,
    is_on: draft.is_on,
  }
  const changed = Object.entries(now).filter(([name, value]) => terms[name as keyof typeof now] !== value)
  const change: TermsChange | null =
    changed.length === 0 ? null : { bet_type: terms.bet_type, ...Object.fromEntries(changed) }
  return { change, return_rate, bound, problems }
}
