// CSV as spreadsheets read it: a byte order mark for Thai, commas, quotes where they are needed.

const PLAIN_NUMBER = /^-?\d[\d,]*(\.\d+)?$/

/** As in `server/src/lib/csv.ts`: after a semicolon begins another cell where these separate them. */
const FORMULA_BEGIN = /^(?=[\s\u200B]*[=+\-@＝＋－＠]|[\t\r])/
/** The same of cells and rows inside of a text, up to the sign. It repeats no line break: a text of many would take quadratic time. */
const INNER_FORMULA_BEGIN = /[;\n\r](?:[^\S\n\r]|[\u200B"])*(?=[=+\-@\t\r＝＋－＠])/g

/** Text that no spreadsheet reads as a separator or a quote. */
const PLAIN = /^[\p{L}\p{M}\p{N} ._:/+@()'%-]*$/u

/**
 * A cell's text that no spreadsheet takes for a formula: what begins like one gets an apostrophe, which spreadsheets show
 * as text. Numbers with a sign stay numbers.
 */
function toSafeText(text: string): string {
  return PLAIN_NUMBER.test(text) ? text : text.replace(INNER_FORMULA_BEGIN, "$&'").replace(FORMULA_BEGIN, "'")
}

function toCell(text: string): string {
  const safe = toSafeText(text)
  return PLAIN.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** Rows of texts as a CSV file. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`
}
