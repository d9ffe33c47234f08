import { theoreticalReturn, winChance } from '@megalot/rules'
import { expect, test } from 'vitest'
import { readRate, returnOf } from './return-of-terms.ts'

test('the return while typing is that of the rules', () => {
  for (const bet_type of ['3top', '3roll', '2top', '1bottom', '3front'] as const)
    for (const rate of [0, 320, 9_000, 55_000, 99_999])
      expect(returnOf(winChance(bet_type), rate, 3_300)).toBe(
        theoreticalReturn({ bet_type, rate, discount_rate: 3_300 }),
      )
})

test('3top at 550 with 33 % returns 88 %', () => {
  expect(returnOf(winChance('3top'), 55_000, 3_300)).toBe(8_800)
})

test('rates are read in hundredths', () => {
  expect(readRate('550')).toBe(55_000)
  expect(readRate('3.2')).toBe(320)
  for (const text of ['', '-1', '1.234', '100001', 'x']) expect(readRate(text)).toBeNull()
})
