import type { Column } from './slip-columns.ts'

// The rows of a draft slip as the member typed them. All text: what is being typed is not yet a number or an amount.

export interface SlipRow {
  id: number
  number: string
  top: string
  bottom: string
  roll: string
  front: string
}

/** So many rows stand ready at least, and one empty one always waits at the end. */
export const LEAST_ROWS = 5
const MOST_DIGITS = 3
const MOST_AMOUNT_DIGITS = 8

function emptyRow(id: number): SlipRow {
  return { id, number: '', top: '', bottom: '', roll: '', front: '' }
}

export function isEmptyRow(row: SlipRow): boolean {
  return row.number === '' && row.top === '' && row.bottom === '' && row.roll === '' && row.front === ''
}

/** Thai and full-width digits become 0–9; everything that is no digit falls away. */
function keepDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[^0-9]/g, '')
}

/** What a cell makes of typed text. */
export function cleanCell(column: Column, text: string): string {
  const digits = keepDigits(text)
  if (column === 'number') return digits.slice(0, MOST_DIGITS)
  return digits.replace(/^0+/, '').slice(0, MOST_AMOUNT_DIGITS)
}

/** Adds empty rows until one waits at the end. Rows that were there stay the same objects. */
export function growRows(rows: readonly SlipRow[]): readonly SlipRow[] {
  const grown = [...rows]
  let nextId = rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1
  while (grown.length < LEAST_ROWS || !isEmptyRow(grown.at(-1)!)) grown.push(emptyRow(nextId++))
  return grown.length === rows.length ? rows : grown
}

export function setCell(rows: readonly SlipRow[], index: number, column: Column, text: string): readonly SlipRow[] {
  const value = cleanCell(column, text)
  return growRows(rows.map((row, at) => (at === index ? { ...row, [column]: value } : row)))
}

export function removeRow(rows: readonly SlipRow[], id: number): readonly SlipRow[] {
  return growRows(rows.filter((row) => row.id !== id))
}

/** Lays a block of cells over the grid, its upper left corner on the given cell. */
export function fillBlock(
  rows: readonly SlipRow[],
  at: { row: number; column: number },
  block: readonly (readonly string[])[],
  shown: readonly Column[],
): readonly SlipRow[] {
  const filled = [...rows]
  let nextId = rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1
  block.forEach((cells, down) => {
    const index = at.row + down
    while (filled.length <= index) filled.push(emptyRow(nextId++))
    const row = { ...filled[index]! }
    cells.forEach((text, right) => {
      const column = shown[at.column + right]
      if (column !== undefined) row[column] = cleanCell(column, text)
    })
    filled[index] = row
  })
  return growRows(filled)
}
