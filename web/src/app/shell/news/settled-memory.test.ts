import type { Period, PeriodStatus } from '@megalot/contract'
import { expect, test } from 'vitest'
import { NOTHING_SETTLED as nothing, noteSettled, settledForm } from './settled-memory.ts'

const ticket = (period_code: string, status: PeriodStatus) => ({ period: { period_code, status } as Period })

test('only what was awaited is news when it is settled', () => {
  const before = noteSettled(nothing, [ticket('A', 'open'), ticket('B', 'settled')])
  expect(before).toEqual({ awaited: ['A'], unseen: [] })
  expect(noteSettled(before, [ticket('A', 'settled'), ticket('B', 'settled')])).toEqual({ awaited: [], unseen: ['A'] })
})

test('it stays until it is put aside, and is not unseen twice', () => {
  const unseen = { awaited: [], unseen: ['A'] }
  expect(noteSettled(unseen, [ticket('A', 'settled')])).toBe(unseen)
  const aside = { awaited: [], unseen: [] }
  expect(noteSettled(aside, [ticket('A', 'settled')])).toBe(aside)
})

test('a void period refunds: that is no result', () => {
  expect(noteSettled({ awaited: ['A'], unseen: [] }, [ticket('A', 'void')])).toEqual({ awaited: [], unseen: [] })
})

test('of many the newest three are unseen', () => {
  const codes = ['A', 'B', 'C', 'D']
  const settled = codes.map((code) => ticket(code, 'settled'))
  expect(noteSettled({ awaited: codes, unseen: [] }, settled).unseen).toEqual(['A', 'B', 'C'])
})

test('what cannot be read is nothing', () => {
  expect(settledForm.read({ awaited: 'A', unseen: [1, 'B'] }, 0)).toEqual({ awaited: [], unseen: ['B'] })
  expect(settledForm.read('A', 0)).toBeNull()
})
