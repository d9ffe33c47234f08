// CSV as spreadsheets read it: a byte order mark for Thai, commas, quotes where they are needed.

const PLAIN_NUMBER = /^-?\d[\d,]*(\.\d+)?$/

/**
 * A cell's text that no spreadsheet takes for a formula: what begins like one gets an apostrophe, which spreadsheets show
 * as text. Numbers with a sign stay numbers.
 */
function toSafeText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
}

function toCell(text: string): string {
  const safe = toSafeText(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows of texts as a CSV file. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`
}
