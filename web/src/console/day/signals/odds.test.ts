import { expect, test } from 'vitest'
import { writeOdds } from './odds.ts'

test.each([
  [-6, '1,000,000'],
  [-6.5, '3,200,000'],
  [-11.04, '110,000,000,000'],
  [-40.2, '10^40'],
  [-300, '10^300'],
])('a chance of 10 to the power of %d is one in %s', (chance_log10, odds) => {
  expect(writeOdds(chance_log10)).toBe(odds)
})
