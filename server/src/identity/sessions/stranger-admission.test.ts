// Goal: while many strangers wait, an attempt costs work before it costs a hash, and a subnet's past makes it dearer.

import { expect, test } from 'vitest'
import type { HashKind } from '../accounts/index.ts'
import { createStrangerAdmission } from './stranger-admission.ts'

function admissionAt(waiting: Partial<Record<HashKind | 'pictures', number>>, clock = { ms: 0 }) {
  return createStrangerAdmission(
    (kind) => waiting[kind] ?? 0,
    () => waiting.pictures ?? 0,
    () => clock.ms,
  )
}

test('in quiet everybody comes in with a picture', () => {
  const { refuseWithoutProof } = admissionAt({ unknown: 19, proven: 3, known: 50, signed_in: 50, pictures: 10 })
  expect(() => refuseWithoutProof('a', 0)).not.toThrow()
})

test.each([
  ['strangers wait', { unknown: 20 }, 2],
  ['pictures wait to be drawn', { pictures: 11 }, 2],
  ['callers with a proof wait', { proven: 4 }, 2],
  ['many of them wait', { proven: 16 }, 4],
] as const)('where %s the proof is of a certain level', (_name, waiting, proof_level) => {
  const { refuseWithoutProof } = admissionAt(waiting)
  const refusal = expect.objectContaining({ code: 'log_in_paused', details: { wait_ms: 5_000, proof_level } })
  const levels = [0, 1, 2, 3, 4] as const
  for (const level of levels.filter((each) => each < proof_level))
    expect(() => refuseWithoutProof('a', level)).toThrow(refusal)
  for (const level of levels.filter((each) => each >= proof_level))
    expect(() => refuseWithoutProof('a', level)).not.toThrow()
})

test('a subnet that has failed often pays more for ten minutes, and in quiet nothing', () => {
  const waiting = { unknown: 20 }
  const clock = { ms: 0 }
  const { refuseWithoutProof, noteFailure } = admissionAt(waiting, clock)
  for (let each = 0; each < 10; each += 1) noteFailure('a')
  expect(() => refuseWithoutProof('a', 3)).toThrow('log_in_paused')
  expect(() => refuseWithoutProof('a', 4)).not.toThrow()
  expect(() => refuseWithoutProof('b', 2)).not.toThrow()
  waiting.unknown = 0
  expect(() => refuseWithoutProof('a', 0)).not.toThrow()
  waiting.unknown = 20
  clock.ms = 10 * 60_000
  expect(() => refuseWithoutProof('a', 2)).not.toThrow()
})

// Defect: whoever asked for the proof of level 1 got it, in a flood and after any number of wrong passwords: some 15,000 hashes an attempt.
test('the proof in place of a picture is harder where many wait, and for a subnet that asks or fails often', () => {
  const clock = { ms: 0 }
  const waiting: Partial<Record<HashKind, number>> = {}
  const { priceProof, noteFailure } = admissionAt(waiting, clock)
  const pricesOf = (subnet: string, times: number) => Array.from({ length: times }, () => priceProof(subnet))
  expect(new Set(pricesOf('a', 20))).toEqual(new Set([1]))
  expect(new Set(pricesOf('a', 180))).toEqual(new Set([2]))
  expect(priceProof('a')).toBe(4)
  for (let each = 0; each < 20; each += 1) noteFailure('b')
  expect(priceProof('b')).toBe(2)
  expect(priceProof('c')).toBe(1)
  waiting.unknown = 20
  expect(priceProof('d')).toBe(2)
  waiting.proven = 16
  expect(priceProof('d')).toBe(4)
  waiting.unknown = waiting.proven = 0
  clock.ms = 10 * 60_000
  expect([priceProof('a'), priceProof('b')]).toEqual([1, 1])
})
