import { expect, test } from 'vitest'
import { queryKeys } from '../api/query-keys.ts'
import { keysOfNews } from './live-news.ts'

test('a ticket of the member is asked for at once, with the credit', () => {
  const { own, shared } = keysOfNews({ topics: ['tickets'], numbers: [] })
  expect(own).toContainEqual(['orders'])
  expect(own).toContainEqual(['user'])
  expect(shared).toEqual([])
})

test('news of a period reach the marks of its numbers for every package', () => {
  expect(queryKeys.limitNumbers.ofPeriod('lao-20251216', '90').slice(0, 2)).toEqual(
    queryKeys.limitNumbers.ofPeriod('lao-20251216'),
  )
})

test('news that all receive do not make all fetch at once', () => {
  const { own, shared } = keysOfNews({ topics: ['markets', 'numbers'], numbers: ['lao-20251216'] })
  expect(own).toEqual([])
  expect(shared).toEqual([['markets'], ['limit-numbers'], ['limit-numbers', 'lao-20251216']])
})

test('terms that the office has changed are fetched by every bet page, not by all at once', () => {
  expect(keysOfNews({ topics: ['terms'], numbers: [] })).toEqual({ own: [], shared: [['game-config']] })
})

test('packages that the member was given or has lost show on the lotto list and the bet page at once', () => {
  const { own, shared } = keysOfNews({ topics: ['packages'], numbers: [] })
  expect(own).toEqual([['markets'], ['packages'], ['game-config']])
  expect(shared).toEqual([])
})

test('a topic of a newer server is no reason to fall over', () => {
  expect(keysOfNews({ topics: ['weather' as never], numbers: [] })).toEqual({ own: [], shared: [] })
})
