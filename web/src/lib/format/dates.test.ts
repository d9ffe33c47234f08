import { expect, test } from 'vitest'
import { dayInBangkok, formatDay, formatInstant, formatMoment, timeLeftUntil } from './dates.ts'

// Five in the evening of 31 December in London is already the new year in Bangkok.
const newYear = Date.parse('2026-12-31T17:30:00Z')

test('days and times are those of Bangkok, in the Buddhist year on Thai screens', () => {
  expect(formatInstant(newYear, 'th', 'day')).toBe('1 ม.ค. 2570')
  expect(formatInstant(newYear, 'en', 'day')).toBe('1 Jan 2027')
  expect(formatInstant(newYear, 'en', 'timeWithSeconds')).toBe('00:30:00')
  expect(formatDay('2025-12-16', 'th', 'longDay')).toBe('16 ธันวาคม 2568')
  expect(formatDay('2025-12-16', 'en')).toBe('16 Dec 2025')
  expect(formatDay('2025-12-16', 'th', 'shortDay')).toBe('16 ธ.ค. 68')
  expect(formatDay('2025-12-16', 'en', 'shortDay')).toBe('16 Dec 25')
  expect(dayInBangkok(newYear)).toBe('2027-01-01')
})

test('a moment of today is its time alone', () => {
  expect(formatMoment(newYear, newYear + 3_600_000, 'en')).toBe('00:30')
  expect(formatMoment(newYear, newYear - 3_600_000, 'en')).toContain('1 Jan')
})

test('what is left is whole days and a clock, never negative', () => {
  expect(timeLeftUntil(90_061_000, 0)).toEqual({ totalMs: 90_061_000, days: 1, clock: '01:01:01' })
  expect(timeLeftUntil(0, 5_000)).toEqual({ totalMs: 0, days: 0, clock: '00:00:00' })
})
