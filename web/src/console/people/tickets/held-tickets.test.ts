// Goal: a list that follows new tickets does not move under the pointer, and shows what became of its rows.

import { expect, test } from 'vitest'
import { holdTickets } from './held-tickets.ts'

const rowOf = (order_id: number, status = 'CONFIRMED') => ({ order_id, status })

test('new tickets wait, and rows that left the first part stay', () => {
  const shown = [rowOf(12), rowOf(11), rowOf(10)]
  const now = [rowOf(14), rowOf(13), rowOf(12)]
  expect(holdTickets(shown, now)).toEqual({ rows: shown, new_count: 2 })
})

test('a held row shows what it is by now', () => {
  const { rows } = holdTickets([rowOf(12), rowOf(11)], [rowOf(12, 'DELETED'), rowOf(11)])
  expect(rows).toEqual([rowOf(12, 'DELETED'), rowOf(11)])
})

test('older tickets that were asked for come behind', () => {
  const { rows } = holdTickets([rowOf(12), rowOf(11)], [rowOf(13), rowOf(12), rowOf(11), rowOf(10)])
  expect(rows.map(({ order_id }) => order_id)).toEqual([12, 11, 10])
})

test('an empty list has nothing to hold', () => {
  expect(holdTickets([], [rowOf(13)])).toEqual({ rows: [rowOf(13)], new_count: 0 })
})
