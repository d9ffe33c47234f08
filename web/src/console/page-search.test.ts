import { expect, test } from 'vitest'
import { readGridSearch } from './grid-search.ts'
import {
  readAuditSearch,
  readPeopleSearch,
  readRiskSearch,
  readSessionsSearch,
  readSignalsSearch,
  readStaffSearch,
  readTicketsSearch,
} from './page-search.ts'

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
  expect(readPeopleSearch({ search: ' mem ', agent_code: 12345, is_online: true })).toEqual({
    search: 'mem',
    agent_code: '12345',
    is_online: 'true',
  })
})

test('the tree, its open nodes and a package stand in the address', () => {
  const search = { form: 'tree', open: '12,45', package: 'lao-vip/70', status: 'SUSPENDED', level: 'agent' }
  expect(readPeopleSearch(search)).toEqual(search)
})

test.each([
  { search: '' },
  { search: 'x'.repeat(201) },
  { search: {} },
  { agent_code: 'a b' },
  { level: 'king' },
  { open: '1,,2' },
  { package: 'lao' },
])('%j filters nothing', (raw) => {
  expect(readPeopleSearch(raw)).toEqual({})
})

test('the address of the audit log keeps what filters it, and drops the rest', () => {
  const search = {
    date_from: '2026-11-01',
    actor: 'office01',
    action: 'change_status',
    subject: 'user:12',
    row: 7,
  }
  expect(readAuditSearch(search)).toEqual(search)
  expect(
    readAuditSearch({ date_from: '2026-13-01', date_to: 5, actor: 'a b', action: 'DROP', row: -1, other: 'x' }),
  ).toEqual({})
})

test('the addresses of staff and sessions', () => {
  expect(readStaffSearch({ user: 'helper01', add: 'assistant' })).toEqual({ user: 'helper01', add: 'assistant' })
  expect(readStaffSearch({ user: '<b>', add: 'owner' })).toEqual({})
  expect(readSessionsSearch({ scope: 'downline' })).toEqual({ scope: 'downline' })
  expect(readSessionsSearch({ scope: 'own' })).toEqual({})
})

test('a board is read from its address, and what makes no sense is left out', () => {
  const board = { market: 'hanoi-vip', period: 'hanoi-vip-20260101', view: 'list', bet_type: '2top', sort: 'stake' }
  expect(readRiskSearch({ ...board, search: 7, all: true, by: 'results', part: 'own' })).toEqual({
    ...board,
    search: '7',
    all: true,
    by: 'results',
    part: 'own',
  })
  expect(
    readRiskSearch({
      market: '../x',
      period: 'a b',
      view: 'x',
      bet_type: '4top',
      sort: 'x',
      search: '1234',
      all: 'no',
    }),
  ).toEqual({})
})

test('the days, the kind and the open row of signals stand in the address', () => {
  const search = {
    date_from: '2026-03-01',
    date_to: '2026-03-31',
    kind: 'late_stakes',
    row: 'late_stakes:lao-vip-20260301:7',
  }
  expect(readSignalsSearch(search)).toEqual(search)
  expect(readSignalsSearch({ date_from: '2026-02-30', kind: 'Late', row: '<b>' })).toEqual({})
})

test('a period without its market is no board', () => {
  expect(readRiskSearch({ period: 'hanoi-vip-20260101' })).toEqual({})
})
