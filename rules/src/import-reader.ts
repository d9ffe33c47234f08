// Reading numbers and stakes from text that a member pastes from a chat or a spreadsheet (§3 of the domain rules).
//
//   prepare   NFKC; Thai digits become 0-9; × ✕ X become x; CRLF becomes LF; lines are trimmed, empty ones skipped
//   drop      a line with any letter other than x is dropped, and the member sees it in a list
//   line      [ "x" ] number sep amount { sep amount }
//   number    1 to 3 digits; after a leading x exactly 1 (19 doors) or 3 (6 doors)
//   sep       one or more characters that are no digit, letter or x; at either end of a line it separates nothing
//   refused   amounts that can be read in two ways: decimals (10.50) and thousands (1,000)
//   columns   top, bottom, roll, and front for three digits; what is missing is 0
//   blank     0; in a line with TABs also an empty cell or "-"
//
//   12=50*50 → 2top 50, 2bottom 50       123 100 0 100 → 3top 100, 3roll 100       x5=20*20 → 38 lines
//
// Amounts are whole Baht. Reading is one pass over the text: its time is proportional to the length, whatever the text
// holds.

import type { BetTypeCode } from './bet-type-code.ts'
import { findDoors } from './doors.ts'
import { getEntryMode, makeEntryLines } from './entry-mode.ts'
import { MAX_LINE_SATANG, type SlipLine } from './slip.ts'
import { betTypeOfColumn, columnOfBetType, type StakeColumn } from './stake-column.ts'

/**
 * The longest text that is read; about 20,000 lines. Longer text is refused as a whole, so that no line is dropped
 * silently.
 */
export const MAX_IMPORT_CHARACTERS = 300_000

/** The most slip lines one text may make; doors multiply lines, and no real ticket reaches this. */
export const MAX_IMPORT_ITEMS = 50_000

export interface ImportOptions {
  /** The bet types the market offers. */
  offered: readonly BetTypeCode[]
  /**
   * Whether the second column of a 3-digit number means roll, as many write in chats. Off unless the member switches it
   * on.
   */
  is_second_roll?: boolean
}

/** Why a line could not be read. */
export type ImportErrorCode =
  /** A digit of a script that is neither Arabic nor Thai. */
  | 'unknown_digit'
  /** An x anywhere but at the start: there it neither opens doors nor separates. */
  | 'misplaced_x'
  /** The line does not begin with a number. */
  | 'no_number'
  /** More than three digits. */
  | 'bad_number'
  /** Doors of neither one digit nor three. */
  | 'bad_doors'
  /** No amount, or none above 0. */
  | 'no_amount'
  /** A dot or a comma that may be part of an amount (10.50, 1,000) or may separate two amounts. */
  | 'unclear_amount'
  /** More amounts than there are columns. */
  | 'too_many_columns'
  /** More than 100 million Baht. */
  | 'amount_too_large'
  /** An amount in a column for which the market has no bet type. */
  | 'column_not_offered'

export interface ImportError {
  code: ImportErrorCode
  /** Counted from 1, empty lines included. */
  line_no: number
  /** The position in `text` where the error begins, counted from 1. */
  column: number
  /** The line as it was prepared for reading. */
  text: string
}

export interface DroppedLine {
  line_no: number
  /** The line as it was pasted, trimmed. */
  text: string
}

export interface ImportResult {
  /** Why the whole text was refused; then there are no items, dropped lines or errors. */
  problem: 'text_too_long' | 'too_many_items' | null
  /** Lines that are not empty: those that made items, those dropped and those in error. */
  lines_read: number
  items: readonly SlipLine[]
  dropped: readonly DroppedLine[]
  errors: readonly ImportError[]
}

/** The columns of a number of this length, in the order in which text holds them. */
export function importColumns(digits: number, is_second_roll: boolean): readonly StakeColumn[] {
  if (digits !== 3) return ['top', 'bottom', 'roll']
  return is_second_roll ? ['top', 'roll', 'bottom', 'front'] : ['top', 'bottom', 'roll', 'front']
}

/**
 * Reads pasted text. Never throws, whatever the text holds; each line either makes items, is dropped, or is in error with
 * the first thing wrong in it.
 */
export function readImportText(text: string, options: ImportOptions): ImportResult {
  if (text.length > MAX_IMPORT_CHARACTERS) return refuse('text_too_long')
  const items: SlipLine[] = []
  const dropped: DroppedLine[] = []
  const errors: ImportError[] = []
  let lines_read = 0
  for (const [index, pasted] of text.split('\n').entries()) {
    const line = prepareLine(pasted)
    if (line === '') continue
    lines_read += 1
    if (/[^\P{L}x]/u.test(line)) {
      dropped.push({ line_no: index + 1, text: pasted.trim() })
      continue
    }
    const read = readLine(line, options)
    if ('code' in read) errors.push({ ...read, line_no: index + 1, text: line })
    else items.push(...read.items)
    if (items.length > MAX_IMPORT_ITEMS) return refuse('too_many_items')
  }
  return { problem: null, lines_read, items, dropped, errors }
}

