import { expect, test } from 'vitest'
import { betTypeOfCell, columnsOfMarket } from './slip-columns.ts'
import { MIN_ROWS, growRows, insertRows, isEmptyRow, removeRow, setCell } from './slip-rows.ts'

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

test('an empty row always waits at the end, and untouched rows stay the same objects', () => {
  const rows = growRows([])
  expect(rows).toHaveLength(MIN_ROWS)
  const typed = setCell(rows, MIN_ROWS - 1, 'number', '12')
  expect(typed).toHaveLength(MIN_ROWS + 1)
  expect(isEmptyRow(typed.at(-1)!)).toBe(true)
  expect(typed[0]).toBe(rows[0])
  expect(new Set(typed.map((row) => row.id)).size).toBe(typed.length)
  expect(removeRow(typed, typed[0]!.id)).toHaveLength(MIN_ROWS)
})

test('inserted rows fill the empty ones that stand there and move down what is filled', () => {
  const rows = setCell(setCell(growRows([]), 0, 'number', '11'), 3, 'number', '44')
  const more = insertRows(rows, 1, [{ number: '22' }, { number: '33' }, { number: '34' }])
  expect(more.map(({ number }) => number)).toEqual(['11', '22', '33', '34', '44', ''])
  expect(new Set(more.map(({ id }) => id)).size).toBe(more.length)
  expect(insertRows(rows, 1, [{ number: '22' }]).map(({ number }) => number)).toEqual(['11', '22', '', '44', ''])
})
