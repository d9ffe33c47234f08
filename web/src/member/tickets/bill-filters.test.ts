import { expect, test } from 'vitest'
import { readBillFilters } from './bill-filters.ts'
import { countFilters, queryOfFilters } from './queries.ts'

test('what makes no sense in an address is left out', () => {
  expect(
    readBillFilters({
      search: 1234,
      product_code: 'thai-government',
      period_code: 'thai-government-20251216',
      status: 'CONFIRMED',
      date_from: '2025-12-01',
      date_to: '2025-02-30',
    }),
  ).toEqual({
    search: '1234',
    product_code: 'thai-government',
    period_code: 'thai-government-20251216',
    status: 'CONFIRMED',
    date_from: '2025-12-01',
  })
  expect(readBillFilters({ search: '  ', product_code: '../x', status: 'VALIDATED', date_from: 5 })).toEqual({})
})

test('a period counts only with its market', () => {
  expect(readBillFilters({ period_code: 'malay-20251216' })).toEqual({})
})

test('the sign before a number means the ticket of that number alone; in a note it is looked for', () => {
  expect(queryOfFilters({ search: ' #123 ', status: 'DELETED' })).toEqual({ order_id: '123', status: 'DELETED' })
  expect(queryOfFilters({ search: ' 123 ' })).toEqual({ search: '123' })
  expect(queryOfFilters({ search: '#0123' })).toEqual({ search: '#0123' })
  expect(queryOfFilters({ search: '#vip' })).toEqual({ search: '#vip' })
  expect(queryOfFilters({ status: 'DELETED' })).toEqual({ status: 'DELETED' })
})

test('the text is not counted as a filter', () => {
  expect(countFilters({ search: 'a' })).toBe(0)
  expect(countFilters({ search: 'a', status: 'DELETED', date_from: '2025-12-01' })).toBe(2)
})
