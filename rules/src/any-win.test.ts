// The chance of any win equals a count over every draw with the bet types' own `wins`, which is written independently
// of the winning numbers.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOfAnyWin } from './any-win.ts'
import { betTypeCodes } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import { winChance } from './theoretical-return.ts'

const below = (count: number, digits: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(digits, '0'))
const draws = {
  top: below(1_000, 3).map((top3) => ({ top3, bottom2: '' })),
  bottom: below(100, 2).map((bottom2) => ({ top3: '', bottom2 })),
}

describe.each(['3top', '3roll', '2top', '2roll', '1top', '2bottom', '1bottom'] as const)('%s', (bet_type) => {
  const { digits, wins } = betTypeByCode[bet_type]
  const all = bet_type.endsWith('bottom') ? draws.bottom : draws.top

  test('any of several numbers, over every draw', () => {
    const number = fc.integer({ min: 0, max: 10 ** digits - 1 }).map((value) => String(value).padStart(digits, '0'))
    fc.assert(
      fc.property(fc.array(number, { maxLength: 12 }), (numbers) => {
        const found = all.filter((draw) => numbers.some((each) => wins(each, draw))).length
        expect(chanceOfAnyWin(bet_type, numbers)).toEqual({ wins: found, draws: all.length })
      }),
      { numRuns: 30 },
    )
  })
})

test.each(betTypeCodes)('one %s number has the chance that its theoretical return is computed from', (bet_type) => {
  const best = { 1: '0', 2: '01', 3: '012' }[betTypeByCode[bet_type].digits]
  expect(chanceOfAnyWin(bet_type, [best])).toEqual(winChance(bet_type))
})

test('3bottom of a market that also counts front numbers has four winning numbers', () => {
  const { wins, draws: all } = chanceOfAnyWin('3bottom', ['012'], 'front+back')
  const expected = winChance('3bottom', 'front+back')
  expect(wins / all).toBeCloseTo(expected.wins / expected.draws, 15)
})

test('front numbers: all pairs of draws', () => {
  const numbers = ['000', '001', '500']
  let found = 0
  for (let first = 0; first < 1_000; first += 1)
    for (let second = 0; second < 1_000; second += 1)
      if ([0, 1, 500].includes(first) || [0, 1, 500].includes(second)) found += 1
  expect(chanceOfAnyWin('3front', [...numbers, '000'])).toEqual({ wins: found, draws: 1_000_000 })
})

test('all numbers of a bet type together always win, and no numbers never', () => {
  expect(chanceOfAnyWin('2top', below(100, 2))).toEqual({ wins: 1_000, draws: 1_000 })
  expect(chanceOfAnyWin('1bottom', below(10, 1))).toEqual({ wins: 100, draws: 100 })
  expect(chanceOfAnyWin('3roll', [])).toEqual({ wins: 0, draws: 1_000 })
})
