// Reads numbers and stakes from text that a member pastes from a chat or a spreadsheet. A line is
// read as its writer meant it, or refused with a reason. It is never read as another bet.
//
//   prepare   import-prepare.ts; an empty line and a ruler such as "-----" are skipped
//   drop      a line with any letter other than x is dropped, and the member sees it in a list
//   line      [ "x" ] number sep amount { sep amount }
//   number    1 to 3 digits; after a leading x exactly 1 (19 doors) or 3 (6 doors)
//   sep       one or more characters that are no digit, letter or x; at either end of a line it separates nothing
//   columns   top, bottom, roll, and front for three digits; what is missing is 0
//   blank     0; in a line with TABs also an empty cell or "-"
//   refused   each `ImportErrorCode` of import-line.ts
//
//   12=50*50 → 2top 50, 2bottom 50       123 100 0 100 → 3top 100, 3roll 100       x5=20*20 → 38 items
//
// Amounts are whole Baht. Reading time is proportional to the length of the text.

import { readLine, type ImportErrorCode, type ImportOptions, type LineBet, type LineTrouble } from './import-line.ts'
import { hasLetter, isHeading, isPriceSign, isRuler, mayBePrice, prepareLine, splitLines } from './import-prepare.ts'
import type { SlipLine } from './slip.ts'

export { importColumns, isUnclearAmount } from './import-line.ts'
export type { ImportErrorCode, ImportOptions, Stake } from './import-line.ts'

/**
 * Maximum length of a text; about 20,000 lines. Longer text is refused as a whole, so that no line is silently dropped.
 */
export const MAX_IMPORT_CHARACTERS = 300_000

/** Maximum items of a text. Doors multiply items; no real ticket reaches this. */
export const MAX_IMPORT_ITEMS = 50_000

/** A line that is not skipped, and its position in the text. */
interface ImportLine {
  /** Counted from 1, including empty lines. */
  line_no: number
  /** Start and end of the line in the pasted text, in UTF-16 units. */
  start: number
  end: number
}

/** A line with its bet. */
export type BetLine = ImportLine & LineBet

export interface ImportError extends ImportLine, LineTrouble {
  /** The prepared line. */
  text: string
}

export interface DroppedLine extends ImportLine {
  /** The pasted line, trimmed. */
  text: string
  /** Whether the line names a column or a price that may have been meant for the lines below it. */
  is_heading: boolean
}

export interface ImportResult {
  /** Why the whole text was refused; then there are no bets, dropped lines or errors. */
  problem: 'text_too_long' | 'too_many_items' | null
  /** Lines that are neither empty nor rulers: bets, dropped lines and errors. */
  lines_read: number
  bets: readonly BetLine[]
  /** The items of all bets, in order. */
  items: readonly SlipLine[]
  dropped: readonly DroppedLine[]
  errors: readonly ImportError[]
}

/** Reads pasted text. Never throws. Each line bets, is dropped, or is an error with its first problem. */
export function readImportText(text: string, options: ImportOptions): ImportResult {
  if (text.length > MAX_IMPORT_CHARACTERS) return refuse('text_too_long')
  const lines: ReadLine[] = []
  let count = 0
  for (const [index, { text: pasted, start, end }] of splitLines(text).entries()) {
    const prepared = prepareLine(pasted)
    const isDropped = hasLetter(prepared)
    if (!isDropped && isRuler(prepared)) continue
    const read = isDropped ? null : readLine(prepared, options)
    lines.push({ line_no: index + 1, start, end, text: prepared, read })
    if (read !== null && 'items' in read) count += read.items.length
    if (count > MAX_IMPORT_ITEMS) return refuse('too_many_items')
  }
  refusePricesBelow(lines)
  refuseListIndexes(lines)
  return toResult(text, lines)
}

