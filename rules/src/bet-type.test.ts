// For every possible result, every number of every bet type wins exactly when the rule says so. Both definitions
// (`wins`, `winningNumbers`) agree with counts that can be made by hand.

import { describe, expect, it } from 'vitest'
import { everyNumber, everyOrderOf, multisetOf } from '../test/every-number.ts'
import { betTypeCodes } from './bet-type-code.ts'
import { betTypeByCode, betTypes, isBetTypeCode, isNumberOf } from './bet-type.ts'
import type { BetTypeCode } from './bet-type-code.ts'
import type { DrawResult } from './draw-result.ts'

const threeDigits = everyNumber(3)
const twoDigits = everyNumber(2)

function countWins(code: BetTypeCode, number: string, results: readonly DrawResult[]): number {
  return results.filter((result) => betTypeByCode[code].wins(number, result)).length
}

/** Collects disagreements instead of asserting a million times, and names the first ones. */
function disagreements(code: BetTypeCode, result: DrawResult): string[] {
  const betType = betTypeByCode[code]
  const listed = new Set(betType.winningNumbers(result))
  return everyNumber(betType.digits)
    .filter((number) => betType.wins(number, result) !== listed.has(number))
    .map((number) => `${code} ${number} of ${JSON.stringify(result)}`)
}

const allTop3Results: DrawResult[] = threeDigits.map((top3) => ({ top3, bottom2: '00' }))
const allBottom2Results: DrawResult[] = twoDigits.map((bottom2) => ({ top3: '000', bottom2 }))

describe('the list of bet types', () => {
  it('names every code once, in order, in both languages', () => {
    expect(betTypes.map((betType) => betType.code)).toEqual([...betTypeCodes])
    expect(betTypes.map((betType) => betTypeByCode[betType.code])).toEqual([...betTypes])
    expect(betTypes.map((betType) => [betType.code, betType.digits, betType.name_th, betType.name_en])).toEqual([
      ['3top', 3, '3 ตัวบน', '3 top'],
      ['3roll', 3, '3 ตัวโต๊ด', '3 roll'],
      ['3front', 3, '3 ตัวหน้า', '3 front'],
      ['3bottom', 3, '3 ตัวล่าง', '3 bottom'],
      ['2top', 2, '2 ตัวบน', '2 top'],
      ['2bottom', 2, '2 ตัวล่าง', '2 bottom'],
      ['2roll', 2, '2 ตัวโต๊ด', '2 roll'],
      ['1top', 1, 'วิ่งบน', '1 top (run)'],
      ['1bottom', 1, 'วิ่งล่าง', '1 bottom (run)'],
    ])
  })

  it('recognises its codes and nothing else', () => {
    for (const code of betTypeCodes) expect(isBetTypeCode(code)).toBe(true)
    for (const code of ['', '4top', 'toString', 'constructor', '__proto__', '3TOP', ' 3top'])
      expect(isBetTypeCode(code)).toBe(false)
  })

  it('takes exactly as many Arabic digits as the type has', () => {
    expect(isNumberOf('3top', '007')).toBe(true)
    expect(isNumberOf('1bottom', '0')).toBe(true)
    for (const number of ['', '07', '0007', '๐๐๗', '1.0', ' 07', '-01', '01a', '\n07'])
      expect(isNumberOf('3top', number)).toBe(false)
    expect(isNumberOf('2roll', '007')).toBe(false)
  })
})

