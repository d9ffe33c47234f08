import { expect, test } from 'vitest'
import { columnsOf, linesOf, numbersOf, readTypedNumbers, problemOf, entryMethodsOf } from '../entry.ts'
import type { Entry } from '../entry.ts'

const typed: Entry = { digits: 2, method: 'typed', text: '', picked: [], isReversed: false, options: {} }
const plain = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const

test('typed numbers may stand with or without gaps, and each counts once', () => {
  expect(readTypedNumbers('12, 34 5612', 2)).toEqual({ numbers: ['12', '34', '56'], unfit: [] })
  expect(readTypedNumbers('123456 12', 3)).toEqual({ numbers: ['123', '456'], unfit: ['12'] })
  expect(readTypedNumbers('7 7 75', 1).numbers).toEqual(['7', '5'])
})

// Defect: an amount typed among the numbers was bet on as a number.
test.each(['12=50', '12*50', '12 x 50', '12+50', '12 บน 50', '12@50', '12:50'])('%s is no list of numbers', (text) => {
  expect(numbersOf({ ...typed, text })).toEqual([])
  expect(problemOf({ ...typed, text }, { top: 500 }, ['top'])).toBe('not_digits')
})

test('the usual separators stand between numbers', () => {
  expect(numbersOf({ ...typed, text: '12,34.56/78-90|11;22 33\n44' })).toHaveLength(9)
})

test('every mode of the catalogue is offered under its digits', () => {
  expect(entryMethodsOf(1)).toEqual(['typed', 'board'])
  expect(entryMethodsOf(2)).toEqual([
    ...['typed', 'board', 'nineteen_doors', 'fix_front', 'fix_back', 'double', 'siblings'],
    ...['low', 'high', 'odd', 'even', 'jubwin_2d'],
  ])
  expect(entryMethodsOf(3)).toEqual(['typed', 'board', 'six_doors', 'triple', 'jubwin_3d', 'jubwin_3d_two_tails'])
})

test('reversed numbers follow their own, and a roll is staked once for both', () => {
  const entry = { ...typed, text: '12 33', isReversed: true }
  const numbers = numbersOf(entry)
  expect(numbers).toEqual(['12', '21', '33'])
  const lines = linesOf(entry, { top: 500, roll: 700 }, columnsOf(entry, plain), numbers)
  expect(lines.map(({ bet_type, number, bet_satang }) => `${bet_type} ${number} ${bet_satang}`)).toEqual([
    ...['2top 12 500', '2top 21 500', '2top 33 500'],
    ...['2roll 12 700', '2roll 33 700'],
  ])
})

test('the columns are those the market and the mode have', () => {
  expect(columnsOf(typed, plain)).toEqual(['top', 'bottom', 'roll'])
  expect(columnsOf({ ...typed, method: 'fix_front' }, plain)).toEqual(['top', 'bottom'])
  expect(columnsOf({ ...typed, digits: 3 }, plain)).toEqual(['top', 'roll'])
  expect(columnsOf({ ...typed, digits: 3, method: 'jubwin_3d', options: { roll: true } }, plain)).toEqual(['roll'])
})

test('says what is missing, the first thing first', () => {
  const columns = ['top', 'bottom'] as const
  expect(problemOf(typed, {}, columns)).toBe('no_number')
  expect(problemOf({ ...typed, text: '12 3' }, { top: 500 }, columns)).toBe('too_few_digits')
  expect(problemOf({ ...typed, text: '12 345' }, { top: 500 }, columns)).toBe('unfit_number')
  expect(problemOf({ ...typed, text: '12' }, {}, columns)).toBe('no_stake')
  expect(problemOf({ ...typed, text: '12' }, null, columns)).toBe('bad_amount')
  expect(problemOf({ ...typed, text: '12' }, { roll: 500 }, columns)).toBe('no_stake')
  expect(problemOf({ ...typed, method: 'jubwin_2d', text: '11' }, { top: 500 }, columns)).toBe('too_few_digits')
  expect(problemOf({ ...typed, method: 'board', picked: ['12'] }, { top: 500 }, columns)).toBeNull()
})

test('a jubwin of seven digits with two tails makes its 420 lines', () => {
  const entry: Entry = { ...typed, digits: 3, method: 'jubwin_3d_two_tails', text: '0123456' }
  expect(linesOf(entry, { top: 500 }, columnsOf(entry, plain), numbersOf(entry))).toHaveLength(420)
})
