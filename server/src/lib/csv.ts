// CSV for spreadsheets: a byte order mark, so that Thai text is read as UTF-8, lines ended by CR LF, and no text that a
// spreadsheet would execute as a formula.

import type { Language } from '@megalot/contract'
import { bangkokTime } from './bangkok.ts'

/** A whole number, an amount in satang, an instant (ISO 8601), or text. */
export type Cell = string | number | { satang: number } | { instant: string } | null

const BYTE_ORDER_MARK = '\u{feff}'

/** @param rows headings first */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + writeCsvLines(rows)
}

/** As `writeCsv`, piece by piece. */
export async function* writeCsvPieces(
  headings: readonly string[],
  pieces: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(writeCsv([headings]))
  for await (const piece of pieces) yield Buffer.from(writeCsvLines(piece))
}

/** More lines of a file begun by `writeCsv`. */
export function writeCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return 'satang' in cell ? toBaht(cell.satang) : bangkokTime(cell.instant)
  if (isChanged(cell)) return `"=""${cell}"""`
  const text = cell.replace(INNER_FORMULA_BEGIN, "$&'").replace(FORMULA_BEGIN, "'")
  return PLAIN.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}

/**
 * Digits that begin with 0, end with a decimal 0 or are more than 15; powers of ten; fractions, dates and times; months
 * with a number.
 */
const CHANGED_FIGURE =
  /^(?:0\d+(?:\.\d+)?|\d+\.\d*0|\d{16,}|\d+(?:\.\d+)?e\d+|\d{1,4}[-/]\d{1,4}(?:[-/]\d{1,4})?|\d{1,2}:\d{2}(?::\d{2})?|true|false)$/i
const MONTH =
  'jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december'
const MONTH_WITH_NUMBER = new RegExp(`^(?:(?:${MONTH})[ -]?\\d{1,4}|\\d{1,4}[ -]?(?:${MONTH})(?:[ -]?\\d{1,4})?)$`, 'i')
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Whether a spreadsheet would convert the text to another figure or a date: `007` into 7, `0812345678` into 812345678,
 * `1E10` into 10,000,000,000, `dec01` into a day. Written as `="007"` it stays text.
 */
function isChanged(text: string): boolean {
  return (CHANGED_FIGURE.test(text) && !DAY.test(text)) || MONTH_WITH_NUMBER.test(text)
}

/**
 * Spreadsheets evaluate text that begins like this, so an apostrophe makes it text. Includes full-width signs, and
 * signs after white space, which some remove. Spreadsheets that use semicolons begin a cell after each of them, and a
 * row after each line break, despite quotes, and remove quotes after it.
 */
const FORMULA_BEGIN = /^(?=[\s\u200B]*[=+\-@＝＋－＠]|[\t\r])/
/** The same for cells and rows within a text, up to the sign. Does not repeat line breaks, to avoid quadratic time. */
const INNER_FORMULA_BEGIN = /[;\n\r](?:[^\S\n\r]|[\u200B"])*(?=[=+\-@\t\r＝＋－＠])/g

/** Characters that no spreadsheet treats as separator or quote. */
const PLAIN = /^[\p{L}\p{M}\p{N} ._:/+@()'%-]*$/u

/** Baht with two decimals, without separators. */
function toBaht(satang: number): string {
  const digits = String(Math.abs(satang)).padStart(3, '0')
  return `${satang < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A text in both languages. */
export type InBoth = Readonly<Record<Language, string>>
