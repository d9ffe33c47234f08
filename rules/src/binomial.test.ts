// The tail equals a count of every outcome, and a calculation in whole fractions without rounding.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOfAtLeast } from './binomial.ts'

/** Trials with a chance of `part` in `whole`. */
type Fractions = readonly (readonly [count: number, part: bigint, whole: bigint])[]

function binomial(count: number, chosen: number): bigint {
  let ways = 1n
  for (let step = 1; step <= chosen; step += 1) ways = (ways * BigInt(count - step + 1)) / BigInt(step)
  return ways
}

/**
 * P(X ≥ hits) in whole numbers of any size: the binomial formula for each group, and for several groups the sum over
 * all ways to split the hits. Only the last step rounds, to a double.
 */
function tailInFractions(hits: number, groups: Fractions): number {
  let ways: bigint[] = [1n]
  let whole = 1n
  for (const [count, part, all] of groups) {
    const own = Array.from(
      { length: count + 1 },
      (_, found) => binomial(count, found) * part ** BigInt(found) * (all - part) ** BigInt(count - found),
    )
    const together = Array.from({ length: ways.length + count }, () => 0n)
    for (const [before, one] of ways.entries())
      for (const [found, other] of own.entries()) together[before + found]! += one * other
    ways = together
    whole *= all ** BigInt(count)
  }
  const favourable = ways.slice(hits).reduce((sum, each) => sum + each, 0n)
  const scale = 10n ** 60n
  return Number((favourable * scale) / whole) / 1e60
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

const inDoubles = (groups: Fractions) =>
  groups.map(([count, part, whole]) => ({ count, chance: Number(part) / Number(whole) }))

describe('the tail of equal trials', () => {
  test.each([
    [1, 1, 1n, 100n],
    [3, 30, 1n, 100n],
    [5, 40, 1n, 1_000n],
    [10, 200, 27n, 100n],
    [60, 100, 1n, 2n],
    [12, 365, 1n, 1_000n],
  ])('%i of %i at %s in %s', (hits, count, part, whole) => {
    const groups: Fractions = [[count, part, whole]]
    const tail = chanceOfAtLeast(hits, inDoubles(groups))
    expect(Math.abs(tail / tailInFractions(hits, groups) - 1)).toBeLessThan(1e-11)
  })
})

test('groups of unequal trials agree with whole fractions, as far out as 1e-40', () => {
  const group = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.bigInt({ min: 0n, max: 1_000n }), fc.constant(1_000n))
  fc.assert(
    fc.property(fc.array(group, { maxLength: 4 }), fc.integer({ min: 0, max: 40 }), (groups, hits) => {
      const exact = tailInFractions(hits, groups)
      const tail = chanceOfAtLeast(hits, inDoubles(groups))
      const difference = exact > 1e-40 ? Math.abs(tail / exact - 1) : tail - exact
      expect(difference).toBeLessThan(exact > 1e-40 ? 1e-9 : 1e-38)
    }),
  )
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
  [0, 1, -0.1],
  [1, 1, Number.NaN],
])('%d hits, %d trials at %d are refused', (hits, count, chance) => {
  expect(() => chanceOfAtLeast(hits, [{ count, chance }])).toThrow(RangeError)
})
