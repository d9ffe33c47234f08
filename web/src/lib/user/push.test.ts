// Goal: a browser gets pushes for its last member alone, whatever fails on the way.

import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../device/testing/memory-storage.ts'
import { PUSH_KEY } from '../device/storage-keys.ts'
import type * as CurrentUser from './current-user.ts'
import type * as LogOff from './log-off.ts'
import type * as SessionStore from '../session/session-store.ts'

let users: typeof CurrentUser
let logOff: typeof LogOff
let sessions: typeof SessionStore
let storage: Storage
const unsubscribe = vi.fn<() => Promise<boolean>>()
const closeShown = vi.fn<() => void>()
const fetched = vi.fn<(url: string) => Promise<Response>>()

beforeEach(async () => {
  vi.resetModules()
  storage = makeStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), { localStorage: storage, PushManager: {}, Notification: {} }),
  )
  vi.stubGlobal('Notification', { permission: 'granted' })
  const subscription = { endpoint: 'https://fcm.googleapis.com/a', unsubscribe, options: {}, getKey: () => null }
  const pushManager = { getSubscription: async () => subscription, subscribe: async () => subscription }
  const registration = { pushManager, getNotifications: async () => [{ close: closeShown }, { close: closeShown }] }
  vi.stubGlobal('navigator', {
    serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
  })
  closeShown.mockReset()
  unsubscribe.mockReset().mockResolvedValue(true)
  fetched.mockReset().mockImplementation(async (url) => {
    const data = url.includes('basic') ? { user_id: 7 } : url.includes('push/key') ? { public_key: 'BA' } : null
    return new Response(JSON.stringify({ status: { code: 200, message: '' }, data }))
  })
  vi.stubGlobal('fetch', fetched)
  sessions = await import('../session/session-store.ts')
  users = await import('./current-user.ts')
  logOff = await import('./log-off.ts')
  sessions.openSession('a')
})

const calls = (): string[] => fetched.mock.calls.map(([url]) => url)

test("a log-in ends another member's pushes, and closes those that are shown", async () => {
  storage.setItem(PUSH_KEY, '8')
  await users.restoreUser()
  await vi.waitFor(() => expect(storage.getItem(PUSH_KEY)).toBe(null))
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(closeShown).toHaveBeenCalledTimes(2)
  expect(calls().filter((url) => url.includes('push'))).toEqual([])
})

test('a failure to end them is repaired at the next visit', async () => {
  storage.setItem(PUSH_KEY, '8')
  unsubscribe.mockRejectedValueOnce(new Error('away'))
  await users.restoreUser()
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledOnce())
  expect(storage.getItem(PUSH_KEY)).toBe('8')
  sessions.openSession('b')
  await users.restoreUser()
  await vi.waitFor(() => expect(storage.getItem(PUSH_KEY)).toBe(null))
})

test('a visit of the same member renews them', async () => {
  storage.setItem(PUSH_KEY, '7')
  await users.restoreUser()
  await vi.waitFor(() => expect(calls().at(-1)).toContain('/mgluser/push/subscribe'))
  expect(storage.getItem(PUSH_KEY)).toBe('7')
  expect(closeShown).not.toHaveBeenCalled()
})

test('a log-in of the same member brings them to its new session', async () => {
  storage.setItem(PUSH_KEY, '7')
  await users.restoreUser()
  const count = () => calls().filter((url) => url.includes('/mgluser/push/subscribe')).length
  await vi.waitFor(() => expect(count()).toBe(1))
  sessions.closeSession('session_replaced')
  sessions.openSession('b')
  await users.restoreUser()
  await vi.waitFor(() => expect(count()).toBe(2))
})

test.each(['default', 'denied'])('a log-in asks for nothing where permission is %s', async (permission) => {
  vi.stubGlobal('Notification', { permission })
  storage.setItem(PUSH_KEY, '7')
  await users.restoreUser()
  await vi.waitFor(() => expect(storage.getItem(PUSH_KEY)).toBe(null))
  expect(calls().filter((url) => url.includes('push'))).toEqual([])
})

test('a log-out ends and closes them, without a network too', async () => {
  storage.setItem(PUSH_KEY, '7')
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await logOff.endSession()
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(closeShown).toHaveBeenCalledTimes(2)
  expect(storage.getItem(PUSH_KEY)).toBe(null)
})

test('without pushes nothing is asked', async () => {
  await users.restoreUser()
  await logOff.endSession()
  expect(unsubscribe).not.toHaveBeenCalled()
  expect(calls().filter((url) => url.includes('push'))).toEqual([])
})
