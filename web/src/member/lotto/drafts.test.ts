import { expect, test, vi } from 'vitest'
import { makeStorage } from '../../lib/device/testing/memory-storage.ts'
import { slipName } from '../bet/slip/stored-slip.ts'
import { findDrafts } from './drafts.ts'

test('a market shows the last draft of this member alone', () => {
  vi.stubGlobal('localStorage', makeStorage())
  const keep = (user_id: number, period_code: string, changed_ms: number, ...rows: object[]): void =>
    localStorage.setItem(slipName(user_id, 'lao-vip', period_code), JSON.stringify({ rows, changed_ms }))
  keep(7, 'lao-vip-1', 1, { id: 1, number: '12', top: '5' })
  keep(
    7,
    'lao-vip-2',
    2,
    { id: 1, number: '47', top: '1,000', bottom: '20' },
    { id: 2, number: '48', top: 'x' },
    { id: 3 },
  )
  keep(8, 'lao-vip-2', 3, { id: 1, number: '99', top: '500' })
  expect([...findDrafts(7)]).toEqual([['lao-vip', { rows: 2, baht: 1_020 }]])
  expect(findDrafts(9).size).toBe(0)
})
