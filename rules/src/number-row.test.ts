// Each row has exactly the numbers of its name, in ascending order.

import { describe, expect, it } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import {
  doubles,
  evenNumbers,
  expandFixBack,
  expandFixFront,
  highNumbers,
  lowNumbers,
  oddNumbers,
  tenDigits,
  triples,
} from './number-row.ts'

const hundred = everyNumber(2)

describe('rows of numbers', () => {
  it('fix front and fix back, for every digit', () => {
    for (const digit of everyNumber(1)) {
      expect(expandFixFront(digit)).toEqual(hundred.filter((number) => number[0] === digit))
      expect(expandFixBack(digit)).toEqual(hundred.filter((number) => number[1] === digit))
    }
  })

  it('doubles and triples', () => {
    expect(doubles).toEqual(['00', '11', '22', '33', '44', '55', '66', '77', '88', '99'])
    expect(triples).toEqual(['000', '111', '222', '333', '444', '555', '666', '777', '888', '999'])
    expect(tenDigits).toEqual(everyNumber(1))
  })

  it('low and high, odd and even: fifty numbers each, together all hundred', () => {
    expect(lowNumbers).toEqual(hundred.filter((number) => Number(number) < 50))
    expect(highNumbers).toEqual(hundred.filter((number) => Number(number) >= 50))
    expect(oddNumbers).toEqual(hundred.filter((number) => Number(number) % 2 === 1))
    expect(evenNumbers).toEqual(hundred.filter((number) => Number(number) % 2 === 0))
    for (const row of [lowNumbers, highNumbers, oddNumbers, evenNumbers]) expect(row).toHaveLength(50)
  })
})
