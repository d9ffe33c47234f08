// Goal: the tail is that of counting every outcome, and of the binomial formula in whole numbers of any size.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOfAtLeast } from './binomial.ts'

/** P(X ≥ hits) for a chance of `part` in `whole`, in exact fractions; the last step rounds to a double. */
function tailByFormula(hits: number, count: number, part: bigint, whole: bigint): number {
  let [favourable, ways] = [0n, 1n]
  for (let found = 0; found <= count; found += 1) {
    if (found >= hits) favourable += ways * part ** BigInt(found) * (whole - part) ** BigInt(count - found)
    ways = (ways * BigInt(count - found)) / BigInt(found + 1)
  }
  const scale = 10n ** 60n
  return Number((favourable * scale) / whole ** BigInt(count)) / 1e60
}

/** The same by trying every outcome of all trials. */
function tailByOutcomes(hits: number, chances: readonly number[]): number {
  let sum = 0
  for (let outcome = 0; outcome < 2 ** chances.length; outcome += 1) {
    let [found, chance] = [0, 1]
    for (const [trial, each] of chances.entries()) {
      const isHit = Math.floor(outcome / 2 ** trial) % 2 === 1
      if (isHit) found += 1
      chance *= isHit ? each : 1 - each
    }
    if (found >= hits) sum += chance
  }
  return sum
}

describe('the tail of equal trials', () => {
  test.each([
    [1, 1, 1n, 100n],
    [3, 30, 1n, 100n],
    [5, 40, 1n, 1_000n],
    [10, 200, 27n, 100n],
    [60, 100, 1n, 2n],
    [12, 365, 1n, 1_000n],
  ])('%i of %i at %s in %s', (hits, count, part, whole) => {
    const tail = chanceOfAtLeast(hits, [{ count, chance: Number(part) / Number(whole) }])
    const expected = tailByFormula(hits, count, part, whole)
    expect(Math.abs(tail / expected - 1)).toBeLessThan(1e-11)
  })
})

test('unequal trials agree with every outcome counted', () => {
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 })
  fc.assert(
    fc.property(chances, fc.integer({ min: 0, max: 11 }), (each, hits) => {
      const tail = chanceOfAtLeast(
        hits,
        each.map((chance) => ({ count: 1, chance })),
      )
      expect(tail).toBeCloseTo(tailByOutcomes(hits, each), 12)
    }),
  )
})

test('certain and impossible outcomes', () => {
  expect(chanceOfAtLeast(0, [])).toBe(1)
  expect(chanceOfAtLeast(1, [])).toBe(0)
  expect(chanceOfAtLeast(4, [{ count: 3, chance: 0.9 }])).toBe(0)
  expect(chanceOfAtLeast(3, [{ count: 3, chance: 1 }])).toBe(1)
})

test.each([
  [-1, 1, 0.5],
  [1.5, 1, 0.5],
  [1, -1, 0.5],
  [1, 1, 1.1],
  [1, 1, Number.NaN],
])('%d hits, %d trials at %d are refused', (hits, count, chance) => {
  expect(() => chanceOfAtLeast(hits, [{ count, chance }])).toThrow(RangeError)
})
