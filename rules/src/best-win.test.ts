// No draw pays more than the best win, and the named draw pays exactly that. The reference calculation tries every
// draw.

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { findBestWin } from './best-win.ts'
import { betTypeCodes, type BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, type Bottom3Set } from './bet-type.ts'
import { checkDrawResult, type DrawResult } from './draw-result.ts'
import type { RatedItem } from './rate-slip.ts'

function item(bet_type: BetTypeCode, number: string, received_satang = 100, rate = 100): RatedItem {
  return { bet_type, number, received_satang, rate }
}

/** The total win of all items for one draw. */
function winOf(items: readonly RatedItem[], result: DrawResult, bottom3_set: Bottom3Set): number {
  return items
    .filter((one) => betTypeByCode[one.bet_type].wins(one.number, result, bottom3_set))
    .reduce((sum, one) => sum + (one.received_satang * one.rate) / 100, 0)
}

/** The best win by trying every top3 and every bottom2. */
function tryTopAndBottom(items: readonly RatedItem[]): number {
  const tops = everyNumber(3).map((top3) => winOf(items, { top3, bottom2: '' }, 'back'))
  const bottoms = everyNumber(2).map((bottom2) => winOf(items, { top3: '', bottom2 }, 'back'))
  return Math.max(...tops) + Math.max(...bottoms)
}

/** The best win by trying every pair of front and of back numbers, among the numbers bet on and one other. */
function tryFrontAndBack(items: readonly RatedItem[], bottom3_set: Bottom3Set): number {
  const numbers = [...new Set(items.map((one) => one.number)), '999']
  const pairs = numbers.flatMap((first) => numbers.map((second) => [first, second]))
  let best = 0
  for (const front3 of pairs)
    for (const back3 of pairs)
      best = Math.max(best, winOf(items, { top3: '', bottom2: '', front3, back3 }, bottom3_set))
  return best
}

describe('worked examples', () => {
  it('an empty slip wins nothing', () => {
    expect(findBestWin([])).toEqual({ win_satang: 0, result: { top3: '000', bottom2: '00' } })
  })

  it('bets that win together are added; mutually exclusive bets are not', () => {
    const items = [
      item('3top', '123', 100, 55_000),
      item('3top', '321', 200, 55_000),
      item('3roll', '123', 100, 10_500),
      item('2top', '21', 100, 7_000),
      item('1top', '1', 100, 300),
      item('2bottom', '45', 100, 7_000),
      item('2bottom', '46', 100, 7_100),
      item('1bottom', '5', 100, 400),
    ]
    expect(findBestWin(items)).toEqual({
      win_satang: 110_000 + 10_500 + 7_000 + 300 + 7_000 + 400,
      result: { top3: '321', bottom2: '45' },
    })
  })

  it('two front and two back numbers can win at once, a third cannot', () => {
    const items = ['111', '222', '333'].flatMap((number, place) => [
      item('3front', number, 100, 100 + place),
      item('3bottom', number, 100, 200 + place),
    ])
    expect(findBestWin(items)).toEqual({
      win_satang: 102 + 101 + 202 + 201,
      result: { top3: '000', bottom2: '00', front3: ['333', '222'], back3: ['333', '222'] },
    })
  })

  it('where 3bottom counts both lists, four of its numbers can win, and each pays once', () => {
    const items = ['111', '222', '333', '444', '555'].map((number) => item('3bottom', number))
    expect(findBestWin(items, 'front+back').win_satang).toBe(400)
    expect(findBestWin(items, 'back').win_satang).toBe(200)
    expect(findBestWin([item('3bottom', '111'), item('3front', '111')], 'front+back').win_satang).toBe(200)
  })

  it('a front number may pay less as 3front than as 3bottom', () => {
    const items = [
      ...['111', '222'].map((number) => item('3front', number, 100, 10)),
      ...['333', '444', '555', '666'].map((number) => item('3bottom', number)),
    ]
    expect(findBestWin(items, 'front+back').win_satang).toBe(400)
  })

  it('the smallest of equal front and back numbers are named, even without a win', () => {
    expect(findBestWin([item('3bottom', '111')]).result).toMatchObject({
      front3: ['000', '001'],
      back3: ['111', '000'],
    })
    expect(findBestWin([item('3front', '111', 100, 0)])).toEqual({
      win_satang: 0,
      result: { top3: '000', bottom2: '00', front3: ['000', '001'], back3: ['000', '001'] },
    })
  })

  it('the smallest of equal draws is named', () => {
    expect(findBestWin([item('1top', '5'), item('1bottom', '5')]).result).toEqual({ top3: '005', bottom2: '05' })
  })

  it('the first call returns the same as later calls', async () => {
    vi.resetModules()
    const fresh = await import('./best-win.ts')
    const items = [
      ...[item('3top', '007'), item('3roll', '700'), item('2top', '07'), item('2roll', '70'), item('1top', '7')],
      ...[item('2bottom', '09'), item('1bottom', '9')],
    ]
    const best = { win_satang: 700, result: { top3: '007', bottom2: '09' } }
    expect(fresh.findBestWin(items)).toEqual(best)
    expect(fresh.findBestWin(items)).toEqual(best)
  })

  it('refuses items without valid amounts', () => {
    expect(() => findBestWin([item('3top', '123', -1)])).toThrow(RangeError)
  })
})

