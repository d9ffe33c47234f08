// Defect: a call for the user that was cut off, by an outage or by leaving the page, ended the session.

import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../device/testing/memory-storage.ts'
import type * as CurrentUser from './current-user.ts'
import type * as OfflineStore from '../session/offline-store.ts'
import type * as SessionStore from '../session/session-store.ts'

let users: typeof CurrentUser
let sessions: typeof SessionStore
let offline: typeof OfflineStore
const fetched = vi.fn<() => Promise<Response>>()

beforeEach(async () => {
  vi.resetModules()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset()
  sessions = await import('../session/session-store.ts')
  offline = await import('../session/offline-store.ts')
  users = await import('./current-user.ts')
  sessions.openSession('a')
})

const reply = (code: number, rest: object) =>
  new Response(JSON.stringify({ status: { code, message: 'x' }, ...rest }), { status: code })

test('no reply keeps the session, and the next question finds the user', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await users.restoreUser()).toBe(null)
  expect(sessions.useSession.getState()).toMatchObject({ session_token: 'a', leave_reason: null })
  expect(offline.useOffline.getState().isOffline).toBe(true)

  fetched.mockResolvedValueOnce(reply(200, { data: { user_id: 7 } }))
  expect(await users.restoreUser()).toEqual({ user_id: 7 })
  expect(offline.useOffline.getState().isOffline).toBe(false)
})

test('an answer without a user ends the session', async () => {
  fetched.mockResolvedValueOnce(reply(200, {}))
  expect(await users.restoreUser()).toBe(null)
  expect(sessions.useSession.getState().session_token).toBe(null)
})

test('a refusal ends the session', async () => {
  fetched.mockResolvedValueOnce(reply(404, { error: { code: 'not_found', details: {} } }))
  expect(await users.restoreUser()).toBe(null)
  expect(sessions.useSession.getState().session_token).toBe(null)
})
