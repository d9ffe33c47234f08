import { expect, test } from 'vitest'
import { readTicketsSearch } from './tickets-search.ts'
import { filterOf } from './ticket-filter.ts'

test('the address is asked of the server: Baht as satang, times of Bangkok as instants', () => {
  const search = readTicketsSearch({
    search: '#100123',
    username: 'member01',
    product_code: 'lao-vip',
    state: 'DELETED',
    placed_from: '2026-11-21T15:20',
    bet_from: 10,
    bet_to: '20.50',
    address: '2001:db8::7',
    live: 'off',
    columns: 'order_id',
  })
  expect(filterOf(search)).toEqual({
    search: '#100123',
    username: 'member01',
    product_code: 'lao-vip',
    status: 'DELETED',
    placed_from: '2026-11-21T08:20:00.000Z',
    bet_from_satang: '1000',
    bet_to_satang: '2050',
    address: '2001:db8::7',
  })
})

test.each([
  { placed_from: '2026-13-40T99:99' },
  { placed_to: '2026-11-21' },
  { bet_from: '-1' },
  { state: 'SOLD' },
  {},
])('%j asks for nothing', (raw) => {
  expect(filterOf(readTicketsSearch(raw))).toEqual({})
})
