// Reads one line of import text: a number and its amounts.

import type { BetTypeCode } from './bet-type-code.ts'
import { findDoors } from './doors.ts'
import { getEntryMode, makeEntryLines } from './entry-mode.ts'
import { findNoBet } from './import-no-bet.ts'
import { findUnknownSign, isPriceSign, NARROW_SPACE, toPlainText } from './import-prepare.ts'
import { MAX_LINE_SATANG, type SlipLine } from './slip.ts'
import { betTypeOfColumn, columnOfBetType, type StakeColumn } from './stake-column.ts'

export interface ImportOptions {
  /** The bet types the market offers. */
  offered: readonly BetTypeCode[]
  /**
   * Whether the second column of a 3-digit number means roll, as many people write in chats. Off unless the member
   * switches it on.
   */
  is_second_roll?: boolean
}

/** Why a line could not be read. */
export type ImportErrorCode =
  /** A digit that is neither Arabic nor Thai, or a sign with more than one meaning. */
  | 'unknown_digit'
  /** A price for the lines above: the line begins with = or *, or is an amount alone below numbers alone. */
  | 'price_line'
  /** The price may be in a line below. */
  | 'price_below'
  /** A date or a time. */
  | 'date_or_time'
  /** A telephone or account number. */
  | 'phone_or_account'
  /** A minus sign before a number or an amount. */
  | 'negative'
  /** An x that is not at the start, where it neither opens doors nor separates. */
  | 'misplaced_x'
  /** The line does not begin with a number. */
  | 'no_number'
  /** More than three digits. */
  | 'bad_number'
  /** Doors with neither one digit nor three. */
  | 'bad_doors'
  /** No amount above 0. */
  | 'no_amount'
  /** The first number may be a list index. */
  | 'list_index'
  /** Two bets in one line. */
  | 'two_bets'
  /** Several numbers before one price. */
  | 'several_numbers'
  /** Decimals or thousands, or an amount that begins with 0. */
  | 'unclear_amount'
  /** More amounts than there are columns. */
  | 'too_many_columns'
  /** More than 100 million Baht. */
  | 'amount_too_large'
  /** An amount in a column without a bet type in this market. */
  | 'column_not_offered'

export interface LineTrouble {
  code: ImportErrorCode
  /** Position of the error in the prepared line, from 1. */
  column: number
}

/** The bet of one line. */
export interface LineBet {
  /** The number with its x. */
  number: string
  /** One stake per column with an amount; doors make several items of it. */
  stakes: readonly Stake[]
  items: readonly SlipLine[]
}

export type Stake = Pick<SlipLine, 'bet_type' | 'bet_satang'>

/** The columns of a number of this length, in text order. */
export function importColumns(digits: number, is_second_roll: boolean): readonly StakeColumn[] {
  if (digits !== 3) return ['top', 'bottom', 'roll']
  return is_second_roll ? ['top', 'roll', 'bottom', 'front'] : ['top', 'bottom', 'roll', 'front']
}

function trouble(code: ImportErrorCode, index: number): LineTrouble {
  return { code, column: index + 1 }
}

/** Reads one prepared line that has no letter but x and is no ruler. */
export function readLine(prepared: string, options: ImportOptions): LineBet | LineTrouble {
  const unknown = findUnknownSign(prepared)
  if (unknown >= 0) return trouble('unknown_digit', unknown)
  if (isPriceSign(prepared)) return trouble('price_line', 0)
  const percent = prepared.indexOf('%')
  if (percent >= 0) return trouble('unclear_amount', percent)
  const noBet = findNoBet(prepared)
  if (noBet !== null) return trouble(noBet, 0)
  // Two or more dashes are an arrow.
  const minus = prepared.search(/(?<![-0-9])-(?=[0-9x])/)
  if (minus >= 0) return trouble('negative', minus)
  // Separators at either end are ignored. Error positions refer to the prepared line.
  const first = prepared.search(/[0-9x]/)
  const line = prepared.slice(0, findContentEnd(prepared))
  const isDoors = line[first] === 'x'
  const start = isDoors ? first + 1 : first
  const secondX = line.indexOf('x', start)
  if (secondX >= 0) return trouble('misplaced_x', secondX)

  const number = /^[0-9]*/.exec(line.slice(start))?.[0] as string
  if (number === '') return trouble('no_number', start)
  const doors = isDoors ? findDoors(number) : null
  if (isDoors && doors === null) return trouble('bad_doors', start)
  if (number.length > 3) return trouble('bad_number', start)

  const stakes = readStakes(
    line,
    start + number.length,
    number,
    doors === 'nineteen_doors' ? 2 : number.length,
    options,
  )
  if ('code' in stakes) return stakes
  if (doors === null) return { number, stakes, items: stakes.map((stake) => ({ ...stake, number })) }
  const byColumn = Object.fromEntries(stakes.map((stake) => [columnOfBetType(stake.bet_type), stake.bet_satang]))
  return { number: `x${number}`, stakes, items: makeEntryLines(getEntryMode(doors), number, {}, byColumn) }
}