describe('against every draw', () => {
  const anyItem = (types: readonly BetTypeCode[], largest: number) =>
    fc
      .record({
        bet_type: fc.constantFrom(...types),
        value: fc.integer({ min: 0, max: largest }),
        baht: fc.integer({ min: 1, max: 20 }),
        rate: fc.constantFrom(100, 300, 1_200, 7_000, 10_500, 55_000),
      })
      .map(({ bet_type, value, baht, rate }) =>
        item(bet_type, String(value).padStart(3, '0').slice(-betTypeByCode[bet_type].digits), baht * 100, rate),
      )
  const sides: readonly BetTypeCode[] = ['3front', '3bottom']
  const plain = betTypeCodes.filter((code) => !sides.includes(code))

  it('top and bottom: the best of all 1,000 × 100', () => {
    fc.assert(
      fc.property(fc.array(anyItem(plain, 999), { minLength: 1, maxLength: 15 }), (items) => {
        const best = findBestWin(items)
        expect(best.win_satang).toBe(tryTopAndBottom(items))
        expect(winOf(items, best.result, 'back')).toBe(best.win_satang)
        expect(checkDrawResult(best.result, 'three_and_two')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('front and back: the best of all pairs, for either set', () => {
    fc.assert(
      fc.property(
        fc.array(anyItem(sides, 5), { minLength: 1, maxLength: 12 }),
        fc.constantFrom<Bottom3Set>('back', 'front+back'),
        (items, bottom3_set) => {
          const best = findBestWin(items, bottom3_set)
          expect(best.win_satang).toBe(tryFrontAndBack(items, bottom3_set))
          expect(winOf(items, best.result, bottom3_set)).toBe(best.win_satang)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('all bet types: the parts add up, and the named draw pays the total', () => {
    fc.assert(
      fc.property(
        fc.array(anyItem(betTypeCodes, 30), { maxLength: 30 }),
        fc.constantFrom<Bottom3Set>('back', 'front+back'),
        (items, bottom3_set) => {
          const isSide = (one: RatedItem): boolean => sides.includes(one.bet_type)
          const best = findBestWin(items, bottom3_set)
          const onTop = findBestWin(items.filter((one) => !isSide(one)))
          const onSides = findBestWin(items.filter(isSide), bottom3_set)
          expect(best.win_satang).toBe(onTop.win_satang + onSides.win_satang)
          expect(winOf(items, best.result, bottom3_set)).toBe(best.win_satang)
        },
      ),
      { numRuns: 100 },
    )
  })
})
