// The catalogue of entry modes: short ways to write many numbers. Each mode expands the
// member's input to a list of numbers, in a fixed order without repeats. Screens list their shortcuts from it.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import { expandNineteenDoors, expandSixDoors } from './doors.ts'
import {
  chosenDigits,
  expandJubwin2,
  expandJubwin3,
  expandJubwinTwoTails,
  jubwinOptionCodes,
  type JubwinOptionCode,
  type JubwinOptions,
} from './jubwin.ts'
import {
  doubles,
  evenNumbers,
  expandFixBack,
  expandFixFront,
  highNumbers,
  lowNumbers,
  oddNumbers,
  siblings,
  triples,
} from './number-row.ts'
import type { SlipLine } from './slip.ts'
import { betTypeOfColumn, stakeColumns, type ColumnStakes, type StakeColumn } from './stake-column.ts'

export const entryModeCodes = [
  'six_doors',
  'nineteen_doors',
  'fix_front',
  'fix_back',
  'double',
  'triple',
  'siblings',
  'low',
  'high',
  'odd',
  'even',
  'jubwin_2d',
  'jubwin_3d',
  'jubwin_3d_two_tails',
] as const
export type EntryModeCode = (typeof entryModeCodes)[number]

/**
 * The member's input: nothing, a number with a fixed count of digits in order, or a set of digits. In a set, repeats
 * and order do not matter, and `digits` is the least count of different ones.
 */
export type EntryInput =
  | { readonly kind: 'none'; readonly digits: 0 }
  | { readonly kind: 'number'; readonly digits: 1 | 3 }
  | { readonly kind: 'digit_set'; readonly digits: 2 | 3 }

export interface EntryMode {
  readonly code: EntryModeCode
  readonly name_th: string
  readonly name_en: string
  readonly input: EntryInput
  /** Length of the generated numbers. */
  readonly digits: 2 | 3
  /** The columns that take stakes; with the `roll` option only `roll`. */
  readonly columns: readonly StakeColumn[]
  readonly options: readonly JubwinOptionCode[]
  /** The numbers of an input. Expects an input that `checkEntryInput` accepts. */
  readonly makeNumbers: (input: string, options: JubwinOptions) => readonly string[]
}

const columns2: readonly StakeColumn[] = ['top', 'bottom', 'roll']
const columns3: readonly StakeColumn[] = stakeColumns
const jubwin2Options: readonly JubwinOptionCode[] = ['roll', 'double']
const noInput = { kind: 'none', digits: 0 } as const
const oneDigit = { kind: 'number', digits: 1 } as const

/** A mode whose numbers are always the same. */
function fixedRow(
  code: EntryModeCode,
  name_th: string,
  name_en: string,
  digits: 2 | 3,
  numbers: readonly string[],
): EntryMode {
  const columns = digits === 2 ? columns2 : columns3
  const makeNumbers = () => numbers
  return { code, name_th, name_en, input: noInput, digits, columns, options: [], makeNumbers }
}

