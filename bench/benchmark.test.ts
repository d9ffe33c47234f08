// A benchmark's verdict is right at the limit, and a goal that was not measured never passes.

import { expect, it } from 'vitest'
import { evaluateGoals } from './benchmark.ts'
import { percentile } from './percentile.ts'

it('compares each goal with its figure, including the limit itself', () => {
  const figures = { waiting_ms: 10, tickets_per_s: 100 }
  const goals = [
    { figure: 'waiting_ms', limit: 10, at: 'most' as const },
    { figure: 'waiting_ms', limit: 9.9, at: 'most' as const },
    { figure: 'tickets_per_s', limit: 100, at: 'least' as const },
    { figure: 'tickets_per_s', limit: 101, at: 'least' as const },
  ]
  expect(evaluateGoals({ figures, goals }).map(({ holds }) => holds)).toEqual([true, false, true, false])
})

it('refuses a goal whose figure was not measured', () => {
  const goals = [{ figure: 'waiting_ms', limit: 10, at: 'most' as const }]
  expect(() => evaluateGoals({ figures: {}, goals })).toThrow('waiting_ms')
  expect(() => evaluateGoals({ figures: { waiting_ms: Number.NaN }, goals })).toThrow('waiting_ms')
})

it('computes percentiles by the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([0, 0.5, 0.95, 1].map((share) => percentile(values, share))).toEqual([1, 50, 95, 100])
  expect(percentile([7], 0.95)).toBe(7)
  expect(() => percentile([], 0.5)).toThrow('no values')
})
