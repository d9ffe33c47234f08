// The possible win of a slip is computed only from lines that the house could accept.

import { describe, expect, it } from 'vitest'
import { rateSlip, type RatedItem } from './rate-slip.ts'
import type { SlipLine } from './slip.ts'
import type { BetTypeTerms } from './terms.ts'

function item(bet_type: RatedItem['bet_type'], number: string, received_satang: number, rate: number): RatedItem {
  return { bet_type, number, received_satang, rate }
}

describe('rateSlip', () => {
  const terms = [
    { bet_type: '3top', rate: 55_000, is_on: true },
    { bet_type: '2top', rate: 7_000, is_on: false },
  ] as BetTypeTerms[]

  it('rates lines in full at the rates of the package', () => {
    expect(rateSlip([{ bet_type: '3top', number: '007', bet_satang: 500 }], terms)).toEqual([
      item('3top', '007', 500, 55_000),
    ])
  })

  it('rates a number at half pay at half the rate, and leaves out a closed one', () => {
    const lines = ['007', '008', '009', '010'].map((number): SlipLine => ({
      bet_type: '3top',
      number,
      bet_satang: 500,
    }))
    const states = { '3top': { '007': 'half', '008': 'grey', '009': 'yellow' } } as const
    expect(rateSlip(lines, terms, states)).toEqual([
      item('3top', '007', 500, 27_500),
      item('3top', '009', 500, 55_000),
      item('3top', '010', 500, 55_000),
    ])
  })

  it('leaves out lines that cannot be accepted', () => {
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
