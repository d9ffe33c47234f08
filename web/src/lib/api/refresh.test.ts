import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { invalidate, queryClient, refreshAfter } from './query-client.ts'
import { queryKeys } from './query-keys.ts'

const queryKey = queryKeys.people.part('codes', null)

/** A list on screen, whose fetches the test answers one by one. */
function showList() {
  const answers: ((codes: readonly string[]) => void)[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: () => new Promise<readonly string[]>((resolve) => answers.push(resolve)),
  })
  const close = observer.subscribe(() => {})
  return { answers, close, read: () => observer.getCurrentResult().data }
}

afterEach(() => queryClient.clear())

test.each([
  ['an action of this page', () => refreshAfter('people_changed')],
  ['news of the server', () => invalidate(queryKeys.people.all)],
])('%s refreshes a list whose first fetch is under way', async (_name, change) => {
  const list = showList()
  expect(list.answers).toHaveLength(1)
  const refreshed = change()
  // The server read this before the change.
  list.answers[0]!([])
  await expect.poll(() => list.answers).toHaveLength(2)
  list.answers[1]!(['new'])
  await refreshed
  expect(list.read()).toEqual(['new'])
  expect(list.answers).toHaveLength(2)
  list.close()
})

// Defect: each piece of news during a slow first fetch cancelled the fetch of the one before and began another.
test('much news during one first fetch are one further fetch', async () => {
  const list = showList()
  const refreshed = Array.from({ length: 10 }, () => invalidate(queryKeys.people.all))
  refreshed.push(invalidate([]), refreshAfter('people_changed'))
  list.answers[0]!([])
  await expect.poll(() => list.answers).toHaveLength(2)
  list.answers[1]!(['new'])
  await Promise.all(refreshed)
  expect(list.read()).toEqual(['new'])
  expect(list.answers).toHaveLength(2)
  list.close()
})

test('a first fetch that fails does not fail the refresh, and is not repeated', async () => {
  let count = 0
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: () => {
      count += 1
      return Promise.reject(new Error('refused'))
    },
    retry: false,
  })
  const close = observer.subscribe(() => {})
  await refreshAfter('people_changed')
  expect([observer.getCurrentResult().isError, count]).toEqual([true, 1])
  close()
})

test('a list that was there is fetched once', async () => {
  const list = showList()
  list.answers[0]!([])
  await expect.poll(list.read).toEqual([])
  const refreshed = refreshAfter('people_changed')
  await expect.poll(() => list.answers).toHaveLength(2)
  list.answers[1]!(['new'])
  await refreshed
  expect(list.read()).toEqual(['new'])
  expect(list.answers).toHaveLength(2)
  list.close()
})
