import {
  betTypeByCode,
  betTypeOfColumn,
  checkEntryInput,
  entryColumns,
  entryModes,
  expandEntry,
  getEntryMode,
  makeEntryLines,
  stakeColumns,
} from '@megalot/rules'
import type {
  BetTypeCode,
  ColumnStakes,
  EntryInputProblem,
  EntryModeCode,
  JubwinOptions,
  SlipLine,
  StakeColumn,
} from '@megalot/rules'
import { reverseNumber } from '../slip/slip-lines.ts'

// Turns the builder's choices into numbers, and with stakes into lines of the slip.

export type Digits = 1 | 2 | 3

/** How the numbers come about: typed, picked on the board, or by a mode of the rules' catalogue. */
export type EntryMethod = 'typed' | 'board' | EntryModeCode

export function entryMethodsOf(digits: Digits): readonly EntryMethod[] {
  return ['typed', 'board', ...entryModes.filter((mode) => mode.digits === digits).map(({ code }) => code)]
}

export interface Entry {
  digits: Digits
  method: EntryMethod
  /** Typed numbers, or the mode's input. */
  text: string
  picked: readonly string[]
  /** Typed and picked numbers read backwards as well. */
  isReversed: boolean
  options: JubwinOptions
}

export interface TypedNumbers {
  numbers: readonly string[]
  /** Typed numbers with a wrong number of digits. */
  unfit: readonly string[]
}

/** Whether a text holds numbers alone. Signs such as `=` and words such as "บน" say that amounts are among them. */
export function isNumberText(text: string): boolean {
  return /^[0-9\s,.;/|-]*$/.test(text)
}

/**
 * The numbers in a text, each once; none where it holds more than numbers. Anything but digits separates; digits without a gap are cut where a number is
 * complete, as "123456" for two numbers of three.
 */
export function readTypedNumbers(text: string, digits: Digits): TypedNumbers {
  if (!isNumberText(text)) return { numbers: [], unfit: [text.trim()] }
  const runs = text.match(/[0-9]+/g) ?? []
  const unfit = runs.filter((run) => run.length % digits !== 0)
  const numbers = runs
    .filter((run) => run.length % digits === 0)
    .flatMap((run) => run.match(new RegExp(`.{${digits}}`, 'g')) ?? [])
  return { numbers: [...new Set(numbers)], unfit }
}

function isMode(method: EntryMethod): method is EntryModeCode {
  return method !== 'typed' && method !== 'board'
}

function withReversed(numbers: readonly string[]): readonly string[] {
  return [...new Set(numbers.flatMap((number) => [number, reverseNumber(number) ?? number]))]
}

export function numbersOf({ digits, method, text, picked, isReversed, options }: Entry): readonly string[] {
  if (isMode(method)) return expandEntry(getEntryMode(method), text, options)
  const numbers = method === 'board' ? picked : readTypedNumbers(text, digits).numbers
  return isReversed ? withReversed(numbers) : numbers
}

/** The mode's columns for which the market has a bet type. */
export function columnsOf({ digits, method, options }: Entry, offered: readonly BetTypeCode[]): readonly StakeColumn[] {
  const columns = isMode(method) ? entryColumns(getEntryMode(method), options) : stakeColumns
  return columns.filter((column) => {
    const bet_type = betTypeOfColumn(digits, column)
    return bet_type !== null && offered.includes(bet_type)
  })
}

/** The lines of the entry; as with every mode, each multiset of digits is staked once in the roll column. */
export function linesOf(
  entry: Entry,
  stakes: ColumnStakes,
  columns: readonly StakeColumn[],
  numbers: readonly string[],
): readonly SlipLine[] {
  const ownStakes = Object.fromEntries(columns.map((column) => [column, stakes[column] ?? 0]))
  if (isMode(entry.method)) return makeEntryLines(getEntryMode(entry.method), entry.text, entry.options, ownStakes)
  return columns.flatMap((column) => {
    const bet_satang = ownStakes[column] ?? 0
    const bet_type = betTypeOfColumn(entry.digits, column)
    if (bet_satang === 0 || bet_type === null) return []
    const seen = new Set<string>()
    return numbers.flatMap((number) => {
      const key = betTypeByCode[bet_type].quotaKey(number)
      if (entry.isReversed && seen.has(key)) return []
      seen.add(key)
      return [{ bet_type, number, bet_satang }]
    })
  })
}

export type EntryProblem = EntryInputProblem | 'unfit_number' | 'no_number' | 'no_stake' | 'bad_amount'

/** Why nothing can be added yet; only the first reason. `stakes` is null where an amount cannot be read. */
export function problemOf(
  entry: Entry,
  stakes: ColumnStakes | null,
  columns: readonly StakeColumn[],
): EntryProblem | null {
  if (isMode(entry.method)) {
    const problem = checkEntryInput(getEntryMode(entry.method), entry.text)
    if (problem !== null) return problem
  } else if (entry.method === 'typed') {
    if (!isNumberText(entry.text)) return 'not_digits'
    const { numbers, unfit } = readTypedNumbers(entry.text, entry.digits)
    if (unfit.some((number) => number.length < entry.digits)) return 'too_few_digits'
    if (unfit.length > 0) return 'unfit_number'
    if (numbers.length === 0) return 'no_number'
  } else if (entry.picked.length === 0) return 'no_number'
  if (stakes === null) return 'bad_amount'
  return columns.some((column) => (stakes[column] ?? 0) > 0) ? null : 'no_stake'
}
