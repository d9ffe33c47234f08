// Every amount is exact to the satang for all safe integers, and lines and totals agree to the satang. The reference
// calculation uses BigInt.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addUpLines,
  computeLineMoney,
  discountSatang,
  halfRate,
  isDiscountLower,
  netSatang,
  winSatang,
} from './money.ts'

const MAX = Number.MAX_SAFE_INTEGER

function exactHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

function winOrRefusal(received: number, rate: number): number | 'refused' {
  try {
    return winSatang(received, rate)
  } catch (error) {
    if (error instanceof RangeError) return 'refused'
    throw error
  }
}

const anyAmount = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.maxSafeNat())
const anyDiscountRate = fc.integer({ min: 0, max: 10_000 })

describe('discountSatang', () => {
  it.each([
    [500, 3300, 165],
    [1, 3300, 0],
    [2, 2500, 1],
    [3, 1500, 0],
    [1, 4999, 0],
    [1, 5000, 1],
    [9_999, 1, 1],
    [5_000, 1, 1],
    [4_999, 1, 0],
    [10_000, 1, 1],
    [0, 10_000, 0],
    [777, 0, 0],
    [777, 10_000, 777],
    [MAX, 10_000, MAX],
    [MAX, 5_000, (MAX + 1) / 2],
    [MAX, 9_999, Number(exactHalfUp(BigInt(MAX) * 9_999n, 10_000n))],
  ])('of %d at %d is %d', (received, rate, discount) => {
    expect(discountSatang(received, rate)).toBe(discount)
    expect(netSatang(received, rate)).toBe(received - discount)
  })

  it('is exact for every safe amount and rate, and never more than the amount', () => {
    fc.assert(
      fc.property(anyAmount, anyDiscountRate, (received, rate) => {
        const discount = discountSatang(received, rate)
        expect(BigInt(discount)).toBe(exactHalfUp(BigInt(received) * BigInt(rate), 10_000n))
        expect(discount).toBeLessThanOrEqual(received)
        expect(netSatang(received, rate) + discount).toBe(received)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    [-1, 0],
    [1.5, 0],
    [Number.NaN, 0],
    [Infinity, 0],
    [MAX + 1, 0],
    [1, -1],
    [1, 0.5],
    [1, Number.NaN],
    [1, 10_001],
  ])('refuses %d at %d', (received, rate) => {
    expect(() => discountSatang(received, rate)).toThrow(RangeError)
    expect(() => netSatang(received, rate)).toThrow(RangeError)
  })

  it('names the wrong argument', () => {
    expect(() => discountSatang(-1, 0)).toThrow('receivedSatang is no amount: -1')
    expect(() => discountSatang(1, -2)).toThrow('discountRate is no amount: -2')
    expect(() => discountSatang(1, 10_001)).toThrow('discountRate is over 100 %: 10001')
    expect(() => winSatang(-1, 1)).toThrow('receivedSatang is no amount: -1')
    expect(() => winSatang(1, -1)).toThrow('rate is no amount: -1')
    expect(() => winSatang(MAX, 200)).toThrow('win is no amount')
    expect(() => halfRate(-1)).toThrow('rate is no amount: -1')
    expect(() => computeLineMoney(-1, 0, 0)).toThrow('bet_satang is no amount: -1')
  })
})

describe('isDiscountLower', () => {
  it('compares with the discount that the member saw, if it differs', () => {
    expect(isDiscountLower(100, 99)).toBe(true)
    expect(isDiscountLower(100, 100)).toBe(false)
    expect(isDiscountLower(100, 101)).toBe(false)
    expect(isDiscountLower(null, 0)).toBe(false)
  })
})

describe('winSatang', () => {
  it.each([
    [500, 55_000, 275_000],
    [500, 320, 1_600],
    [10_000, 420, 42_000],
    [100, 0, 0],
    [0, 90_000, 0],
    [1, 50, 1],
    [1, 49, 0],
    [1, 150, 2],
    [3, 333, 10],
    [50, 101, 51],
    [50, 99, 50],
    [MAX, 100, MAX],
    [100, MAX, MAX],
    [1, MAX, Number(exactHalfUp(BigInt(MAX), 100n))],
  ])('of %d at %d is %d', (received, rate, win) => {
    expect(winSatang(received, rate)).toBe(win)
  })

  it('is exact if the win is a safe integer, and refuses otherwise', () => {
    fc.assert(
      fc.property(anyAmount, fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.maxSafeNat()), (received, rate) => {
        const exact = exactHalfUp(BigInt(received) * BigInt(rate), 100n)
        expect(winOrRefusal(received, rate)).toBe(exact > BigInt(MAX) ? 'refused' : Number(exact))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    [-100, 1],
    [0.5, 1],
    [100, -1],
    [100, 1.5],
    [100, Number.NaN],
    [MAX, 101],
  ])('refuses %d at %d', (received, rate) => {
    expect(() => winSatang(received, rate)).toThrow(RangeError)
  })
})

describe('halfRate', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [320, 160],
    [425, 213],
    [55_000, 27_500],
    [MAX, (MAX + 1) / 2],
  ])('of %d is %d', (rate, half) => {
    expect(halfRate(rate)).toBe(half)
  })

  it.each([-2, 0.5, Number.NaN])('refuses %d', (rate) => {
    expect(() => halfRate(rate)).toThrow(RangeError)
  })
})

describe('lines and totals', () => {
  it('computes a line from its received amount', () => {
    expect(computeLineMoney(1_000, 500, 3_300)).toEqual({
      bet_satang: 1_000,
      received_satang: 500,
      discount_satang: 165,
      net_satang: 335,
      win_satang: 0,
    })
  })

  it('rounds once per line: three lines of 0.5 satang of discount make 3, not 2', () => {
    const lines = [1, 1, 1].map((received) => computeLineMoney(received, received, 5_000))
    expect(addUpLines(lines).discount_satang).toBe(3)
  })

  it('totals no lines to 0', () => {
    const nothing = { bet_satang: 0, received_satang: 0, discount_satang: 0, net_satang: 0, win_satang: 0 }
    expect(addUpLines([])).toEqual(nothing)
  })

  it('neither creates nor loses a satang between lines and totals', () => {
    const anyLine = fc.record({
      bet: fc.integer({ min: 0, max: 1e10 }),
      received: fc.integer({ min: 0, max: 1e10 }),
      rate: anyDiscountRate,
      win: fc.integer({ min: 0, max: 1e12 }),
    })
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 50 }), (drafts) => {
        const lines = drafts.map(({ bet, received, rate, win }) => ({
          ...computeLineMoney(bet, received, rate),
          win_satang: win,
        }))
        const total = addUpLines(lines)
        expect(total.net_satang + total.discount_satang).toBe(total.received_satang)
        for (const field of ['bet_satang', 'received_satang', 'discount_satang', 'net_satang', 'win_satang'] as const)
          expect(BigInt(total[field])).toBe(lines.reduce((sum, line) => sum + BigInt(line[field]), 0n))
      }),
    )
  })

  it('refuses a total beyond safe integers, and lines without valid amounts', () => {
    const half = computeLineMoney(MAX, MAX, 0)
    expect(() => addUpLines([half, half])).toThrow(RangeError)
    expect(() => addUpLines([{ ...half, win_satang: Number.NaN }])).toThrow('win_satang is no amount')
    expect(() => addUpLines([{ ...half, net_satang: -1 }])).toThrow('net_satang is no amount: -1')
  })
})
