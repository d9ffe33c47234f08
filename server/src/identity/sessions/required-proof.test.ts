// Goal: while many unknown browsers wait, or after many failures of their subnet, an attempt costs work before it costs
// a hash.

import { expect, test } from 'vitest'
import type { HashKind } from '../accounts/index.ts'
import { createRequiredProof } from './required-proof.ts'

function requiredAt(waiting: Partial<Record<HashKind | 'pictures', number>>, clock = { ms: 0 }) {
  return createRequiredProof(
    (kind) => waiting[kind] ?? 0,
    () => waiting.pictures ?? 0,
    () => clock.ms,
  )
}

test('in quiet a picture is enough', () => {
  const { refuseWithout, levelFor } = requiredAt({ unknown: 19, proven: 3, known: 50, signed_in: 50, pictures: 10 })
  expect(() => refuseWithout('a', 0)).not.toThrow()
  expect(levelFor('a')).toBe(0)
})

test.each([
  ['unknown browsers wait', { unknown: 20 }, 2],
  ['pictures wait to be drawn', { pictures: 11 }, 2],
  ['callers with a proof wait', { proven: 4 }, 2],
  ['many of them wait', { proven: 16 }, 4],
] as const)(
  'where %s a proof is required, and one that was hard enough before is enough',
  (_name, waiting, proof_level) => {
    const { refuseWithout, levelFor } = requiredAt(waiting)
    const refusal = expect.objectContaining({ code: 'log_in_paused', details: { wait_ms: 5_000, proof_level } })
    for (const level of [0, 1] as const) expect(() => refuseWithout('a', level)).toThrow(refusal)
    for (const level of [2, 3, 4] as const) expect(() => refuseWithout('a', level)).not.toThrow()
    expect(levelFor('a')).toBe(proof_level)
  },
)

// Defect: a proof of level 1 could be had in a flood and after any number of wrong passwords: some 15,000 hashes an attempt.
test('a subnet that has failed often needs a proof for ten minutes, in quiet too, and others do not', () => {
  const clock = { ms: 0 }
  const waiting: Partial<Record<HashKind, number>> = {}
  const { levelFor, noteFailure } = requiredAt(waiting, clock)
  const fail = (times: number) => {
    for (let each = 0; each < times; each += 1) noteFailure('a')
  }
  fail(29)
  expect(levelFor('a')).toBe(0)
  fail(1)
  expect([levelFor('a'), levelFor('b')]).toEqual([2, 0])
  waiting.proven = 16
  expect(levelFor('a')).toBe(4)
  waiting.proven = 0
  fail(1_000)
  expect([levelFor('a'), levelFor('b')]).toEqual([2, 0])
  clock.ms = 10 * 60_000
  expect(levelFor('a')).toBe(0)
})

test('of 10,000 subnets at most the failures are remembered, and the last ones longest', () => {
  const { levelFor, noteFailure } = requiredAt({})
  for (let each = 0; each < 30; each += 1) for (const subnet of ['a', 'b']) noteFailure(subnet)
  for (let each = 0; each < 9_998; each += 1) noteFailure(`other${each}`)
  noteFailure('a')
  expect([levelFor('a'), levelFor('b')]).toEqual([2, 2])
  noteFailure('one more')
  expect([levelFor('a'), levelFor('b')]).toEqual([2, 0])
})
