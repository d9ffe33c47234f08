// Goal: what is typed is shown first. What follows from it is shown and stored right after the frame, and nothing of it is
// lost: leaving the page stores it, and every other change is stored at once.

import type { SlipContext } from '@megalot/rules'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'
import { createCheckedSlip } from './checked-slip.ts'
import { createSlipChecker } from './slip-check.ts'
import { insertRows, setCell } from './slip-rows.ts'
import type * as SlipStores from './slip-store.ts'

const key = { user_id: 1, product_code: 'gov', period_code: 'p1' }
const context: SlipContext = {
  terms: null,
  offered: ['2top'],
  credit_remain_satang: 100_000,
  max_items: 500,
  is_open: true,
}
let stores: typeof SlipStores
let frames: (() => void)[]
let localStorage: Storage
let window: EventTarget

/** Draws the frame that is due, and lets run what waits for its end. */
function drawFrame(): void {
  for (const callback of frames.splice(0)) callback()
  vi.advanceTimersByTime(1)
}

function storedNumbers(): readonly string[] {
  const name = Object.keys(localStorage).find((one) => one.endsWith('gov.p1'))
  const stored = JSON.parse((name === undefined ? null : localStorage.getItem(name)) ?? '{}') as {
    state?: { rows: { number: string }[] }
  }
  return stored.state?.rows.map(({ number }) => number).filter((number) => number !== '') ?? []
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  frames = []
  localStorage = makeStorage()
  window = Object.assign(new EventTarget(), { localStorage })
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('sessionStorage', makeStorage())
  vi.stubGlobal('window', window)
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback))
  vi.stubGlobal('cancelAnimationFrame', () => {})
  stores = await import('./slip-store.ts')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function typeNumber(number: string): void {
  const store = stores.slipStoreOf(key)
  stores.editRows(store, setCell(store.getState().rows, 0, 'number', number), '0 number')
}

test('what is typed is stored after the frame', () => {
  typeNumber('12')
  expect(storedNumbers()).toEqual([])
  drawFrame()
  expect(storedNumbers()).toEqual(['12'])
})

test('a page that is left before the frame stores what was typed', () => {
  typeNumber('12')
  window.dispatchEvent(new Event('pagehide'))
  expect(storedNumbers()).toEqual(['12'])
})

test('where no frame is drawn, it is stored all the same', () => {
  typeNumber('12')
  vi.advanceTimersByTime(1_000)
  expect(storedNumbers()).toEqual(['12'])
})

test('any other change is stored at once, and nothing older after it', () => {
  typeNumber('12')
  stores.clearDraft(stores.slipStoreOf(key))
  expect(storedNumbers()).toEqual([])
  drawFrame()
  expect(storedNumbers()).toEqual([])
})

test('what is said of the slip follows a cell a frame later, and rows at once', () => {
  const store = stores.slipStoreOf(key)
  const slip = createCheckedSlip(store, createSlipChecker(), context)
  const shown: number[] = []
  const end = slip.subscribeShown(() => shown.push(slip.getShown().check.lines.length))
  const { rows } = store.getState()
  expect(slip.getShown().check.lines).toHaveLength(0)

  stores.editRows(store, insertRows(rows, 0, [{ number: '12', top: '5' }]))
  // Rows that take the place of empty ones are other rows.
  expect(shown).toEqual([1])

  stores.editRows(store, setCell(store.getState().rows, 0, 'top', ''), '0 top')
  expect(shown).toEqual([1])
  expect(slip.getState().check.lines).toHaveLength(0)
  drawFrame()
  expect(shown).toEqual([1, 0])
  end()
})
