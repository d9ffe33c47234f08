import { writeCell } from './cell-text.ts'
import type { Column } from './slip-columns.ts'

// The rows of a draft slip as typed. All cells are text until they are read.

export interface SlipRow {
  id: number
  number: string
  top: string
  bottom: string
  roll: string
  front: string
}

/** So many rows stand ready at least, and one empty one always waits at the end. */
export const MIN_ROWS = 5

function emptyRow(id: number): SlipRow {
  return { id, number: '', top: '', bottom: '', roll: '', front: '' }
}

export function isEmptyRow(row: SlipRow): boolean {
  return row.number === '' && row.top === '' && row.bottom === '' && row.roll === '' && row.front === ''
}

/** Adds empty rows until one waits at the end. Rows that were there stay the same objects. */
export function growRows(rows: readonly SlipRow[]): readonly SlipRow[] {
  const grown = [...rows]
  let nextId = rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1
  while (grown.length < MIN_ROWS || !isEmptyRow(grown.at(-1)!)) grown.push(emptyRow(nextId++))
  return grown.length === rows.length ? rows : grown
}

export function setCell(rows: readonly SlipRow[], index: number, column: Column, text: string): readonly SlipRow[] {
  const value = writeCell(text)
  return growRows(rows.map((row, at) => (at === index ? { ...row, [column]: value } : row)))
}

export function removeRow(rows: readonly SlipRow[], id: number): readonly SlipRow[] {
  return growRows(rows.filter((row) => row.id !== id))
}

/** Inserts rows at a position. Fills empty rows there first, and moves filled rows down. */
export function insertRows(
  rows: readonly SlipRow[],
  at: number,
  inserted: readonly Partial<Omit<SlipRow, 'id'>>[],
): readonly SlipRow[] {
  let nextId = rows.reduce((highest, row) => Math.max(highest, row.id), 0) + 1
  const made = inserted.map((row) => ({ ...emptyRow(nextId++), ...row }))
  const after = rows.slice(at)
  const filled = after.findIndex((row) => !isEmptyRow(row))
  const room = filled === -1 ? after.length : filled
  return growRows([...rows.slice(0, at), ...made, ...after.slice(Math.min(room, made.length))])
}