/**
 * Position of the last digit or x of a line. A loop, because a regular expression anchored at the end would try every
 * position of a long line.
 */
function findContentEnd(line: string): number {
  let end = line.length
  while (end > 0 && !/[0-9x]/.test(line[end - 1] as string)) end -= 1
  return end
}

/** Reads the amounts from a position on, and finds the bet type of each amount above 0. */
function readStakes(
  line: string,
  from: number,
  number: string,
  digits: number,
  options: ImportOptions,
): readonly Stake[] | LineTrouble {
  const columns = importColumns(digits, options.is_second_roll === true)
  const amounts = findAmounts(line, from)
  if (amounts.length === 0) return trouble('no_amount', from)
  const unclear = findUnclearPart(line, number, from, amounts)
  if (unclear !== null) return unclear
  const extra = amounts[columns.length]
  if (extra !== undefined) return trouble('too_many_columns', extra.index)

  const stakes: Stake[] = []
  for (const [place, { index, baht }] of amounts.entries()) {
    if (baht === 0) continue
    const bet_satang = baht * 100
    if (bet_satang > MAX_LINE_SATANG) return trouble('amount_too_large', index)
    const bet_type = betTypeOfColumn(digits, columns[place] as StakeColumn)
    if (bet_type === null || !options.offered.includes(bet_type)) return trouble('column_not_offered', index)
    stakes.push({ bet_type, bet_satang })
  }
  return stakes.length === 0 ? trouble('no_amount', from) : stakes
}

interface Amount {
  baht: number
  /** Position and length in the line; a blank cell has no digits. */
  index: number
  length: number
  digits: string
}

/** The amounts after the number. In a line with TABs an empty cell or a "-" is an amount of 0. */
function findAmounts(line: string, from: number): readonly Amount[] {
  const amounts: Amount[] = []
  let cellStart = from
  for (const [place, cell] of line.slice(from).split('\t').entries()) {
    const blank = cell.trim()
    // The first cell directly follows the number and is no column if empty.
    if (place > 0 && (blank === '' || blank === '-'))
      amounts.push({ baht: 0, index: cellStart, length: cell.length, digits: '' })
    else
      for (const run of cell.matchAll(/[0-9]+/g))
        amounts.push({ baht: Number(run[0]), index: cellStart + run.index, length: run[0].length, digits: run[0] })
    cellStart += cell.length + 1
  }
  return amounts
}

/** The text between two parts of a line. */
interface Separator {
  text: string
  /** The signs without blanks and repeats. If it is only blanks: a TAB, a narrow space or a space. */
  kind: string
}

function separatorOf(text: string): Separator {
  if (text.length === 1) return { text, kind: text }
  const signs = text.replaceAll(/\s/g, '').replaceAll(/(.)\1+/gu, '$1')
  if (signs !== '') return { text, kind: signs }
  return { text, kind: ['\t', NARROW_SPACE].find((blank) => text.includes(blank)) ?? ' ' }
}

