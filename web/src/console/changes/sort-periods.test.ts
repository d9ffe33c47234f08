import type { ProductPeriod } from '@megalot/contract'
import { expect, test } from 'vitest'
import { sortPeriods } from './sort-periods.ts'

const market = (name: string, close_at: string | null): ProductPeriod =>
  ({ name_th: name, name_en: name, current_period: close_at === null ? null : { close_at } }) as ProductPeriod
const markets = [
  market('b', null),
  market('c', '2025-12-16T08:00:00.000Z'),
  market('a', '2025-12-16T09:00:00.000Z'),
  market('d', '2025-12-16T07:00:00.000Z'),
]
const sorted = (column?: string, direction: 'asc' | 'desc' = 'asc'): string =>
  sortPeriods(markets, column === undefined ? null : { column, direction }, 'en')
    .map(({ name_en }) => name_en)
    .join('')

test('what closes first is first, and what has no period is last, in either direction', () => {
  expect(sorted()).toBe('dcab')
  expect(sorted('close_at')).toBe('dcab')
  expect(sorted('close_at', 'desc')).toBe('acdb')
})

test('by name', () => {
  expect(sorted('market')).toBe('abcd')
  expect(sorted('market', 'desc')).toBe('dcba')
})

test('an unknown column leaves the order of the server', () => {
  expect(sorted('nothing')).toBe('bcad')
})
