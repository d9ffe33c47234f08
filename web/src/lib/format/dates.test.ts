import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DateShape,
  dayInBangkok,
  formatDay,
  formatDays,
  formatInstant,
  formatMoment,
  timeLeftUntil,
} from './dates.ts'

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

test('a span of days names month and year once where they are the same', () => {
  expect(formatDays('2026-11-01', '2026-11-30', 'en')).toBe('1–30 Nov 26')
  expect(formatDays('2026-11-30', '2026-11-30', 'th')).toBe('30 พ.ย. 69')
  expect(formatDays('2025-12-01', '2026-11-30', 'th')).toBe('1 ธ.ค. 68 – 30 พ.ย. 69')
})

test('what is left is whole days and a clock, never negative', () => {
  expect(timeLeftUntil(90_061_000, 0)).toEqual({ totalMs: 90_061_000, days: 1, clock: '01:01:01' })
  expect(timeLeftUntil(0, 5_000)).toEqual({ totalMs: 0, days: 0, clock: '00:00:00' })
})

// Short names differ between versions of a browser's data: they are compared by the examples above.
const standard: Partial<Record<DateShape, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  timeWithSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  longDay: { day: 'numeric', month: 'long', year: 'numeric' },
}
const locales = { th: 'th-TH-u-ca-buddhist-nu-latn', en: 'en-GB-u-ca-gregory-nu-latn' } as const

test.each(['th', 'en'] as const)('every instant is written as the language standard writes it (%s)', (language) => {
  for (const [shape, options] of Object.entries(standard) as [DateShape, Intl.DateTimeFormatOptions][]) {
    const format = new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'Asia/Bangkok' })
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1950-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        (instant) => {
          expect(formatInstant(instant.getTime(), language, shape)).toBe(format.format(instant))
        },
      ),
    )
  }
})

test('what is no instant is refused', () => {
  expect(() => formatInstant('tomorrow', 'th', 'day')).toThrow(RangeError)
})
