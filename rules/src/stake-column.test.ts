// Every bet type has exactly one column, and a column without a bet type returns null.

import { describe, expect, it } from 'vitest'
import { betTypes } from './bet-type.ts'
import { betTypeOfColumn, columnOfBetType, stakeColumns } from './stake-column.ts'

describe('stake columns', () => {
  it('and digits name every bet type exactly once', () => {
    const found = [1, 2, 3].flatMap((digits) => stakeColumns.map((column) => betTypeOfColumn(digits, column)))
    expect(found).toEqual([
      ...['1top', '1bottom', null, null],
      ...['2top', '2bottom', '2roll', null],
      ...['3top', '3bottom', '3roll', '3front'],
    ])
  })

  it('map a bet type to its column and back', () => {
    for (const { code, digits } of betTypes) expect(betTypeOfColumn(digits, columnOfBetType(code))).toBe(code)
  })

  it('have no bet type for other lengths', () => {
    for (const digits of [0, 4, -1, 1.5, Number.NaN]) expect(betTypeOfColumn(digits, 'top')).toBeNull()
  })
})
