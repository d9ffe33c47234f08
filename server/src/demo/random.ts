// Pseudo-random numbers that are the same for the same seed, so that a seeded database can be reproduced. Never for
// secrets.

import { createHash } from 'node:crypto'

export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number between two bounds, both included. */
  between(least: number, most: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** One of the values, with the probability of its weight. */
  pickWeighted<T>(from: readonly (readonly [T, number])[]): T
}

/** Marsaglia's xorshift128 generator. */
export function createRandom(seed: string): Random {
  const hash = createHash('sha256').update(seed).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => hash.readUInt32LE(at)) as [number, number, number, number]
  const next = (): number => {
    const shifted = a ^ (a << 11)
    ;[a, b, c] = [b, c, d]
    d = (d ^ (d >>> 19) ^ shifted ^ (shifted >>> 8)) >>> 0
    return d / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)]!,
    pickWeighted: (from) => {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of from) {
        left -= weight
        if (left < 0) return value
      }
      return from.at(-1)![0]
    },
  }
}
