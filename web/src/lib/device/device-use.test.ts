// Goal: the log-out of a shared device leaves nothing of its members, and keeps what is the device's own.

import { beforeEach, expect, test, vi } from 'vitest'
import { clearPersonalData, hasKeptSlip, keepDeviceUse, readDeviceUse, rememberDeviceSettings } from './device-use.ts'
import * as pageKeys from './page-storage-keys.ts'
import * as keys from './storage-keys.ts'
import { makeStorage } from './testing/memory-storage.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', makeStorage())
  vi.stubGlobal('sessionStorage', makeStorage())
})

const names = { ...keys, ...pageKeys }

/** What becomes of each name at the log-out: the device’s own stays; of what is removed, the member is asked because of some. */
const outcomes: Record<keyof typeof names, 'kept' | 'asked about' | 'removed'> = {
  COLOUR_SCHEME_KEY: 'kept',
  DEVICE_USE_KEY: 'kept',
  LANGUAGE_KEY: 'kept',
  WEB_FONT_KEY: 'kept',
  AWAITED_KEY_PREFIX: 'removed',
  NEWS_READ_KEY_PREFIX: 'removed',
  OWN_LISTS_KEY_PREFIX: 'removed',
  PENDING_KEY_PREFIX: 'asked about',
  SLIP_KEY_PREFIX: 'asked about',
  ANNOUNCEMENT_KEY: 'removed',
  ANSWER_KEY_PREFIX: 'removed',
  AWAITED_FILES_KEY: 'removed',
  BET_STYLE_KEY: 'removed',
  CHAT_READING_KEY: 'removed',
  GRID_KEY_PREFIX: 'removed',
  LEAVE_REASON_KEY: 'removed',
  MARKET_NAMES_KEY: 'removed',
  NEW_MEMBER_CREDIT_KEY: 'removed',
  ON_CHANGE_KEY: 'removed',
  PACKAGE_KEY_PREFIX: 'removed',
  PLAY_REMINDER_KEY: 'removed',
  PRICES_KEY_PREFIX: 'removed',
  PUSH_KEY: 'removed',
  QUICK_STAKES_KEY: 'removed',
  RELOADED_FOR_KEY: 'removed',
  SESSION_KEY: 'removed',
  SESSION_KEY_PREFIX: 'removed',
  TAB_KEY: 'removed',
}

test.each(Object.entries(names))('it is decided what becomes of %s', (constant, name) => {
  for (const written of [name, `${name}7`, `${name}7.x`]) localStorage.setItem(written, '["x"]')
  const isAskedAbout = hasKeptSlip(7)
  clearPersonalData()
  const isKept = localStorage.getItem(name) !== null
  expect(isKept ? 'kept' : isAskedAbout ? 'asked about' : 'removed').toBe(outcomes[constant as keyof typeof names])
})

test('every name of the storage is removed but those of the device', () => {
  for (const name of [...Object.values(names), `${keys.SLIP_KEY_PREFIX}7.thai.2026`, `${keys.PENDING_KEY_PREFIX}8.x`]) {
    localStorage.setItem(name, '1')
    sessionStorage.setItem(name, '1')
  }
  localStorage.setItem('of another application', '1')
  clearPersonalData()
  expect(Object.keys(localStorage).toSorted()).toEqual(
    [
      keys.COLOUR_SCHEME_KEY,
      keys.DEVICE_USE_KEY,
      keys.LANGUAGE_KEY,
      keys.WEB_FONT_KEY,
      'of another application',
    ].toSorted(),
  )
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('what is the device’s own comes back after the browser has deleted everything', () => {
  localStorage.setItem(keys.LANGUAGE_KEY, 'en')
  localStorage.setItem(pageKeys.OWN_LISTS_KEY_PREFIX + 7, '{}')
  const restore = rememberDeviceSettings()
  vi.stubGlobal('localStorage', makeStorage())
  restore()
  expect(Object.entries(localStorage)).toEqual([[keys.LANGUAGE_KEY, 'en']])
})

test('there is something to ask about where this member has a draft or a ticket on its way', () => {
  expect(hasKeptSlip(7)).toBe(false)
  localStorage.setItem(`${keys.SLIP_KEY_PREFIX}77.thai.2026`, '{}')
  expect(hasKeptSlip(7)).toBe(false)
  localStorage.setItem(`${keys.PENDING_KEY_PREFIX}7.x`, '{}')
  expect(hasKeptSlip(7)).toBe(true)
})

test('the answer is kept', () => {
  expect(readDeviceUse()).toBe(null)
  for (const use of ['own', 'shared'] as const) {
    keepDeviceUse(use)
    expect(readDeviceUse()).toBe(use)
  }
})
