// Goal: a request that was started before the application is used once, by its own session and language, while it is fresh.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startEarlyRequest, takeEarlyReply } from './early-replies.ts'

const sent: { address: string; headers: Record<string, string> }[] = []

beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Record<string, string> }) => {
    sent.push({ address, headers })
    return new Response('{}')
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the reply goes to the first caller of the same session and language', async () => {
  startEarlyRequest('/a', 'one', 'th')
  expect(sent).toEqual([
    { address: '/a', headers: expect.objectContaining({ Authorization: 'Bearer one', 'Accept-Language': 'th' }) },
  ])
  const early = takeEarlyReply('/a', 'one', 'th')
  expect(await early?.response.then((response) => response.json())).toEqual({})
  expect(early?.received_ms).not.toBeNull()
  expect(takeEarlyReply('/a', 'one', 'th')).toBeNull()
})

test.each([
  ['another session', 'two', 'th'],
  ['no session', null, 'th'],
  ['another language', 'one', 'en'],
] as const)('%s gets a request of its own, and nobody the early reply after it', (_name, session_token, language) => {
  startEarlyRequest('/a', 'one', 'th')
  expect(takeEarlyReply('/a', session_token, language)).toBeNull()
  expect(takeEarlyReply('/a', 'one', 'th')).toBeNull()
})

test('another address gets nothing', () => {
  startEarlyRequest('/a', 'one', 'th')
  expect(takeEarlyReply('/b', 'one', 'th')).toBeNull()
  expect(takeEarlyReply('/a', 'one', 'th')).not.toBeNull()
})

test('an old reply is not used', () => {
  vi.useFakeTimers()
  startEarlyRequest('/a', 'one', 'th')
  vi.advanceTimersByTime(10_000)
  expect(takeEarlyReply('/a', 'one', 'th')).toBeNull()
})
