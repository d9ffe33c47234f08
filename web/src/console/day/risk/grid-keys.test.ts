import { expect, test } from 'vitest'
import { moveInGrid } from './grid-keys.ts'

const size = { rows: 100, columns: 9 }

test.each([
  ['ArrowDown', { row: 6, column: 4 }],
  ['ArrowUp', { row: 4, column: 4 }],
  ['ArrowRight', { row: 5, column: 5 }],
  ['ArrowLeft', { row: 5, column: 3 }],
  ['PageDown', { row: 17, column: 4 }],
  ['PageUp', { row: 0, column: 4 }],
  ['Home', { row: 0, column: 4 }],
  ['End', { row: 99, column: 4 }],
])('%s leads to %j', (key, place) => {
  expect(moveInGrid({ row: 5, column: 4 }, key, size)).toEqual(place)
})

test('no key leads out of the grid', () => {
  expect(moveInGrid({ row: 99, column: 8 }, 'ArrowDown', size)).toEqual({ row: 99, column: 8 })
  expect(moveInGrid({ row: 99, column: 8 }, 'ArrowRight', size)).toEqual({ row: 99, column: 8 })
})

test('other keys are not of the grid', () => {
  expect(moveInGrid({ row: 5, column: 4 }, 'x', size)).toBeNull()
})
