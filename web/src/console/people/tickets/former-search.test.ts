// Goal: a bookmark of the former list of tickets finds the same tickets.

import { expect, test } from 'vitest'
import { deletedTicketsSearchOf, ticketsSearchOf } from './former-search.ts'
import { filterOf } from './ticket-filter.ts'

const former = {
  search: '#47',
  product_code: 'lao',
  period_code: 'lao-20251216',
  username: 'member01',
  status: 'WAIT_CONFIRM',
  date_from: '2025-12-01',
  date_to: '2025-12-31',
}

test('every filter of the former list narrows the same tickets', () => {
  expect(filterOf(ticketsSearchOf(former))).toEqual({
    search: '#47',
    product_code: 'lao',
    period_code: 'lao-20251216',
    username: 'member01',
    status: 'WAIT_CONFIRM',
    // Both days belonged to the span, in Bangkok.
    placed_from: '2025-11-30T17:00:00.000Z',
    placed_to: '2025-12-31T17:00:00.000Z',
  })
})

test('deleted tickets had one status and no period', () => {
  const { period_code: _period, ...others } = filterOf(ticketsSearchOf(former))
  expect(filterOf(deletedTicketsSearchOf(former))).toEqual({ ...others, status: 'DELETED' })
})

test('nonsense narrows nothing', () => {
  expect(ticketsSearchOf({ status: 'king', date_from: '2025-02-30', date_to: 7 })).toEqual({})
  expect(ticketsSearchOf({})).toEqual({})
})