describe('wins and winningNumbers agree', () => {
  it('over all 1,000 top3 × all numbers of the types that depend on top3', () => {
    const found = allTop3Results.flatMap((result) =>
      (['3top', '3roll', '2top', '2roll', '1top'] as const).flatMap((code) => disagreements(code, result)),
    )
    expect(found).toEqual([])
  })

  it('over all 100 bottom2 × all numbers of the types that depend on bottom2', () => {
    const found = allBottom2Results.flatMap((result) =>
      (['2bottom', '1bottom'] as const).flatMap((code) => disagreements(code, result)),
    )
    expect(found).toEqual([])
  })

  it('over every front or back number × all numbers', () => {
    const found = threeDigits.flatMap((number, index) => {
      const other = threeDigits[(index * 7 + 13) % 1000] as string
      const newForm = { top3: '000', bottom2: '00', front3: [number, other], back3: [other, number] }
      return [...disagreements('3front', newForm), ...disagreements('3bottom', newForm)]
    })
    expect(found).toEqual([])
  })

  it('lists winners ascending and without repeats, for every bet type and top3', () => {
    const wrong = allTop3Results.flatMap((result, index) => {
      const full = {
        ...result,
        bottom2: twoDigits[index % 100] as string,
        front3: [result.top3, '500'],
        back3: ['999', '500', result.top3, '000'],
      }
      return betTypes.filter((betType) => {
        const numbers = betType.winningNumbers(full, 'front+back')
        return numbers.some((number, place) => place > 0 && (numbers[place - 1] as string) >= number)
      })
    })
    expect(wrong).toEqual([])
  })
})

describe('sizes over all results', () => {
  it('3top wins for 1 of 1,000, for every number', () => {
    expect(threeDigits.filter((number) => countWins('3top', number, allTop3Results) !== 1)).toEqual([])
  })

  it('3roll wins for 6 (three different digits), 3 (a pair) or 1 (a triple) of 1,000, for every number', () => {
    const sizes = { 3: 6, 2: 3, 1: 1 } as Record<number, number>
    const wrong = threeDigits.filter(
      (number) => countWins('3roll', number, allTop3Results) !== sizes[new Set(number).size],
    )
    expect(wrong).toEqual([])
  })

  it('2top wins for 10 of 1,000 and 2bottom for 1 of 100, for every number', () => {
    expect(twoDigits.filter((number) => countWins('2top', number, allTop3Results) !== 10)).toEqual([])
    expect(twoDigits.filter((number) => countWins('2bottom', number, allBottom2Results) !== 1)).toEqual([])
  })

  it('2roll wins for 54 of 1,000 when its digits differ and for 28 when they are equal', () => {
    const wrong = twoDigits.filter(
      (number) => countWins('2roll', number, allTop3Results) !== (number[0] === number[1] ? 28 : 54),
    )
    expect(wrong).toEqual([])
  })

  it('1top wins for 271 of 1,000 and 1bottom for 19 of 100, for every digit', () => {
    const digits = everyNumber(1)
    expect(digits.map((digit) => countWins('1top', digit, allTop3Results))).toEqual(digits.map(() => 271))
    expect(digits.map((digit) => countWins('1bottom', digit, allBottom2Results))).toEqual(digits.map(() => 19))
  })

  it('the number of winning numbers: 3roll 6/3/1, 2roll 6/3/1, 1top 3/2/1, by the different digits of top3', () => {
    for (const [top3, roll3, roll2, top1] of [
      ['745', 6, 6, 3],
      ['744', 3, 3, 2],
      ['474', 3, 3, 2],
      ['777', 1, 1, 1],
    ] as const) {
      const result = { top3, bottom2: '00' }
      expect(betTypeByCode['3roll'].winningNumbers(result)).toHaveLength(roll3)
      expect(betTypeByCode['2roll'].winningNumbers(result)).toHaveLength(roll2)
      expect(betTypeByCode['1top'].winningNumbers(result)).toHaveLength(top1)
    }
  })
})

