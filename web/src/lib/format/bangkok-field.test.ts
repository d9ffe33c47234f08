import { expect, test } from 'vitest'
import { readBangkok, writeBangkok } from './bangkok-field.ts'

test('an instant comes back as it went in, and is seven hours ahead of UTC in between', () => {
  expect(writeBangkok('2026-11-21T20:30:00.000Z')).toBe('2026-11-22T03:30')
  expect(readBangkok('2026-11-22T03:30')).toBe('2026-11-21T20:30:00.000Z')
  expect(writeBangkok(null)).toBe('')
  expect(readBangkok('')).toBeNull()
})
