// Goal: a line typed into a number cell makes the bet that its writer meant or none, and amounts are repeated only where a number
// has none of its own.

import { expect, test } from 'vitest'
import { columnsOfMarket } from '../../slip/slip-columns.ts'
import { growRows, isEmptyRow, setCell } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { repeatAbove, spreadLine } from './typed-line.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const shown = columnsOfMarket(offered)

function rowsOf(...lines: readonly string[]): readonly SlipRow[] {
  let rows = growRows([])
  for (const [index, line] of lines.entries()) {
    const [number = '', top = '', bottom = '', roll = ''] = line.split('|')
    for (const [column, text] of Object.entries({ number, top, bottom, roll }))
      rows = setCell(rows, index, column as 'top', text)
  }
  return rows
}

function texts(rows: readonly SlipRow[] | undefined): readonly string[] {
  const filled = (rows ?? []).filter((row) => !isEmptyRow(row))
  return filled.map(({ number, top, bottom, roll }) => `${number}|${top}|${bottom}|${roll}`)
}

test.each([
  ['12=50*20', '12|50|20|'],
  ['12+50+20', '12|50|20|'],
  ['12 50 20', '12|50|20|'],
  ['12=0*20', '12||20|'],
  ['123=100*0*30', '123|100||30'],
  ['๑๒=๕๐', '12|50||'],
  ['7=100', '7|100||'],
])('%s becomes %s', (text, row) => {
  const rows = rowsOf('99|5', text)
  const spread = spreadLine(rows, 1, shown, offered)
  expect(texts(spread?.rows)).toEqual(['99|5||', row])
  expect(spread?.rows[1]?.id).toBe(rows[1]?.id)
  expect(spread?.taken).toBe(1)
})

test('a line replaces the amounts of its row: what it leaves out is not bet', () => {
  expect(texts(spreadLine(rowsOf('12=50|5|5|5'), 0, shown, offered)?.rows)).toEqual(['12|50||'])
})

test('doors become rows, and the rows below them stay', () => {
  const spread = spreadLine(rowsOf('x112=5', '99|7'), 0, shown, offered)
  expect(texts(spread?.rows)).toEqual(['112|5||', '121|5||', '211|5||', '99|7||'])
  expect(spread?.taken).toBe(3)
})

test.each([
  ['12=50 13=50', 'two_bets'],
  ['12,21=50', 'several_numbers'],
  ['12=10.50', 'unclear_amount'],
  ['12=5*5*5*5', 'too_many_columns'],
  ['123=5*5', 'column_not_offered'],
  ['1234=5', 'bad_number'],
  ['12=', 'no_amount'],
  ['=50', 'price_line'],
  ['12x50', 'misplaced_x'],
  ['12บน50', 'letters'],
])('%s stays as it is typed: %s', (text, problem) => {
  const rows = rowsOf(text)
  expect(spreadLine(rows, 0, shown, offered)).toEqual({ rows, taken: 0, problem })
})

test.each(['12', '', ' 7 '])('a number alone is no line: "%s"', (text) => {
  expect(spreadLine(rowsOf(text), 0, shown, offered)).toBeNull()
})

test('a number without amounts takes those of the row above', () => {
  expect(texts(repeatAbove(rowsOf('12|50|20', '34'), 1, offered) ?? [])).toEqual(['12|50|20|', '34|50|20|'])
})

test('only amounts that both numbers can have are repeated', () => {
  expect(texts(repeatAbove(rowsOf('12|50|20|5', '123'), 1, offered) ?? [])).toEqual(['12|50|20|5', '123|50||5'])
  expect(texts(repeatAbove(rowsOf('12|50|20|5', '1'), 1, offered) ?? [])).toEqual(['12|50|20|5', '1|50|20|'])
})

test.each([
  ['the first row', ['12'], 0],
  ['a row without a number', ['12|50', ''], 1],
  ['a number that cannot be read', ['12|50', '1a'], 1],
  ['a row with an amount of its own', ['12|50|20', '34||5'], 1],
  ['a row below one without amounts', ['12', '34'], 1],
  ['a row below an empty one', ['12|50', '', '34'], 2],
  ['a row below amounts that cannot be read', ['12|5x|0', '34'], 1],
])('nothing is repeated for %s', (_name, lines, index) => {
  expect(repeatAbove(rowsOf(...lines), index, offered)).toBeNull()
})
