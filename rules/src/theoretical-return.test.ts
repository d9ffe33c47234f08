// The chance of each bet type is its best number's over every draw, and the return adds win and discount exactly.

import { describe, expect, test } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { betTypes, type Bottom3Set } from './bet-type.ts'
import { betTypeCodes, type BetTypeCode } from './bet-type-code.ts'
import type { DrawResult } from './draw-result.ts'
import { boundOfReturn, theoreticalReturn, winChance } from './theoretical-return.ts'

const winnersOf = (code: BetTypeCode, draw: DrawResult, set?: Bottom3Set) =>
  betTypes.find((type) => type.code === code)!.winningNumbers(draw, set)

/** How often each number wins, counted with the other definition of bet types, which lists winning numbers. */
function countByNumber(code: BetTypeCode, draws: Iterable<DrawResult>): Map<string, number> {
  const wins = new Map<string, number>()
  for (const draw of draws) for (const number of winnersOf(code, draw)) wins.set(number, (wins.get(number) ?? 0) + 1)
  return wins
}

describe('the chance of the best number', () => {
  const onTop: BetTypeCode[] = ['3top', '3roll', '2top', '2roll', '1top']
  test.each(onTop)('of %s is the highest of all numbers over every top3', (code) => {
    const draws = everyNumber(3).map((top3) => ({ top3, bottom2: '00' }))
    expect(winChance(code)).toEqual({ wins: Math.max(...countByNumber(code, draws).values()), draws: 1_000 })
  })

  test.each<BetTypeCode>(['2bottom', '1bottom'])('of %s is the highest of all numbers over every bottom2', (code) => {
    const draws = everyNumber(2).map((bottom2) => ({ top3: '000', bottom2 }))
    expect(winChance(code)).toEqual({ wins: Math.max(...countByNumber(code, draws).values()), draws: 100 })
  })

  test.each<[BetTypeCode, 'front3' | 'back3']>([
    ['3front', 'front3'],
    ['3bottom', 'back3'],
  ])('of %s is that of every number over every pair', (code, list) => {
    const numbers = everyNumber(3)
    const wins = new Map(numbers.map((number) => [number, 0]))
    for (const first of numbers)
      for (const second of numbers)
        for (const number of winnersOf(code, { top3: '', bottom2: '', [list]: [first, second] }))
          wins.set(number, wins.get(number)! + 1)
    expect(new Set(wins.values())).toEqual(new Set([1_999]))
    expect(winChance(code)).toEqual({ wins: 1_999, draws: 1_000_000 })
  })

  test('of 3bottom with the front numbers counts a draw once', () => {
    const { wins, draws } = winChance('3bottom', 'front+back')
    expect(wins / draws).toBeCloseTo(1 - (999 / 1_000) ** 4, 12)
    const draw = { top3: '', bottom2: '', front3: ['111', '111'], back3: ['111', '222'] }
    expect(winnersOf('3bottom', draw, 'front+back')).toEqual(['111', '222'])
  })

  test.each<[BetTypeCode, number]>([
    ['3roll', 6],
    ['2roll', 54],
    ['1top', 271],
  ])('of %s is %i of 1,000, as the domain rules say', (code, wins) => {
    expect(winChance(code)).toEqual({ wins, draws: 1_000 })
  })
})

describe('the return', () => {
  test.each<[BetTypeCode, number, number, number]>([
    ['3top', 55_000, 3_300, 8_800],
    ['3roll', 10_500, 3_300, 9_600],
    ['2top', 7_000, 2_800, 9_800],
    ['2bottom', 7_000, 2_800, 9_800],
    ['2roll', 1_200, 2_800, 9_280],
    ['1top', 300, 1_200, 9_330],
    ['1bottom', 400, 1_200, 8_800],
    // 0.1999 % of 125 times the stake is 24.9875 %, rounded up.
    ['3front', 12_500, 3_300, 5_799],
    ['3bottom', 12_500, 3_300, 5_799],
    ['3top', 90_000, 0, 9_000],
  ])('of %s at %i hundredths with a discount of %i is %i', (bet_type, rate, discount_rate, expected) => {
    expect(theoreticalReturn({ bet_type, rate, discount_rate })).toBe(expected)
  })

  test('at half pay has half the rate and the whole discount', () => {
    const terms = { bet_type: '3top', rate: 55_000, discount_rate: 3_300 } as const
    expect(theoreticalReturn(terms, { is_half_pay: true })).toBe(2_750 + 3_300)
  })

  test('is exact for the highest rate of every bet type, and never rounded down', () => {
    for (const bet_type of betTypeCodes) {
      const { wins, draws } = winChance(bet_type, 'front+back')
      const exact = (wins / draws) * 10_000_000 * 100
      const found = theoreticalReturn({ bet_type, rate: 10_000_000, discount_rate: 0 }, { bottom3_set: 'front+back' })
      expect(found).toBeGreaterThanOrEqual(Math.floor(exact))
      expect(found - exact).toBeLessThanOrEqual(1)
    }
    expect(theoreticalReturn({ bet_type: '3top', rate: 1, discount_rate: 0 })).toBe(1)
  })

  test('is within bounds up to 100 %, needs two people up to 120 %, and is refused above', () => {
    expect([0, 10_000, 10_001, 12_000, 12_001].map(boundOfReturn)).toEqual([
      'alone',
      'alone',
      'approved',
      'approved',
      'refused',
    ])
  })
})
