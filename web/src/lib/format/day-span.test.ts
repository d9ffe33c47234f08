import { expect, test } from 'vitest'
import { addDays, isDay } from './calendar-day.ts'
import { countDays, nameOfSpan, quickSpans, spanOf } from './day-span.ts'

// Saturday 21 November 2026 in London, but Sunday the 22nd in Bangkok.
const lateSaturday = Date.parse('2026-11-21T18:00:00Z')

test('spans are those of Bangkok, and a week begins on Monday', () => {
  expect(spanOf('today', lateSaturday)).toEqual({ date_from: '2026-11-22', date_to: '2026-11-22' })
  expect(spanOf('yesterday', lateSaturday)).toEqual({ date_from: '2026-11-21', date_to: '2026-11-21' })
  expect(spanOf('this_week', lateSaturday)).toEqual({ date_from: '2026-11-16', date_to: '2026-11-22' })
  expect(spanOf('last_week', lateSaturday)).toEqual({ date_from: '2026-11-09', date_to: '2026-11-15' })
  expect(spanOf('this_month', lateSaturday)).toEqual({ date_from: '2026-11-01', date_to: '2026-11-22' })
  expect(spanOf('last_month', lateSaturday)).toEqual({ date_from: '2026-10-01', date_to: '2026-10-31' })
  expect(spanOf('last_12_months', lateSaturday)).toEqual({ date_from: '2025-12-01', date_to: '2026-11-22' })
})

test('over the ends of months, years and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  expect(spanOf('last_month', Date.parse('2026-01-31T00:00:00Z'))).toEqual({
    date_from: '2025-12-01',
    date_to: '2025-12-31',
  })
  expect(countDays({ date_from: '2028-02-01', date_to: '2028-03-01' })).toBe(30)
})

test('a span is called by its name, and no span that a report takes is longer than a year', () => {
  for (const name of quickSpans) {
    const span = spanOf(name, lateSaturday)
    expect(spanOf(nameOfSpan(span, lateSaturday)!, lateSaturday)).toEqual(span)
    expect(countDays(span)).toBeLessThanOrEqual(366)
  }
  expect(nameOfSpan({ date_from: '2026-01-02', date_to: '2026-01-05' }, lateSaturday)).toBeNull()
})

test('only days that exist are days', () => {
  expect(['2026-02-29', '2026-13-01', '26-01-01', '', null, '2026-1-1'].filter(isDay)).toEqual([])
  expect(isDay('2006-12-30')).toBe(true)
})
