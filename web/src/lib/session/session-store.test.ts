// Defect: whoever logged out was led back to the page left, because another call was refused before the log-out was answered.

import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../device/testing/memory-storage.ts'
import type * as SessionStore from './session-store.ts'

let store: typeof SessionStore

beforeEach(async () => {
  vi.resetModules()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  store = await import('./session-store.ts')
  store.openSession('a')
})

test('a session that the server ended keeps its reason', () => {
  store.closeSession('Your session has ended.')
  expect(store.useSession.getState()).toMatchObject({ session_token: null, leave_reason: 'Your session has ended.' })
})

test('a 401 of another call during the log-out gives no reason', () => {
  store.noteLogOff()
  store.closeSession('Your session has ended.')
  expect(store.useSession.getState()).toMatchObject({ session_token: null, leave_reason: null, is_logging_off: false })
  store.openSession('b')
  store.closeSession('Your session has ended.')
  expect(store.useSession.getState().leave_reason).toBe('Your session has ended.')
})
