// Goal: at most three toasts stand at a time, none twice, and each goes by itself.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showToast, useToasts } from './toast.ts'

const messages = (): readonly string[] => useToasts.getState().toasts.map(({ message }) => message)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('the fourth takes the place of the first, and each goes after three seconds', () => {
  for (const message of ['one', 'two', 'three', 'four']) showToast('plain', message)
  expect(messages()).toEqual(['two', 'three', 'four'])
  vi.advanceTimersByTime(2_999)
  expect(messages()).toHaveLength(3)
  vi.advanceTimersByTime(1)
  expect(messages()).toEqual([])
})

test('what is said again stays once, and its time begins anew', () => {
  showToast('bad', 'full')
  vi.advanceTimersByTime(2_000)
  showToast('bad', 'full')
  expect(messages()).toEqual(['full'])
  vi.advanceTimersByTime(2_000)
  expect(messages()).toEqual(['full'])
  vi.advanceTimersByTime(1_000)
  expect(messages()).toEqual([])
})
