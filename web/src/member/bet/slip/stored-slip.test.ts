import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../../../lib/device/testing/memory-storage.ts'
import { readSlip, slipName } from './stored-slip.ts'

const name = slipName(7, 'lao', 'lao-1')
const ticket = { request_id: 'r', period_code: 'lao-1', package_code: '70', items: [] }
const row = { id: 1, number: '12', top: '5', bottom: '', roll: '', front: '' }
const empty = { rows: [], note: '', package_code: null, kept_duplicates: [], unsent: null, batch: null, changed_ms: 0 }
const store = (state: unknown): void => localStorage.setItem(name, JSON.stringify({ state, version: 0 }))

beforeEach(() => void vi.stubGlobal('localStorage', makeStorage()))

test('a draft is read as it was stored', () => {
  const draft = { ...empty, rows: [row], note: 'n', package_code: '70', kept_duplicates: ['2top 12'], changed_ms: 5 }
  store(draft)
  expect(readSlip(name)).toEqual(draft)
})

test('a draft of an earlier version, which held its pending ticket, keeps the ticket with its id', () => {
  store({ rows: [row], pending: ticket })
  expect(readSlip(name)).toEqual({ ...empty, rows: [row], unsent: ticket })
})

test('what makes no sense in a draft is left out, and the rest stays', () => {
  store({ rows: [row, null, { id: 'x' }, { id: 2, number: 34 }], note: 7, kept_duplicates: 'all', unsent: {} })
  expect(readSlip(name)).toEqual({ ...empty, rows: [row, { ...row, id: 2, number: '', top: '' }] })
})

test.each(['no JSON', '{"state":7}', '{"state":{},"version":1}'])('%s is no draft', (text) => {
  localStorage.setItem(name, text)
  expect(readSlip(name)).toBeNull()
})
