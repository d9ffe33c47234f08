import type { MarketTimetable } from '@megalot/contract'
import { expect, test } from 'vitest'
import { listHolidays } from './holidays.ts'

const market = (product_code: string, ...holidays: MarketTimetable['holidays']): MarketTimetable => ({
  product_code,
  timetable: null,
  next: null,
  exchange: null,
  holidays,
})

test('a day with the same name is one holiday of several markets; what is over is left out', () => {
  const newYear = { day: '2027-01-01', name: 'New Year' }
  const timetables = [
    market('dow', { day: '2026-12-25', name: 'Christmas' }, newYear),
    market('uk', { day: '2026-11-01', name: 'over' }, newYear),
    market('korea', { day: '2027-01-01', name: 'Sinjeong' }),
  ]
  expect(listHolidays(timetables, '2026-11-02')).toEqual([
    { day: '2026-12-25', name: 'Christmas', product_codes: ['dow'] },
    { ...newYear, product_codes: ['dow', 'uk'] },
    { day: '2027-01-01', name: 'Sinjeong', product_codes: ['korea'] },
  ])
})
