import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'
import { PRICES_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { keepPrices, readPrices } from './price-memory.ts'

beforeEach(() => vi.stubGlobal('localStorage', makeStorage()))

test('no price stands on a new device', () => {
  expect(readPrices(7, 'gov')).toEqual({})
})

test('prices last, an empty one included', () => {
  keepPrices(7, 'gov', { top: '50', bottom: '', roll: '20' })
  expect(readPrices(7, 'gov')).toEqual({ top: '50', roll: '20' })
})

// Defect: roll stayed pressed in the next market, and every number there was bet on it too.
test('roll and front do not last into the next market', () => {
  keepPrices(7, 'gov', { top: '50', bottom: '20', roll: '10', front: '5' })
  expect(readPrices(7, 'lao')).toEqual({ top: '50', bottom: '20' })
  expect(readPrices(7, 'gov')).toEqual({ top: '50', bottom: '20', roll: '10', front: '5' })
})

// Defect: the next member of a shared device bet at the prices of the one before.
test('the prices of another member do not stand', () => {
  keepPrices(7, 'gov', { top: '50' })
  expect(readPrices(8, 'gov')).toEqual({})
})

test.each([
  'x',
  '{}',
  '["top"]',
  '{"product_code":"gov","prices":{"top":"0","bottom":"-5","roll":"1.5","front":"12345678","left":"5"}}',
  '{"product_code":"gov","prices":{"top":"","bottom":" 5","roll":null}}',
])('%s in the storage is no price', (stored) => {
  localStorage.setItem(`${PRICES_KEY_PREFIX}7`, stored)
  expect(readPrices(7, 'gov')).toEqual({})
})
