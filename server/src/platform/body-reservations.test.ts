// Goal: bodies that are kept back are bounded, of each caller and of all, and their memory is given back once.

import { expect, test } from 'vitest'
import { createBodyReservations } from './body-reservations.ts'

test('one caller has a bound of its own, and its memory is given back', () => {
  const bodies = createBodyReservations({ ofOne: 10, ofAll: 100 })
  const release = bodies.reserve('one', 6)
  bodies.reserve('one', 4)
  expect(() => bodies.reserve('one', 1)).toThrow('too_many_requests')
  bodies.reserve('other', 10)
  release()
  release()
  bodies.reserve('one', 6)
  expect(() => bodies.reserve('one', 1)).toThrow('too_many_requests')
})

test('all callers have one together', () => {
  const bodies = createBodyReservations({ ofOne: 10, ofAll: 25 })
  const releases = ['a', 'b'].map((key) => bodies.reserve(key, 10))
  expect(() => bodies.reserve('c', 6)).toThrow('too_many_requests')
  bodies.reserve('c', 5)
  releases[0]!()
  bodies.reserve('d', 10)
  expect(() => bodies.reserve('e', 1)).toThrow('too_many_requests')
})
