// What is typed into the form of a list of numbers, and what it says.

import type { BodyOf, ListSetting, ListTarget, setNumberList } from '@megalot/contract'
import { MAX_LIST_NUMBERS } from '@megalot/contract'
import { betTypeByCode, type BetTypeCode, permuteNumber, readPastedNumbers } from '@megalot/rules'

export interface ListDraft {
  text: string
  /** Each number in every order of its digits. */
  isPermuted: boolean
  bet_types: readonly BetTypeCode[]
  /** Markets with a standing list, or periods. */
  targets: readonly string[]
  isStanding: boolean
  /** yyyy-mm-dd; empty: without end. */
  until_date: string
  set_to: ListSetting
  /** Whole Baht, as typed. */
  full_baht: string
  half_baht: string
}

export const emptyDraft: ListDraft = {
  text: '',
  isPermuted: false,
  bet_types: [],
  targets: [],
  isStanding: false,
  until_date: '',
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
}: Pick<ListDraft, 'text' | 'isPermuted' | 'bet_types'>): ReadNumbers {
  const { numbers, doubled, unknown } = readPastedNumbers(text)
  const digits = new Set(bet_types.map((bet_type) => betTypeByCode[bet_type].digits))
  const fits = (number: string): boolean => digits.size === 0 || digits.has(number.length)
  const fitting = numbers.filter(fits)
  return {
    numbers: isPermuted ? [...new Set(fitting.flatMap(permuteNumber))] : fitting,
    doubled,
    unknown,
    unfit: numbers.filter((number) => !fits(number)),
  }
}

/** What is missing from a draft, in the order of the form. */
export type MissingPart = 'numbers' | 'too_many' | 'bet_types' | 'targets' | 'amount'

export type ListContent = Omit<BodyOf<typeof setNumberList>, 'request_id' | 'preview' | 'reason'>

/** A draft as it is sent, or what it lacks. */
export function readDraft(draft: ListDraft): { content: ListContent } | { missing: MissingPart } {
  const { numbers } = readNumbers(draft)
  if (numbers.length === 0) return { missing: 'numbers' }
  if (numbers.length > MAX_LIST_NUMBERS) return { missing: 'too_many' }
  if (draft.bet_types.length === 0) return { missing: 'bet_types' }
  if (draft.targets.length === 0) return { missing: 'targets' }
  const isAmount = draft.set_to === 'amount'
  const full_satang = isAmount ? readBaht(draft.full_baht) : null
  const half_satang = isAmount ? readBaht(draft.half_baht) : null
  if (isAmount && (full_satang === null || half_satang === null)) return { missing: 'amount' }
  const value = { set_to: draft.set_to, full_satang, half_satang }
  return { content: { target: readTarget(draft), bet_types: [...draft.bet_types], numbers, value } }
}

function readTarget({ isStanding, targets, until_date }: ListDraft): ListTarget {
  if (!isStanding) return { period_codes: [...targets] }
  return { product_codes: [...targets], until_date: until_date === '' ? null : until_date }
}

const SATANG_PER_BAHT = 100

function readBaht(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) * SATANG_PER_BAHT : null
}
