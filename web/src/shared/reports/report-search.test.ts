import { expect, test } from 'vitest'
import { codesOf, readReportSearch } from './report-search.ts'

test('what makes no sense in an address is left out', () => {
  const good = {
    date_from: '2026-01-01',
    date_to: '2026-01-31',
    product_code: 'malay,thai-government',
    filter: 'win_only',
    group_by: 'day',
    user_id: '17',
    username: 'agent01',
  } as const
  expect(readReportSearch(good)).toEqual(good)
  expect(readReportSearch({ user_id: 17 })).toEqual({ user_id: '17' })
  expect(
    readReportSearch({
      date_from: '2026-02-30',
      product_code: 'malay,,x',
      filter: 'won',
      group_by: 'year',
      user_id: '-1',
      username: 'agent01',
    }),
  ).toEqual({})
})

test('days the wrong way round are no span', () => {
  expect(readReportSearch({ date_from: '2026-02-02', date_to: '2026-02-01' })).toEqual({})
})

test('no market named means all', () => {
  expect(codesOf({})).toEqual([])
  expect(codesOf({ product_code: 'malay,baac' })).toEqual(['malay', 'baac'])
})