/** Every entry mode, in the order screens list them. */
export const entryModes: readonly EntryMode[] = [
  {
    code: 'six_doors',
    name_th: '6 ประตู',
    name_en: '6 doors',
    input: { kind: 'number', digits: 3 },
    digits: 3,
    columns: columns3,
    options: [],
    makeNumbers: expandSixDoors,
  },
  {
    code: 'nineteen_doors',
    name_th: '19 ประตู',
    name_en: '19 doors',
    input: oneDigit,
    digits: 2,
    columns: columns2,
    options: [],
    makeNumbers: expandNineteenDoors,
  },
  {
    code: 'fix_front',
    name_th: 'รูดหน้า',
    name_en: 'Fix front',
    input: oneDigit,
    digits: 2,
    columns: ['top', 'bottom'],
    options: [],
    makeNumbers: expandFixFront,
  },
  {
    code: 'fix_back',
    name_th: 'รูดหลัง',
    name_en: 'Fix back',
    input: oneDigit,
    digits: 2,
    columns: ['top', 'bottom'],
    options: [],
    makeNumbers: expandFixBack,
  },
  fixedRow('double', 'เบิ้ล', 'Double', 2, doubles),
  fixedRow('triple', 'ตอง', 'Triple', 3, triples),
  fixedRow('siblings', 'พี่น้อง', 'Siblings', 2, siblings),
  fixedRow('low', 'ต่ำ', 'Low', 2, lowNumbers),
  fixedRow('high', 'สูง', 'High', 2, highNumbers),
  fixedRow('odd', 'คี่', 'Odd', 2, oddNumbers),
  fixedRow('even', 'คู่', 'Even', 2, evenNumbers),
  {
    code: 'jubwin_2d',
    name_th: 'จับวิน 2 ตัว',
    name_en: 'Jubwin 2D',
    input: { kind: 'digit_set', digits: 2 },
    digits: 2,
    columns: columns2,
    options: jubwin2Options,
    makeNumbers: expandJubwin2,
  },
  {
    code: 'jubwin_3d',
    name_th: 'จับวิน 3 ตัว',
    name_en: 'Jubwin 3D',
    input: { kind: 'digit_set', digits: 3 },
    digits: 3,
    columns: columns3,
    options: jubwinOptionCodes,
    makeNumbers: expandJubwin3,
  },
  {
    code: 'jubwin_3d_two_tails',
    name_th: 'จับวิน 3 ตัว 2 หาง',
    name_en: 'Jubwin 3D two-tails',
    input: { kind: 'digit_set', digits: 3 },
    digits: 3,
    columns: columns3,
    options: jubwinOptionCodes,
    makeNumbers: expandJubwinTwoTails,
  },
]

/** The entry mode of a code. */
export function getEntryMode(code: EntryModeCode): EntryMode {
  return entryModes.find((mode) => mode.code === code) as EntryMode
}

/** Why an input is refused; only the first problem is returned. */
export type EntryInputProblem = 'not_digits' | 'too_few_digits' | 'too_many_digits'

/** Checks an input for a mode; `null` if it fits. A mode without input accepts only the empty text. */
export function checkEntryInput(mode: EntryMode, input: string): EntryInputProblem | null {
  if (!/^[0-9]*$/.test(input)) return 'not_digits'
  const { kind, digits } = mode.input
  const given = kind === 'digit_set' ? chosenDigits(input).length : input.length
  if (given < digits) return 'too_few_digits'
  return kind !== 'digit_set' && given > digits ? 'too_many_digits' : null
}

/** Drops options that the mode does not have. */
function ownOptions(mode: EntryMode, options: JubwinOptions): JubwinOptions {
  return Object.fromEntries(mode.options.map((code) => [code, options[code] === true]))
}

/** The numbers of an entry, without repeats, in its mode's order; empty if the input does not fit. */
export function expandEntry(mode: EntryMode, input: string, options: JubwinOptions = {}): readonly string[] {
  return checkEntryInput(mode, input) === null ? mode.makeNumbers(input, ownOptions(mode, options)) : []
}

/** The columns an entry can stake on: its mode's, or only `roll` with the `roll` option. */
export function entryColumns(mode: EntryMode, options: JubwinOptions = {}): readonly StakeColumn[] {
  return ownOptions(mode, options).roll === true ? ['roll'] : mode.columns
}

function hasStakeIn(stakes: ColumnStakes, column: StakeColumn): boolean {
  return (stakes[column] ?? 0) > 0
}

/**
 * The lines of an entry: its numbers in every column with a stake, column by column. The roll column stakes each
 * multiset of digits once, in ascending digits, even if the mode lists several orders. Otherwise one draw would pay the
 * same choice several times. Stakes in other columns are left out.
 */
export function makeEntryLines(
  mode: EntryMode,
  input: string,
  options: JubwinOptions,
  stakes: ColumnStakes,
): readonly SlipLine[] {
  const numbers = expandEntry(mode, input, options)
  return entryColumns(mode, options).flatMap((column) => {
    if (!hasStakeIn(stakes, column)) return []
    // Two and three digits have a bet type in every column of their modes.
    const bet_type = betTypeOfColumn(mode.digits, column) as BetTypeCode
    const bet_satang = stakes[column] as number
    // Only rolls share keys between numbers.
    const staked = new Set(numbers.map(betTypeByCode[bet_type].quotaKey))
    return Array.from(staked, (number) => ({ bet_type, number, bet_satang }))
  })
}
