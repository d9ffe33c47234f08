import { expect, test } from 'vitest'
import { readDownlineSearch, usersOf, writePath } from './downline-search.ts'

test('the open node of the tree stands in the address', () => {
  const search = readDownlineSearch({
    path: '12.agent01,m45.member01',
    period_code: 'lao-vip-20261123',
    date_from: '2026-11-01',
  })
  expect(search).toEqual({ path: '12.agent01,m45.member01', period_code: 'lao-vip-20261123', date_from: '2026-11-01' })
  expect(usersOf(search)).toEqual([
    { user_id: '12', username: 'agent01', isMember: false },
    { user_id: '45', username: 'member01', isMember: true },
  ])
  expect(writePath(usersOf(search))).toBe(search.path)
  expect(writePath([])).toBeUndefined()
})

test.each([{ path: 'agent01' }, { path: '1.a,' }, { path: '<b>' }, { period_code: 'LAO' }, { report: 'any' }, {}])(
  '%j says nothing',
  (raw) => {
    expect(readDownlineSearch(raw)).toEqual({})
    expect(usersOf(readDownlineSearch(raw))).toEqual([])
  },
)
