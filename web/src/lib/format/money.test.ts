import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatBaht, formatCount, formatPercent, formatRate, formatSignedBaht, formatWholeBaht } from './money.ts'

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

test('every amount has the digits that the number formats of the language standard give it', () => {
  const intl = (options: Intl.NumberFormatOptions, value: number): string =>
    new Intl.NumberFormat('en-US', { ...options, signDisplay: 'negative' }).format(value).replace('-', '−')
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.maxSafeInteger()), (drawn) => {
      // A float holds an amount in Baht to the satang up to 2^46 satang, which is more than there are on earth.
      const satang = drawn % 2 ** 46
      expect(formatBaht(satang)).toBe(intl({ minimumFractionDigits: 2, maximumFractionDigits: 2 }, satang / 100))
      expect(formatRate(satang)).toBe(intl({ maximumFractionDigits: 2 }, satang / 100))
      expect(formatWholeBaht(satang * 100)).toBe(intl({ maximumFractionDigits: 0 }, satang))
      expect(formatCount(satang)).toBe(intl({}, satang))
    }),
  )
})
