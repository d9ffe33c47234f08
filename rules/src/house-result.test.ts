// The payout of each result equals what settlement would pay, for every result, and statements about all results equal
// a count over all of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, betTypes } from './bet-type.ts'
import { betOfSlot, quotaSlotOf, SLOT_COUNT, slotOf } from './bet-slot.ts'
import type { DrawResult } from './draw-result.ts'
import {
  distributePayouts,
  drawPartOf,
  payoutOfResult,
  payoutsByBottom,
  payoutsByTop,
  worstNumbers,
  worstPayout,
  worstResults,
} from './house-result.ts'

const topBottom: readonly BetTypeCode[] = betTypes
  .map(({ code }) => code)
  .filter((code) => drawPartOf[code] === 'top' || drawPartOf[code] === 'bottom')

/** Payouts of some bets, by quota slot. */
function payoutsOf(types: readonly BetTypeCode[]): fc.Arbitrary<Float64Array> {
  const bet = fc.tuple(fc.constantFrom(...types), fc.nat(999), fc.integer({ min: 1, max: 5_000_000 }))
  return fc.array(bet, { maxLength: 60 }).map((bets) => {
    const payouts = new Float64Array(SLOT_COUNT)
    for (const [type, value, satang] of bets) {
      const { digits } = betTypeByCode[type]
      payouts[quotaSlotOf(slotOf(type, String(value % 10 ** digits).padStart(digits, '0')))]! += satang
    }
    return payouts
  })
}

/**
 * The payout of a result, asking each bet whether it wins.
 * @returns a function, because each bet is asked for many results
 */
function plainPayoutsOf(payouts: Float64Array) {
  const bets = Array.from(payouts, (payout, slot) => ({ payout, slot }))
    .filter(({ payout }) => payout !== 0)
    .map(({ payout, slot }) => ({ payout, ...betOfSlot(slot)! }))
  return (result: DrawResult, bottom3_set: 'back' | 'front+back' = 'back'): number =>
    bets.reduce(
      (sum, { payout, bet_type, number }) =>
        betTypeByCode[bet_type].wins(number, result, bottom3_set) ? sum + payout : sum,
      0,
    )
}

const digits = (value: number, length: number) => String(value).padStart(length, '0')

test('every top and bottom result costs the payouts of its winning bets', () => {
  fc.assert(
    fc.property(payoutsOf(topBottom), (payouts) => {
      const top = payoutsByTop(payouts)
      const bottom = payoutsByBottom(payouts)
      const plain = plainPayoutsOf(payouts)
      expect([...top]).toEqual(Array.from(top, (_, value) => plain({ top3: digits(value, 3), bottom2: '' })))
      expect([...bottom]).toEqual(Array.from(bottom, (_, value) => plain({ top3: '', bottom2: digits(value, 2) })))
      expect([top.length, bottom.length]).toEqual([1_000, 100])
    }),
    { numRuns: 20 },
  )
})

test('top and bottom are independent: a result costs the sum of its parts', () => {
  fc.assert(
    fc.property(
      payoutsOf(betTypes.map(({ code }) => code)),
      fc.nat(999),
      fc.nat(99),
      fc.array(fc.nat(999), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('back' as const, 'front+back' as const),
      (payouts, top, bottom, numbers, bottom3_set) => {
        const [front1, front2, back1, back2] = numbers.map((number) => digits(number, 3)) as [
          string,
          string,
          string,
          string,
        ]
        const result = {
          top3: digits(top, 3),
          bottom2: digits(bottom, 2),
          front3: [front1, front2],
          back3: [back1, back2],
        }
        const paid = payoutOfResult(payouts, result, bottom3_set)
        const plain = plainPayoutsOf(payouts)
        expect(paid).toBe(plain(result, bottom3_set))
        expect(paid).toBeLessThanOrEqual(worstPayout(payouts, bottom3_set))
        const others = plain({ ...result, top3: '', bottom2: '' }, bottom3_set)
        expect(paid).toBe(payoutsByTop(payouts)[top]! + payoutsByBottom(payouts)[bottom]! + others)
      },
    ),
    { numRuns: 200 },
  )
})

test('worst results, chance of loss and percentile are those of all 100,000 results', () => {
  fc.assert(
    fc.property(payoutsOf(topBottom), fc.integer({ min: -1_000_000, max: 20_000_000 }), (payouts, net) => {
      const all: number[] = []
      const byBottom = payoutsByBottom(payouts)
      for (const top of payoutsByTop(payouts)) for (const bottom of byBottom) all.push(net - top - bottom)
      all.sort((one, other) => one - other)
      expect(worstResults(payouts, net, 50).map(({ result_satang }) => result_satang)).toEqual(all.slice(0, 50))
      expect(net - worstPayout(payouts, 'back')).toBe(all[0])
      const { loss_chance, percentile_99_satang, resolution_satang, histogram } = distributePayouts(
        payouts,
        net,
        'back',
      )
      const { step_satang, chances } = histogram
      const counts = chances.map(() => 0)
      for (const one of all) counts[Math.floor((net - one) / step_satang)]! += 1
      expect(chances.length).toBeLessThanOrEqual(60)
      for (const [place, chance] of chances.entries()) expect(chance).toBeCloseTo(counts[place]! / all.length, 9)
      expect(resolution_satang).toBe(0)
      expect(loss_chance).toBe(all.filter((result) => result < 0).length / all.length)
      // 1 % of the results are worse.
      expect(net - percentile_99_satang).toBe(all[all.length / 100])
    }),
    { numRuns: 15 },
  )
})

test('the worst front and back numbers are the worst of all, also if a number counts in both', () => {
  const numbers: readonly BetTypeCode[] = ['3front', '3bottom']
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...numbers), fc.nat(5), fc.integer({ min: 1, max: 100 })), { maxLength: 14 }),
      fc.constantFrom('back' as const, 'front+back' as const),
      (bets, bottom3_set) => {
        const payouts = new Float64Array(SLOT_COUNT)
        for (const [type, value, satang] of bets) payouts[slotOf(type, digits(value, 3))]! += satang
        let worst = 0
        const plain = plainPayoutsOf(payouts)
        const few = Array.from({ length: 10 }, (_, value) => digits(value, 3))
        for (const one of few)
          for (const two of few)
            for (const three of few)
              for (const four of few)
                worst = Math.max(
                  worst,
                  plain({ top3: '', bottom2: '', front3: [one, two], back3: [three, four] }, bottom3_set),
                )
        expect(worstNumbers(payouts, bottom3_set).payout_satang).toBe(worst)
      },
    ),
    { numRuns: 8 },
  )
})

test('with front and back numbers, probability and percentile are bounds within the step size', () => {
  const payouts = new Float64Array(SLOT_COUNT)
  for (let number = 0; number < 1_000; number++) {
    payouts[slotOf('3front', digits(number, 3))] = 1_000
    payouts[slotOf('3bottom', digits(number, 3))] = 500
  }
  // Different numbers cost 2,000 and 1,000; a number drawn twice costs half.
  const { loss_chance, resolution_satang } = distributePayouts(payouts, 2_900, 'back')
  expect(resolution_satang).toBe(2)
  expect(loss_chance).toBeCloseTo(0.999 * 0.999, 9)
  expect(distributePayouts(payouts, 3_000, 'back').loss_chance).toBe(0)
  const { step_satang, chances } = distributePayouts(payouts, 3_000, 'back').histogram
  expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
  expect(chances[Math.floor(3_000 / step_satang)]).toBeCloseTo(0.999 * 0.999, 9)
  expect(distributePayouts(payouts, 3_000, 'back').percentile_99_satang).toBe(3_000)
})