/** The first ambiguous part of a line, or null. */
function findUnclearPart(line: string, number: string, from: number, amounts: readonly Amount[]): LineTrouble | null {
  const separators = amounts.map(({ index }, place) => {
    const before = amounts[place - 1]
    return separatorOf(line.slice(before === undefined ? from : before.index + before.length, index))
  })
  const first = separators[0] as Separator
  const isUsual = separators.every(({ kind }) => kind === first.kind)
  const laterPrice = isUsual ? -1 : separators.findIndex(({ kind }, place) => place > 0 && /[=:]/.test(kind))
  const at = (place: number): number => amounts[place]?.index ?? from

  // The x of doors stands before a number, never before a list index.
  if (line[from - number.length - 1] !== 'x' && isListIndex(first.text, laterPrice > 0)) return trouble('list_index', 0)
  if (laterPrice > 0) return trouble(/[=:]/.test(first.kind) ? 'two_bets' : 'several_numbers', at(laterPrice - 1))
  const unclear = findUnclearAmount(separators, amounts, isUsual)
  if (unclear >= 0) return trouble('unclear_amount', unclear === 0 ? from : at(unclear - 1))
  if (isJoinedNumbers(number, separators, amounts)) return trouble('several_numbers', at(0))
  const second = findSecondBet(separators)
  return second < 0 ? null : trouble('two_bets', at(second - 1))
}

/** "1. 12=50", "1) 12 50", "(1) 12=50": the sign after the first number ends a list index. */
function isListIndex(separator: string, hasLaterPrice: boolean): boolean {
  if (!/^[.)\]}\s]+$/.test(separator)) return false
  return /[)\]}]|\.\s/.test(separator) || (hasLaterPrice && separator.includes('.'))
}

/**
 * The index of an ambiguous amount, or -1.
 * A sign or blank between two amounts may also belong to one amount: "12=10.50" is 10.50 Baht or 10 and 50, and "12=10
 * 500" is 10,500 or 10 and 500. It is a separator if the writer separates the whole line by it ("12.50.20", "12 100
 * 500"). A comma or blank before an amount without three digits is no thousands mark. A line such as "12,500" is a sum.
 * An amount that begins with 0 may be a number.
 */
function findUnclearAmount(separators: readonly Separator[], amounts: readonly Amount[], isUsual: boolean): number {
  const zero = amounts.findIndex(({ digits }) => digits.length > 1 && digits.startsWith('0'))
  if (zero >= 0) return zero
  const isSum =
    separators.every(({ text }) => text === separators[0]?.text && /^[.,'·_\u2009]$/.test(text)) &&
    amounts.every(({ digits }) => digits.length === 3)
  if (isSum || (separators.length === 1 && separators[0]?.text === '.')) return 0
  return separators.findIndex(({ text }, place) => {
    if (place === 0 || text.length !== 1) return false
    if (text === NARROW_SPACE) return true
    if (isUsual) return false
    return /^[.'·_]$/.test(text) || (/^[, ]$/.test(text) && amounts[place]?.digits.length === 3)
  })
}

/** "12-21*50", "12,21 50": numbers of one length, joined by a different sign than the one before the price. */
function isJoinedNumbers(number: string, separators: readonly Separator[], amounts: readonly Amount[]): boolean {
  const isJoining = ({ kind }: Separator): boolean => /^[-,/.;+|&]$/.test(kind)
  const price = separators.findIndex((separator) => !isJoining(separator))
  return price > 0 && amounts.slice(0, price).every(({ digits }) => digits.length === number.length)
}

/**
 * The index of the amount that begins a second bet, or -1: "12*50 13*50", "12 50, 13 50". A separator recurs after a
 * different one, or blanks appear beside signs.
 */
function findSecondBet(separators: readonly Separator[]): number {
  const ended = new Set<string>()
  for (const [place, { kind }] of separators.entries()) {
    const before = separators[place - 1]?.kind
    if (before === undefined || before === kind) continue
    if (ended.has(kind) || (place > 1 && (kind === ' ' || before === ' '))) return place
    ended.add(before)
  }
  return -1
}

/** Whether a single amount, such as a spreadsheet cell, has a decimal or thousands mark. Such an amount is refused. */
export function isUnclearAmount(text: string): boolean {
  return /[0-9][.,'·_ \u2009/][0-9]/.test(toPlainText(text))
}
