import type { Period, PeriodStatus } from '@megalot/contract'
import { expect, test } from 'vitest'
import { NOTHING_SETTLED as nothing, noteSettled, settledForm } from './settled-memory.ts'

const ticket = (period_code: string, status: PeriodStatus) => ({ period: { period_code, status } as Period })

test('only what was awaited is news when it is settled', () => {
  const before = noteSettled(nothing, [ticket('A', 'open'), ticket('B', 'settled')])
  expect(before).toEqual({ awaited: ['A'], settled: [] })
  expect(noteSettled(before, [ticket('A', 'settled'), ticket('B', 'settled')])).toEqual({ awaited: [], settled: ['A'] })
})

test('it is news once', () => {
  const noted = { awaited: [], settled: ['A'] }
  expect(noteSettled(noted, [ticket('A', 'settled')])).toBe(noted)
  const never = { awaited: [], settled: [] }
  expect(noteSettled(never, [ticket('A', 'settled')])).toBe(never)
})

test('a void period refunds: that is no result', () => {
  expect(noteSettled({ awaited: ['A'], settled: [] }, [ticket('A', 'void')])).toEqual({ awaited: [], settled: [] })
})

test('of many the newest three are kept', () => {
  const codes = ['A', 'B', 'C', 'D']
  const settled = codes.map((code) => ticket(code, 'settled'))
  expect(noteSettled({ awaited: codes, settled: [] }, settled).settled).toEqual(['A', 'B', 'C'])
})

test('what cannot be read is nothing', () => {
  expect(settledForm.read({ awaited: 'A', settled: [1, 'B'] }, 0)).toEqual({ awaited: [], settled: ['B'] })
  expect(settledForm.read('A', 0)).toBeNull()
})
