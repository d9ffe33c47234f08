import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { CallRefused } from '../errors/refusal.ts'
import { queryClient } from './query-client.ts'
import { queryKeys } from './query-keys.ts'
import { makeChange } from './use-change.ts'
import type { Change } from './use-change.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queryClient.clear()
})

test('an offline change fails at once and is not sent later', async () => {
  const send = vi.fn<() => Promise<void>>().mockRejectedValue(new CallRefused('no_reply', '', null))
  onlineManager.setOnline(false)
  await expect(makeChange({ changes: [], send }, undefined)).rejects.toThrow(CallRefused)
  onlineManager.setOnline(true)
  await queryClient.resumePausedMutations()
  expect(send).toHaveBeenCalledOnce()
})

const succeeds = () => Promise.resolve('done')
const failsWith = (http: number) => () => Promise.reject(new CallRefused('invalid_status', '', http))

/** Makes a change while a list is on screen. @returns whether the change ended only after the list was fetched again */
async function endsAfterRefresh(change: Omit<Change, 'changes'>): Promise<boolean> {
  let arrive = (_notices: readonly string[]): void => {}
  const queryFn = vi.fn<() => Promise<readonly string[]>>(
    () => new Promise<readonly string[]>((resolve) => (arrive = resolve)),
  )
  const queryKey = queryKeys.notices.all
  queryClient.setQueryData(queryKey, [])
  const close = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {})
  let hasEnded = false
  const end = makeChange({ changes: 'notices_read', ...change }, undefined)
    .catch(() => undefined)
    .then(() => (hasEnded = true))
  await expect.poll(() => queryFn.mock.calls).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const endedFirst = hasEnded
  arrive(['new'])
  await end
  close()
  return !endedFirst
}

test.each<[string, Omit<Change, 'changes'>, boolean]>([
  ['a success', { send: succeeds }, false],
  ['a success that waits', { send: succeeds, waits: true }, true],
  ['a failure, which may have been carried out', { send: failsWith(500) }, false],
  ['a failure that waits', { send: failsWith(500), waits: true }, true],
  ['a refusal of an outdated change', { send: failsWith(409) }, true],
])('after %s the list is refreshed, and the change waits for it or not', async (_name, change, waits) => {
  expect(await endsAfterRefresh(change)).toBe(waits)
})
