import { expect, test } from 'vitest'
import { readBaht, writeBaht } from './amounts.ts'

test('amounts are read in satang, with or without separators', () => {
  expect(readBaht('1000')).toBe(100_000)
  expect(readBaht('1,250.50')).toBe(125_050)
  expect(readBaht(' 0.5 ')).toBe(50)
})

test('what is no amount is null', () => {
  for (const text of ['', '-1', '1.234', 'x', '1e3', '.5']) expect(readBaht(text)).toBeNull()
})

test('an amount is written as it is read', () => {
  for (const satang of [0, 50, 100_000, 125_050]) expect(readBaht(writeBaht(satang))).toBe(satang)
})
