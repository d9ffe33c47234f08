import { expect, test } from 'vitest'
import { formatBaht, formatPercent, formatRate, formatSignedBaht, formatWholeBaht } from './money.ts'

test('satang are shown as Baht with separators', () => {
  expect(formatBaht(0)).toBe('0.00')
  expect(formatBaht(123_456_789)).toBe('1,234,567.89')
  expect(formatBaht(-27_000)).toBe('−270.00')
  expect(formatSignedBaht(5_700_000)).toBe('+57,000.00')
  expect(formatSignedBaht(0)).toBe('0.00')
  expect(formatWholeBaht(1_000_000)).toBe('10,000')
  expect(formatWholeBaht(1_050)).toBe('10.50')
})

test('rates are hundredths, discounts hundredths of a percent', () => {
  expect(formatRate(55_000)).toBe('550')
  expect(formatRate(320)).toBe('3.2')
  expect(formatPercent(3_300)).toBe('33%')
  expect(formatPercent(1_250)).toBe('12.5%')
})