function toResult(pasted: string, lines: readonly ReadLine[]): ImportResult {
  const bets: BetLine[] = []
  const dropped: DroppedLine[] = []
  const errors: ImportError[] = []
  for (const { read, text, ...place } of lines) {
    if (read === null)
      dropped.push({ ...place, text: pasted.slice(place.start, place.end).trim(), is_heading: isHeading(text) })
    else if ('items' in read) bets.push({ ...place, ...read })
    else errors.push({ ...place, text, ...read })
  }
  const items = bets.flatMap((bet) => bet.items)
  return { problem: null, lines_read: lines.length, bets, items, dropped, errors }
}

function refuse(problem: 'text_too_long' | 'too_many_items'): ImportResult {
  return { problem, lines_read: 0, bets: [], items: [], dropped: [], errors: [] }
}

interface ReadLine extends ImportLine {
  /** The prepared line. */
  text: string
  /** `null` for a dropped line. */
  read: LineBet | LineTrouble | null
}

function isBet({ read }: ReadLine): boolean {
  return read !== null && 'items' in read
}

function refuseLine(line: ReadLine, code: ImportErrorCode): void {
  line.read = { code, column: 1 }
}

/**
 * A price below numbers belongs to all of them. Refuses the lines above it, up to one with its own price:
 *
 *   12 21          12           12 21          12 21
 *   =50            50*50        50*50          ตัวละ 50
 */
function refusePricesBelow(lines: readonly ReadLine[]): void {
  // Dropped lines do not separate numbers from their price.
  const above: ReadLine[] = []
  for (const line of lines) {
    const last = above.at(-1)
    if (last !== undefined && isPrice(line, last)) {
      if (line.read !== null) refuseLine(line, 'price_line')
      for (let at = above.length - 1; at >= 0; at -= 1) {
        const one = above[at] as ReadLine
        if (!isBet(one) || (one !== last && /[=*:]/.test(one.text))) break
        refuseLine(one, 'price_below')
      }
    }
    if (line.read !== null) above.push(line)
  }
}

/** Whether a line may be the price of the lines above it; `last` is the nearest. */
function isPrice(line: ReadLine, last: ReadLine): boolean {
  const { text, read } = line
  if (read === null) return mayBePrice(text) && isNumberList(last)
  if (isPriceSign(text)) return true
  if (/[=:\t]/.test(text)) return false
  if (!isBet(line) && !isBet(last)) return false
  // One figure, as in "50", "50.-" and "50฿", or one before a sign, as in "50*50".
  if (/^[^\p{N}x]*\p{N}+(?:\s*\*|[^\p{N}x]*$)/u.test(text) && isNumberList(last)) return true
  // Only numbers, or more of them than there are columns.
  return !isBet(last) && (/^\p{N}+$/u.test(last.text) || codeOf(last) === 'too_many_columns')
}

function codeOf({ read }: ReadLine): ImportErrorCode | null {
  return read !== null && 'code' in read ? read.code : null
}

/** Numbers of one length without a price sign, whose later ones may be amounts. */
function isNumberList({ text }: ReadLine): boolean {
  const lengths = new Set(text.match(/\p{N}+/gu)?.map((number) => [...number].length))
  return !/[=*:\tx]/.test(text) && lengths.size === 1
}

/**
 * Refuses list indexes, as in "1 12 50", "2 13 50": 1, 2, …, each before a number and its amounts. Lines of another
 * form advance the count too.
 */
function refuseListIndexes(lines: readonly ReadLine[]): void {
  let list: ReadLine[] = []
  let next = 1
  const finish = (): void => {
    // If all second parts are equal, they may be one amount on several numbers.
    if (new Set(list.map(({ text }) => LIST_LINE.exec(text)?.[2])).size < 2) return
    for (const line of list) if (isBet(line)) refuseLine(line, 'list_index')
  }
  for (const line of lines) {
    const index = Number(line.read === null ? undefined : LIST_LINE.exec(line.text)?.[1])
    if (index === 1 || (index >= 0 && index !== next)) {
      finish()
      list = []
      next = index === 1 ? 1 : Infinity
    }
    if (index === next) list.push(line)
    next += 1
  }
  finish()
}

const LIST_LINE = /^([0-9]{1,3})[^0-9=*x]{1,4}([0-9]+)[^0-9]+[0-9]/
