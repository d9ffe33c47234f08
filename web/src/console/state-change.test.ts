import { expect, test } from 'vitest'
import { listChanges } from './state-change.tsx'

const namesOf = (...states: Parameters<typeof listChanges>) =>
  listChanges(...states).map(({ part, name, before, after }) => [part, name, before, after])

test('only what differs is listed', () => {
  expect(namesOf({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([['', 'b', 2, 3]])
  expect(namesOf(null, { a: 1 })).toEqual([['', 'a', undefined, 1]])
})

test('terms are compared bet type by bet type', () => {
  const before = { max_items: 100, bet_types: [{ bet_type: '3top', rate: 55_000, is_on: true }] }
  const after = { max_items: 100, bet_types: [{ bet_type: '3top', rate: 75_000, is_on: true }] }
  expect(namesOf(before, after)).toEqual([['3top', 'rate', 55_000, 75_000]])
})
