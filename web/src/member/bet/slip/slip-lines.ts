import { columnOfBetType, quotaName } from '@megalot/rules'
import type { SlipLine } from '@megalot/rules'
import { readAmount, readNumber } from './cell-text.ts'
import { amountColumns } from './slip-columns.ts'
import type { PlacedLine } from './row-check.ts'
import { growRows, insertRows, isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

// From lines, which is what rules and tickets speak of, to the rows a member sees: one for each number.

export type NewRow = Partial<Omit<SlipRow, 'id'>>

/** The most rows one entry may make; no ticket comes near this, and a screen must still hold them. */
export const MAX_ADDED_ROWS = 1_000

/**
 * Rows that stand for these lines, in the order in which the numbers first come. Lines of one number share a row where
 * its column is still free; a second stake in the same column gets a row of its own, because it is a line of its own.
 */
export function rowsOfLines(lines: readonly SlipLine[]): readonly NewRow[] {
  const rows: NewRow[] = []
  const lastOfNumber = new Map<string, NewRow>()
  for (const { bet_type, number, bet_satang } of lines) {
    const column = columnOfBetType(bet_type)
    let row = lastOfNumber.get(number)
    if (row === undefined || row[column] !== undefined) {
      row = { number }
      rows.push(row)
      lastOfNumber.set(number, row)
    }
    row[column] = String(bet_satang / 100)
  }
  return rows
}

/** Puts new rows behind the last one that holds anything. */
export function appendRows(rows: readonly SlipRow[], added: readonly NewRow[]): readonly SlipRow[] {
  return insertRows(rows, rows.findLastIndex((row) => !isEmptyRow(row)) + 1, added)
}

/** Takes the stakes of some lines off the slip; a row that loses its last stake goes too. */
export function removeLines(rows: readonly SlipRow[], lines: readonly PlacedLine[]): readonly SlipRow[] {
  const changed = new Map<number, SlipRow>()
  for (const { row, column } of lines) changed.set(row, { ...(changed.get(row) ?? rows[row]!), [column]: '' })
  return growRows(
    rows.flatMap((row, index) => {
      const after = changed.get(index)
      if (after === undefined) return [row]
      return amountColumns.every((column) => after[column] === '') ? [] : [after]
    }),
  )
}

/** Adds the stakes of every duplicate to its first line and takes the others off the slip. */
export function mergeDuplicates(rows: readonly SlipRow[], lines: readonly PlacedLine[]): readonly SlipRow[] {
  const firstOf = new Map<string, PlacedLine>()
  const sums = new Map<PlacedLine, number>()
  const surplus: PlacedLine[] = []
  for (const line of lines) {
    const name = quotaName(line.bet_type, line.number)
    const first = firstOf.get(name)
    if (first === undefined) firstOf.set(name, line)
    else {
      sums.set(first, (sums.get(first) ?? first.bet_satang) + line.bet_satang)
      surplus.push(line)
    }
  }
  const added = [...rows]
  for (const [{ row, column }, satang] of sums) added[row] = { ...added[row]!, [column]: String(satang / 100) }
  return removeLines(added, surplus)
}

/** A number read backwards, or null where that gives the same number. */
export function reverseNumber(number: string): string | null {
  const reversed = [...number].toReversed().join('')
  return reversed === number ? null : reversed
}

/**
 * Doubles a row: the same stakes on the number read backwards, in a row below it. A roll pays in any order of its digits
 * already, so its stake is not doubled.
 */
export function reverseRow(rows: readonly SlipRow[], index: number): readonly SlipRow[] | null {
  const row = rows[index]
  const number = row === undefined ? null : readNumber(row.number)
  const reversed = number === null ? null : reverseNumber(number)
  if (row === undefined || reversed === null) return null
  const next = Math.max(...rows.map(({ id }) => id)) + 1
  return growRows([
    ...rows.slice(0, index + 1),
    { ...row, id: next, number: reversed, roll: '' },
    ...rows.slice(index + 1),
  ])
}

/** Whether the row's stakes could be doubled on the number read backwards. */
export function canReverse(row: SlipRow): boolean {
  const number = readNumber(row.number)
  return number !== null && reverseNumber(number) !== null
}

/** The amounts a member typed into fields, in Baht; null where one of them is no amount. */
export function readStakes<Column extends string>(
  fields: Readonly<Partial<Record<Column, string>>>,
): Partial<Record<Column, number>> | null {
  const stakes: Partial<Record<Column, number>> = {}
  for (const [column, text] of Object.entries(fields) as [Column, string][]) {
    const baht = readAmount(text)
    if (typeof baht === 'string') return null
    stakes[column] = baht * 100
  }
  return stakes
}
