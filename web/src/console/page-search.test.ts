import { expect, test } from 'vitest'
import { readGridSearch } from './grid-search.ts'
import { readPeopleSearch, readTicketsSearch } from './page-search.ts'

test('what a list shows is read from its address', () => {
  const raw = { sort: 'close_at.desc', columns: 'market,close_at', other: 'x' }
  expect(readGridSearch(raw)).toEqual({ sort: 'close_at.desc', columns: 'market,close_at' })
})

test.each([{ sort: 'close_at' }, { sort: 'a.b.asc' }, { sort: 7 }, { columns: 'a,,b' }, { columns: '<b>' }, {}])(
  '%j says nothing about a list',
  (raw) => {
    expect(readGridSearch(raw)).toEqual({})
  },
)

test('numbers in an address are texts again', () => {
  expect(readTicketsSearch({ search: 123, username: 'member01' })).toEqual({ search: '123', username: 'member01' })
  expect(readPeopleSearch({ search: ' mem ', user: 'member01' })).toEqual({ search: 'mem', user: 'member01' })
})

test.each([{ search: '' }, { search: 'x'.repeat(201) }, { search: {} }, { user: 'a b' }])(
  '%j filters nothing',
  (raw) => {
    expect(readPeopleSearch(raw)).toEqual({})
  },
)