describe('worked examples', () => {
  const draw: DrawResult = {
    first_prize: '763895',
    top3: '895',
    bottom2: '52',
    front3: ['431', '176'],
    back3: ['014', '449'],
  }

  it('the draw of 16 December 2025', () => {
    const winners = Object.fromEntries(betTypes.map((betType) => [betType.code, betType.winningNumbers(draw)]))
    expect(winners).toEqual({
      '3top': ['895'],
      '3roll': ['589', '598', '859', '895', '958', '985'],
      '3front': ['176', '431'],
      '3bottom': ['014', '449'],
      '2top': ['95'],
      '2bottom': ['52'],
      '2roll': ['58', '59', '85', '89', '95', '98'],
      '1top': ['5', '8', '9'],
      '1bottom': ['2', '5'],
    })
  })

  it('2roll of 745 is 47 74 45 54 57 75, and 55 needs two fives', () => {
    const winners = betTypeByCode['2roll'].winningNumbers({ top3: '745', bottom2: '00' })
    expect(winners).toEqual(['45', '47', '54', '57', '74', '75'])
    expect(betTypeByCode['2roll'].winningNumbers({ top3: '545', bottom2: '00' })).toEqual(['45', '54', '55'])
  })

  it('3bottom counts the front numbers only if the market says so', () => {
    const bottom3 = betTypeByCode['3bottom']
    expect(bottom3.wins('431', draw)).toBe(false)
    expect(bottom3.wins('431', draw, 'back')).toBe(false)
    expect(bottom3.wins('431', draw, 'front+back')).toBe(true)
    expect(bottom3.wins('014', draw, 'front+back')).toBe(true)
    expect(bottom3.winningNumbers(draw, 'front+back')).toEqual(['014', '176', '431', '449'])
    expect(bottom3.winningNumbers({ top3: '000', bottom2: '00', back3: ['123', '123'] })).toEqual(['123'])
    expect(bottom3.wins('123', { top3: '123', bottom2: '00', back3: ['999'] }, 'front+back')).toBe(false)
  })

  it('front and back bets win nothing without such numbers, and the front rule does not affect other types', () => {
    const plain = { top3: '123', bottom2: '45' }
    expect(betTypeByCode['3front'].winningNumbers(plain)).toEqual([])
    expect(betTypeByCode['3bottom'].winningNumbers(plain, 'front+back')).toEqual([])
    expect(betTypeByCode['3front'].wins('123', plain)).toBe(false)
    expect(betTypeByCode['3bottom'].wins('123', plain)).toBe(false)
    for (const betType of betTypes.filter((one) => one.code !== '3bottom'))
      expect(betType.winningNumbers(draw, 'front+back')).toEqual(betType.winningNumbers(draw))
  })

  it('a number with too few or too many digits never wins, even if the result has the same fault', () => {
    const numbers = ['', '8', '89', '895', '8950', '5', '52', '952', '17', '1761', '44', '4491']
    const won = betTypes.flatMap((betType) =>
      numbers
        .filter((number) => number.length !== betType.digits)
        .filter((number) => {
          const faulty = { top3: number, bottom2: number, front3: [number], back3: [number] }
          const odd = { top3: '895', bottom2: '52', front3: numbers, back3: numbers }
          return betType.wins(number, odd) || betType.wins(number, faulty)
        })
        .map((number) => `${betType.code} ${number}`),
    )
    expect(won).toEqual([])
  })
})

describe('quotaKey', () => {
  it('pools rolls by their digits and keeps every other number', () => {
    const wrong = betTypes.flatMap((betType) => {
      const isRoll = betType.code === '3roll' || betType.code === '2roll'
      return everyNumber(betType.digits).filter(
        (number) => betType.quotaKey(number) !== (isRoll ? multisetOf(number) : number),
      )
    })
    expect(wrong).toEqual([])
    expect(betTypeByCode['3roll'].quotaKey('970')).toBe('079')
    expect(betTypeByCode['2roll'].quotaKey('31')).toBe('13')
    expect(betTypeByCode['3top'].quotaKey('970')).toBe('970')
  })

  it('makes 220 pools of the 1,000 3roll numbers and 55 of the 100 2roll numbers', () => {
    expect(new Set(threeDigits.map((number) => betTypeByCode['3roll'].quotaKey(number))).size).toBe(220)
    expect(new Set(twoDigits.map((number) => betTypeByCode['2roll'].quotaKey(number))).size).toBe(55)
  })

  it('numbers of one pool win for the same results', () => {
    const torn = (['3roll', '2roll'] as const).flatMap((code) =>
      allTop3Results.filter((result) => {
        const winners = betTypeByCode[code].winningNumbers(result)
        const whole = new Set(winners.flatMap(everyOrderOf))
        return whole.size !== winners.length
      }),
    )
    expect(torn).toEqual([])
  })
})
