import { expect, test } from 'vitest'
import { positionProblem, readPercent, writePercent } from './share-rates.ts'

test('percentages are read without a float between', () => {
  expect(readPercent('12.5', 50)).toBe(1250)
  expect(readPercent('33', 1)).toBe(3300)
  expect(readPercent('0.29', 1)).toBe(29)
  expect(readPercent('100', 50)).toBe(10_000)
})

test('what is no percentage, too much or between two steps is none', () => {
  for (const text of ['', '-1', '1e1', '100.5', '101', '12.345', '1,5', '.5']) expect(readPercent(text, 1)).toBeNull()
  expect(readPercent('12.25', 50)).toBeNull()
})

test('a position is at most what its line may hold', () => {
  expect(positionProblem('12.5', '12.5')).toBeNull()
  expect(positionProblem('13', '12.5')).toBe('position_over')
  expect(positionProblem('12.3', '10')).toBe('percent_steps')
  // The field of the line says itself what is wrong with it.
  expect(positionProblem('12.5', 'x')).toBeNull()
})

test('what is written is read as the same', () => {
  for (const hundredths of [0, 1, 29, 50, 100, 1000, 1250, 9950, 10_000])
    expect(readPercent(writePercent(hundredths), 1)).toBe(hundredths)
  expect([0, 50, 1000, 1250, 10_000].map(writePercent)).toEqual(['0', '0.5', '10', '12.5', '100'])
})
