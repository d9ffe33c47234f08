// Prepares pasted text for the readers (§3 of the domain rules).
//
// Invisible characters go. Thai and full-width digits become 0-9. Signs that look alike become one sign. Every kind of line
// end is one. Decorated and foreign digits stay as they are, so that the reader can refuse them.

/** A line of the text as it was pasted, without its line end. */
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
/** The one space that stands for all narrow spaces. Writers put it between thousands, never between columns. */
export const NARROW_SPACE = '\u2009'

/**
 * Text without invisible characters, with Thai and full-width digits as 0-9 and look-alike signs as one sign. The case of x
 * is kept.
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

/** A line as the reader reads it: plain text, trimmed, with every kind of x as one. */
export function prepareLine(text: string): string {
  return toPlainText(text).replaceAll('X', 'x').trim()
}

/** Whether a prepared line, whose X is an x, holds another letter. */
export function hasLetter(line: string): boolean {
  return PLAIN.test(line) ? /[A-Za-wyz]/.test(line) : /[^\P{Alphabetic}x]/u.test(line)
}

/** Whether a prepared line is empty or a ruler: signs alone, as in "-----". */
export function isRuler(line: string): boolean {
  return !/[0-9x]/.test(line) && findUnknownSign(line) < 0
}

// Digits of other scripts and with decoration, marks on a character, control characters, signs for "cancelled", and
// pictures of an amount.
const UNKNOWN = /(?![0-9])\p{N}|(?!\t)[\p{M}\p{Cc}\p{Co}\p{Cs}\ufffd❌❎✗✘🚫⛔💯🔟]/u

/** The position of the first sign that the reader cannot read for certain, or -1. */
export function findUnknownSign(line: string): number {
  return PLAIN.test(line) ? -1 : line.search(UNKNOWN)
}

/** Whether a prepared line begins with the sign of a price, which belongs to numbers above it. */
export function isPriceSign(line: string): boolean {
  return /^[=*:@>→➜➡⇒]/.test(line)
}

/** Whether a line with letters names the price of other lines, as in "ตัวละ 50", "ราคา 50", "=50 ทุกตัว" and "50 บาท". */
export function namesPrice(line: string): boolean {
  return /(?:ละ|ราคา)(?:\s*[=*:])?\s*[0-9]|^[0-9*]{1,12}\s*(?:บาท|บ\.)|[0-9]\s*ทุก/.test(line)
}

const TOTAL_WORD = /รวม|ทั้งหมด|ยอด|total|sum/i

/** Whether a line with letters below a list of numbers may be their price: it holds one figure, which is no total. */
export function mayBePrice(line: string): boolean {
  return namesPrice(line) || (/^[^0-9]*[0-9]{1,6}[^0-9]*$/.test(line) && !TOTAL_WORD.test(line))
}

// Short forms count as a whole word only; the long ones also inside a word, as in "สองตัวบน".
const SHORT_COLUMN_WORD = /(?<![\p{L}\p{M}])(?:[บลตน]{1,3}|top|bottom|roll|tod|front|back|run)(?![\p{L}\p{M}])/iu
const LONG_COLUMN_WORD = /บน|ล่าง|โต๊ด|โต้ด|โตด|ตรง|เต็ง|วิ่ง|ลอย|กลับ|ชุด|หน้า|หลัง|ท้าย/

/** Whether a line with letters names a column or a price, which the lines below it may be meant for. */
export function isHeading(line: string): boolean {
  return LONG_COLUMN_WORD.test(line) || SHORT_COLUMN_WORD.test(line) || namesPrice(line)
}
