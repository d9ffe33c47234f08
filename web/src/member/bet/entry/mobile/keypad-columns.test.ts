import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../../../../lib/device/testing/memory-storage.ts'
import { KEYPAD_COLUMNS_KEY } from '../../../../lib/device/page-storage-keys.ts'
import { keepKeypadColumns, readKeypadColumns } from './keypad-columns.ts'

beforeEach(() => vi.stubGlobal('localStorage', makeStorage()))

// Defect: top and bottom were chosen from the start, and 20 cost 40.
test('a new member bets on the top alone', () => {
  expect(readKeypadColumns()).toEqual(['top'])
})

test('the last choice of the device is kept, none included', () => {
  keepKeypadColumns(['bottom', 'top'])
  expect(readKeypadColumns()).toEqual(['top', 'bottom'])
  keepKeypadColumns([])
  expect(readKeypadColumns()).toEqual([])
})

// Defect: roll stayed pressed in the next market, and every number there was bet on it too.
test.each([
  [['top', 'roll'], ['top']],
  [['roll'], ['top']],
  [['bottom', 'front'], ['bottom']],
] as const)('of %s the next market has %s', (chosen, kept) => {
  keepKeypadColumns(chosen)
  expect(readKeypadColumns()).toEqual(kept)
})

test.each(['x', '{}', '["left"]', '"top"'])('%s in the storage chooses no column that was not chosen', (stored) => {
  localStorage.setItem(KEYPAD_COLUMNS_KEY, stored)
  expect(readKeypadColumns().length).toBeLessThan(2)
})
