import { expect, test } from 'vitest'
import { readPastedBlock } from './paste-block.ts'
import { betTypeOfCell, columnsOfMarket } from './slip-columns.ts'
import { LEAST_ROWS, cleanCell, fillBlock, growRows, isEmptyRow, removeRow, setCell } from './slip-rows.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const government = [...offered, '3front', '3bottom'] as const

test('digits decide which columns apply', () => {
  expect(betTypeOfCell('123', 'roll', offered)).toBe('3roll')
  expect(betTypeOfCell('123', 'bottom', offered)).toBeNull()
  expect(betTypeOfCell('123', 'bottom', government)).toBe('3bottom')
  expect(betTypeOfCell('12', 'roll', government)).toBe('2roll')
  expect(betTypeOfCell('12', 'front', government)).toBeNull()
  expect(betTypeOfCell('1', 'roll', government)).toBeNull()
  expect(betTypeOfCell('', 'top', government)).toBeNull()
  expect(columnsOfMarket(offered)).toEqual(['top', 'bottom', 'roll'])
  expect(columnsOfMarket(government)).toEqual(['top', 'bottom', 'roll', 'front'])
})

test('cells take digits only, Thai ones too, and keep the zeros of numbers', () => {
  expect(cleanCell('number', '๐๐๗x')).toBe('007')
  expect(cleanCell('number', '12345')).toBe('123')
  expect(cleanCell('top', '0050')).toBe('50')
  expect(cleanCell('top', '-5.0')).toBe('50')
  expect(cleanCell('top', '0')).toBe('')
})

test('an empty row always waits at the end, and untouched rows stay the same objects', () => {
  const rows = growRows([])
  expect(rows).toHaveLength(LEAST_ROWS)
  const typed = setCell(rows, LEAST_ROWS - 1, 'number', '12')
  expect(typed).toHaveLength(LEAST_ROWS + 1)
  expect(isEmptyRow(typed.at(-1)!)).toBe(true)
  expect(typed[0]).toBe(rows[0])
  expect(new Set(typed.map((row) => row.id)).size).toBe(typed.length)
  expect(removeRow(typed, typed[0]!.id)).toHaveLength(LEAST_ROWS)
})

test('a block from a spreadsheet fills rows from the cell it is pasted into', () => {
  const block = readPastedBlock('๑๒\t1,000\t-\r\n007\t50\t20\nสมชาย\t5\n\n13\tx\t9.00', true)
  expect(block).toEqual({
    cells: [
      ['๑๒', '1000', ''],
      ['007', '50', '20'],
      ['13', '', '9'],
    ],
    dropped: 2,
  })
  const rows = fillBlock(growRows([]), { row: 3, column: 0 }, block!.cells, ['number', 'top', 'bottom', 'roll'])
  expect(rows.slice(3, 6).map(({ number, top, bottom }) => [number, top, bottom])).toEqual([
    ['12', '1000', ''],
    ['007', '50', '20'],
    ['13', '', '9'],
  ])
  expect(isEmptyRow(rows.at(-1)!)).toBe(true)
})

test('a block of amounts keeps its rows in step with the numbers beside it', () => {
  expect(readPastedBlock('5\nfive\n7', false)).toEqual({ cells: [['5'], [''], ['7']], dropped: 1 })
})

test('a single cell is left to the field itself', () => {
  expect(readPastedBlock('12', true)).toBeNull()
  expect(readPastedBlock('12\n', true)).toBeNull()
})