function refuse(problem: 'text_too_long' | 'too_many_items'): ImportResult {
  return { problem, lines_read: 0, items: [], dropped: [], errors: [] }
}

function prepareLine(pasted: string): string {
  // Most lines are plain text: only the others need normalising.
  const line = /^[\0-\x7f]*$/.test(pasted)
    ? pasted
    : pasted
        .normalize('NFKC')
        .replaceAll(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))
        .replaceAll(/[×✕]/g, 'x')
  return line.replaceAll('X', 'x').trim()
}

type LineTrouble = Pick<ImportError, 'code' | 'column'>

function trouble(code: ImportErrorCode, index: number): LineTrouble {
  return { code, column: index + 1 }
}

/** Reads one prepared line that holds no letter but x. */
function readLine(prepared: string, options: ImportOptions): { items: readonly SlipLine[] } | LineTrouble {
  const unknownDigit = prepared.search(/(?![0-9])\p{N}/u)
  if (unknownDigit >= 0) return trouble('unknown_digit', unknownDigit)
  // Separators at either end are ignored. Error positions refer to the prepared line.
  const first = prepared.search(/[0-9x]/)
  if (first < 0) return trouble('no_number', 0)
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

  const digits = doors === 'nineteen_doors' ? 2 : number.length
  const stakes = readStakes(line, start + number.length, digits, options)
  if ('code' in stakes) return stakes
  if (doors === null) return { items: stakes.map((stake) => ({ ...stake, number })) }
  const byColumn = Object.fromEntries(stakes.map((stake) => [columnOfBetType(stake.bet_type), stake.bet_satang]))
  return { items: makeEntryLines(getEntryMode(doors), number, {}, byColumn) }
}

/**
 * The position of the last digit or x of a line. A loop: an expression anchored at the end would try every position of
 * a long line.
 */
function findContentEnd(line: string): number {
  let end = line.length
  while (end > 0 && !/[0-9x]/.test(line[end - 1] as string)) end -= 1
  return end
}

type Stake = Pick<SlipLine, 'bet_type' | 'bet_satang'>

/** Reads the amounts from a position on, and finds the bet type of each one above 0. */
function readStakes(
  line: string,
  from: number,
  digits: number,
  options: ImportOptions,
): readonly Stake[] | LineTrouble {
  const columns = importColumns(digits, options.is_second_roll === true)
  const amounts = findAmounts(line, from)
  if (amounts.length === 0) return trouble('no_amount', from)
  const unclear = findUnclearAmount(line, from, amounts)
  if (unclear !== null) return trouble('unclear_amount', unclear)
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
  /** Its position and length in the line. */
  index: number
  length: number
}

/** The amounts behind the number. In a line with TABs an empty cell or a "-" is an amount of 0. */
function findAmounts(line: string, from: number): readonly Amount[] {
  const amounts: Amount[] = []
  let cellStart = from
  for (const [place, cell] of line.slice(from).split('\t').entries()) {
    const blank = cell.trim()
    // The first cell is what follows the number directly: it is no column when it is empty.
    if (place > 0 && (blank === '' || blank === '-')) amounts.push({ baht: 0, index: cellStart, length: cell.length })
    else
      for (const run of cell.matchAll(/[0-9]+/g))
        amounts.push({ baht: Number(run[0]), index: cellStart + run.index, length: run[0].length })
    cellStart += cell.length + 1
  }
  return amounts
}

/**
 * The position of an amount that can be read in two ways, or null.
 *
 * A lone dot or comma between two amounts may also belong to one amount: "12=10.50" is 10.50 Baht or 10 and 50, and
 * "12=1,000" is a thousand or 1 and nothing. It is a separator where the writer separates the whole line by it
 * ("12.10.50", "12,20,30"). An amount of zeros alone ("000") never fills a column, but is the end of an amount. A comma
 * before an amount that does not have three digits is no thousands mark. "½" is a fraction.
 */
function findUnclearAmount(line: string, from: number, amounts: readonly Amount[]): number | null {
  const separators = amounts.map(({ index }, place) => {
    const before = amounts[place - 1]
    return line.slice(before === undefined ? from : before.index + before.length, index)
  })
  const usual = separators[0]
  const isUsual = separators.every((separator) => separator === usual)
  for (const [place, separator] of separators.entries()) {
    const { index, length } = amounts[place] as Amount
    const isZeros = length > 1 && /^0+$/.test(line.slice(index, index + length))
    const isSplit =
      ((separator === '.' || separator === ',') && isZeros) ||
      (place > 0 && !isUsual && (separator === '.' || (separator === ',' && length === 3))) ||
      separator === FRACTION_SLASH
    if (isSplit) return amounts[place - 1]?.index ?? from
  }
  return null
}

/** The character between the digits of "½" after NFKC. */
const FRACTION_SLASH = '\u2044'

/**
 * Whether a single amount, such as the cell of a spreadsheet, holds a decimal or thousands mark; such an amount is
 * refused.
 */
export function isUnclearAmount(text: string): boolean {
  return /[0-9][.,\u2044][0-9]/.test(text.normalize('NFKC'))
}
