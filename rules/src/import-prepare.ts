// Prepares pasted text for the readers.
// Removes invisible characters, converts Thai and full-width digits to 0-9, and unifies look-alike signs and line ends.
// Decorated and foreign digits are kept, so that the reader can refuse them.

/** A line of the pasted text, without its line end. */
export interface PastedLine {
  text: string
  /** The positions in the whole text, in UTF-16 units. */
  start: number
  end: number
}

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/** The lines of a text. */
export function splitLines(text: string): readonly PastedLine[] {
  const lines: PastedLine[] = []
  let start = 0
  for (const { index, 0: lineEnd } of text.matchAll(LINE_END)) {
    lines.push({ text: text.slice(start, index), start, end: index })
    start = index + lineEnd.length
  }
  lines.push({ text: text.slice(start), start, end: text.length })
  return lines
}

const PLAIN = /^[\t\u0020-\u007e]*$/
// Format characters, variation selectors, the keycap mark and the combining grapheme joiner.
const INVISIBLE = /[\p{Cf}\u034f\u180b-\u180d\u20e3\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
/** Represents all narrow spaces. Writers put them between thousands, never between columns. */
export const NARROW_SPACE = '\u2009'

/**
 * Text without invisible characters, with Thai and full-width digits as 0-9 and look-alike signs unified. Keeps the
 * case of x.
 */
export function toPlainText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))
    .replaceAll(/[\u2000-\u200a\u202f\u205f]/g, NARROW_SPACE)
    .replaceAll(/[\u00a0\u1680\u3000]/g, ' ')
    .replaceAll(/[×✕✖⨯⨉]/g, 'x')
    .replaceAll(/[\p{Pd}−]/gu, '-')
    .replaceAll(/[∗⁎✱﹡]/g, '*')
    .replaceAll(/[﹦꞊]/g, '=')
    .replaceAll(/[∶꞉﹕]/g, ':')
    .replaceAll(/[⁄∕]/g, '/')
    .replaceAll(/[‚،﹐]/g, ',')
    .replaceAll(/[․﹒]/g, '.')
    .replaceAll(/[’‘ʼ′´`]/g, "'")
}

/** A line as the reader expects it: plain text, trimmed, with every kind of x unified. */
export function prepareLine(text: string): string {
  return toPlainText(text).replaceAll('X', 'x').trim()
}

/** Whether a prepared line has a letter other than x. */
export function hasLetter(line: string): boolean {
  return PLAIN.test(line) ? /[A-Za-wyz]/.test(line) : /[^\P{Alphabetic}x]/u.test(line)
}

/** Whether a prepared line is empty or a ruler: only signs, as in "-----". */
export function isRuler(line: string): boolean {
  return !/[0-9x]/.test(line) && findUnknownSign(line) < 0
}

// Digits of other scripts and with decoration, marks on a character, control characters, signs for "cancelled", and
// pictures of an amount.
const UNKNOWN = /(?![0-9])\p{N}|(?!\t)[\p{M}\p{Cc}\p{Co}\p{Cs}\ufffd❌❎✗✘🚫⛔💯🔟]/u

/** The position of the first sign that the reader cannot interpret safely, or -1. */
export function findUnknownSign(line: string): number {
  return PLAIN.test(line) ? -1 : line.search(UNKNOWN)
}

/** Whether a prepared line begins with a price sign, which belongs to numbers above it. */
export function isPriceSign(line: string): boolean {
  return /^[=*:@>→➜➡⇒]/.test(line)
}

/**
 * Whether a line with letters gives the price of other lines, as in "ตัวละ 50", "ราคา 50", "=50 ทุกตัว" and "50 บาท".
 */
export function namesPrice(line: string): boolean {
  return /(?:ละ|ราคา)(?:\s*[=*:])?\s*[0-9]|^[0-9*]{1,12}\s*(?:บาท|บ\.)|[0-9]\s*ทุก/.test(line)
}

const TOTAL_WORD = /รวม|ทั้งหมด|ยอด|total|sum/i

/** Whether a line with letters below a list of numbers may be their price: it has one figure, which is no total. */
export function mayBePrice(line: string): boolean {
  return namesPrice(line) || (/^[^0-9]*[0-9]{1,6}[^0-9]*$/.test(line) && !TOTAL_WORD.test(line))
}

// Short forms match whole words only; long ones also inside a word, as in "สองตัวบน".
const SHORT_COLUMN_WORD = /(?<![\p{L}\p{M}])(?:[บลตน]{1,3}|top|bottom|roll|tod|front|back|run)(?![\p{L}\p{M}])/iu
const LONG_COLUMN_WORD = /บน|ล่าง|โต๊ด|โต้ด|โตด|ตรง|เต็ง|วิ่ง|ลอย|กลับ|ชุด|หน้า|หลัง|ท้าย/

/** Whether a line with letters names a column or a price that may apply to the lines below it. */
export function isHeading(line: string): boolean {
  return LONG_COLUMN_WORD.test(line) || SHORT_COLUMN_WORD.test(line) || namesPrice(line)
}
