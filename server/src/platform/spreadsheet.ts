// A spreadsheet (XLSX), written row by row: memory stays the same for any number of rows. Text is never read as a formula.

import { writeXlsxStream } from 'hucre/xlsx'
import { BANGKOK_AHEAD_MS } from './bangkok.ts'
import type { Cell } from './csv.ts'

export interface SheetColumn {
  heading: string
  /** Amounts, as Baht with two decimals; instants, as days with their time in Bangkok; undefined: as they come. */
  kind?: 'money' | 'instant' | undefined
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
    columns: columns.map(({ heading, kind }) => ({
      header: heading,
      width: kind === 'money' ? 16 : 22,
      ...(kind === undefined ? {} : { numFmt: formats[kind] }),
    })),
    freezePane: { rows: 1 },
  })
}

const formats = { money: '#,##0.00', instant: 'yyyy-mm-dd hh:mm:ss' } as const

async function* sheetRows(rows: AsyncIterable<readonly Cell[]>) {
  for await (const row of rows) yield row.map(sheetCell)
}

/** A spreadsheet with one of them cannot be opened. Requests with them are refused (`freeText`); the database may hold text that came by no request. */
const NONCHARACTERS = /\p{Noncharacter_Code_Point}/gu

function sheetCell(cell: Cell): string | number | null {
  if (typeof cell === 'string') return cell.replaceAll(NONCHARACTERS, '')
  if (typeof cell !== 'object' || cell === null) return cell
  return 'satang' in cell ? cell.satang / 100 : dayNumber(cell.instant)
}

const DAY_MS = 86_400_000
/** The day number of 1 January 1970: spreadsheets count days from the end of 1899. */
const EPOCH_DAY = 25_569

/** A day in Bangkok, and its time as the fraction of a day, to the second. */
function dayNumber(instant: string): number {
  const seconds = Math.floor((Date.parse(instant) + BANGKOK_AHEAD_MS) / 1_000)
  return EPOCH_DAY + (seconds * 1_000) / DAY_MS
}
