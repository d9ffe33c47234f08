import type { Period, PeriodStatus } from '@megalot/contract'
import { expect, test } from 'vitest'
import { noteSettled, readSettled } from './settled-memory.ts'

const ticket = (period_code: string, status: PeriodStatus) => ({ period: { period_code, status } as Period })
const nothing = readSettled(null)

test('only what was awaited is news when it is settled', () => {
  const before = noteSettled(nothing, [ticket('A', 'open'), ticket('B', 'settled')])
  expect(before).toEqual({ awaited: ['A'], told: [] })
  expect(noteSettled(before, [ticket('A', 'settled'), ticket('B', 'settled')])).toEqual({ awaited: [], told: ['A'] })
})

test('it stays until it is put aside, and is not told twice', () => {
  const told = { awaited: [], told: ['A'] }
  expect(noteSettled(told, [ticket('A', 'settled')])).toBe(told)
  const aside = { awaited: [], told: [] }
  expect(noteSettled(aside, [ticket('A', 'settled')])).toBe(aside)
})

test('a void period refunds: that is no result', () => {
  expect(noteSettled({ awaited: ['A'], told: [] }, [ticket('A', 'void')])).toEqual({ awaited: [], told: [] })
})

test('of many the newest three are told', () => {
  const codes = ['A', 'B', 'C', 'D']
  const settled = codes.map((code) => ticket(code, 'settled'))
  expect(noteSettled({ awaited: codes, told: [] }, settled).told).toEqual(['A', 'B', 'C'])
})

test('what cannot be read is nothing', () => {
  expect(readSettled({ awaited: 'A', told: [1, 'B'] })).toEqual({ awaited: [], told: ['B'] })
})
