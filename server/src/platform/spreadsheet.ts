// A spreadsheet (XLSX), written row by row: memory stays the same for any number of rows. Text is never read as a formula.

import { writeXlsxStream } from 'hucre/xlsx'
import type { Cell } from './csv.ts'

export interface SheetColumn {
  heading: string
  /** Baht, with two decimals. */
  isMoney?: boolean
}

/**
 * The bytes of a workbook. The first row holds the headings; more rows than a sheet can have are continued in a second one.
 * @param name of the sheet: at most 31 characters, none of `\ / ? * [ ] :`
 */
export function writeXlsx(
  name: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncIterable<Uint8Array> {
  return writeXlsxStream(sheetRows(rows), {
    name,
    columns: columns.map(({ heading, isMoney }) => ({
      header: heading,
      width: isMoney ? 16 : 22,
      ...(isMoney ? { numFmt: '#,##0.00' } : {}),
    })),
    freezePane: { rows: 1 },
  })
}

async function* sheetRows(rows: AsyncIterable<readonly Cell[]>) {
  for await (const row of rows)
    yield row.map((cell) => (typeof cell === 'object' && cell !== null ? cell.satang / 100 : cell))
}
