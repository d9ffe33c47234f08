// Goal: what a number would cost the house is the sum of what its items would be paid, rolls pooled, the dearest first.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betTypeByCode, betTypeCodes } from './bet-type.ts'
import { listExposure, rateSlip, type RatedItem } from './exposure.ts'
import type { SlipLine } from './slip.ts'
import type { BetTypeTerms } from './terms.ts'

function item(bet_type: RatedItem['bet_type'], number: string, received_satang: number, rate: number): RatedItem {
  return { bet_type, number, received_satang, rate }
}

describe('listExposure', () => {
  it('adds up the items of one number, at their own rates', () => {
    expect(listExposure([item('3top', '123', 500, 55_000), item('3top', '123', 500, 27_500)])).toEqual([
      { bet_type: '3top', number: '123', received_satang: 1_000, win_satang: 412_500 },
    ])
  })

  it('pools the rolls by their digits and nothing else', () => {
    const items = [item('2roll', '21', 100, 1_200), item('2roll', '12', 100, 1_200), item('2top', '21', 100, 7_000)]
    expect(listExposure(items)).toEqual([
      { bet_type: '2top', number: '21', received_satang: 100, win_satang: 7_000 },
      { bet_type: '2roll', number: '12', received_satang: 200, win_satang: 2_400 },
    ])
  })

  it('lists the dearest first, equal ones in the order of bet types and numbers', () => {
    const items = [
      item('1top', '5', 100, 300),
      item('2top', '07', 100, 300),
      item('2top', '06', 100, 300),
      item('3top', '999', 100, 300),
      item('1bottom', '5', 100, 420),
    ]
    expect(listExposure(items).map((one) => `${one.bet_type} ${one.number}`)).toEqual([
      ...['1bottom 5', '3top 999', '2top 06', '2top 07', '1top 5'],
    ])
    expect(listExposure([])).toEqual([])
  })

  it('refuses items that hold no amounts', () => {
    expect(() => listExposure([item('1top', '5', -1, 300)])).toThrow(RangeError)
  })

  it('loses no satang, whatever the items and their order', () => {
    const anyItem = fc
      .record({
        bet_type: fc.constantFrom(...betTypeCodes),
        value: fc.integer({ min: 0, max: 30 }),
        baht: fc.integer({ min: 1, max: 100 }),
        rate: fc.integer({ min: 0, max: 90_000 }),
      })
      .map(({ bet_type, value, baht, rate }) =>
        item(bet_type, String(value).padStart(3, '0').slice(-betTypeByCode[bet_type].digits), baht * 100, rate),
      )
    fc.assert(
      fc.property(fc.array(anyItem), (items) => {
        const exposures = listExposure(items)
        const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0)
        expect(sum(exposures.map((one) => one.received_satang))).toBe(sum(items.map((one) => one.received_satang)))
        expect(sum(exposures.map((one) => one.win_satang))).toBe(
          sum(items.map((one) => (one.received_satang / 100) * one.rate)),
        )
        expect(listExposure(items.toReversed())).toEqual(exposures)
      }),
    )
  })
})

describe('rateSlip', () => {
  const terms = [
    { bet_type: '3top', rate: 55_000, is_on: true },
    { bet_type: '2top', rate: 7_000, is_on: false },
  ] as BetTypeTerms[]

  it('takes lines in full at the rates of the package', () => {
    expect(rateSlip([{ bet_type: '3top', number: '007', bet_satang: 500 }], terms)).toEqual([
      item('3top', '007', 500, 55_000),
    ])
  })

  it('leaves out what could not be taken', () => {
    const lines: SlipLine[] = [
      { bet_type: '3top', number: '07', bet_satang: 500 },
      { bet_type: '3top', number: '07x', bet_satang: 500 },
      { bet_type: '3top', number: '007', bet_satang: 550 },
      { bet_type: '3top', number: '007', bet_satang: Number.NaN },
      { bet_type: '2top', number: '07', bet_satang: 500 },
      { bet_type: '1top', number: '7', bet_satang: 500 },
    ]
    expect(rateSlip(lines, terms)).toEqual([])
  })
})
