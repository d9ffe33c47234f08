// Goal: bodies that are kept back are bounded, of each caller and of all, and their room comes back once.

import { expect, test } from 'vitest'
import { createBodyRoom } from './body-room.ts'

test('one caller has a bound of its own, and its room comes back', () => {
  const room = createBodyRoom({ ofOne: 10, ofAll: 100 })
  const release = room.reserve('one', 6)
  room.reserve('one', 4)
  expect(() => room.reserve('one', 1)).toThrow('too_many_requests')
  room.reserve('other', 10)
  release()
  release()
  room.reserve('one', 6)
  expect(() => room.reserve('one', 1)).toThrow('too_many_requests')
})

test('all callers have one together', () => {
  const room = createBodyRoom({ ofOne: 10, ofAll: 25 })
  const releases = ['a', 'b'].map((key) => room.reserve(key, 10))
  expect(() => room.reserve('c', 6)).toThrow('too_many_requests')
  room.reserve('c', 5)
  releases[0]!()
  room.reserve('d', 10)
  expect(() => room.reserve('e', 1)).toThrow('too_many_requests')
})
