import { expect, test } from 'vitest'
import { keysOfNews } from './live-news.ts'

test('a ticket of the member is asked for at once, with the credit', () => {
  const { own, shared } = keysOfNews({ topics: ['tickets'], numbers: [] })
  expect(own).toContainEqual(['orders'])
  expect(own).toContainEqual(['user'])
  expect(shared).toEqual([])
})

test('news that all receive do not make all fetch at once', () => {
  const { own, shared } = keysOfNews({ topics: ['markets', 'numbers'], numbers: ['lao-20251216'] })
  expect(own).toEqual([])
  expect(shared).toEqual([['markets'], ['limit-numbers'], ['limit-numbers', 'lao-20251216']])
})

test('packages that the member was given or has lost show on the lotto list and the bet page at once', () => {
  const { own, shared } = keysOfNews({ topics: ['packages'], numbers: [] })
  expect(own).toEqual([['markets'], ['packages'], ['game-config']])
  expect(shared).toEqual([])
})

test('a topic of a newer server is no reason to fall over', () => {
  expect(keysOfNews({ topics: ['weather' as never], numbers: [] })).toEqual({ own: [], shared: [] })
})
