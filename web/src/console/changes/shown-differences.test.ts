import { expect, test } from 'vitest'
import { listShownDifferences, type State } from './shown-differences.ts'

const pathsOf = (before: State | null, after: State | null): string[] =>
  listShownDifferences(before, after).map(({ path }) => path.join('.'))

test('a raised quota names its bet type and package first, which stay as they are', () => {
  const before = { product_code: 'lao', package_code: '70', bet_type: '3top', full_satang: 1, half_satang: 2 }
  expect(pathsOf(before, { ...before, full_satang: 3 })).toEqual(['package_code', 'bet_type', 'full_satang'])
})

test('a quota that ends shows the amounts that go', () => {
  const before = { bet_type: '3top', full_satang: 1, half_satang: 2 }
  expect(pathsOf(before, { bet_type: '3top', full_satang: null, half_satang: null })).toEqual([
    'bet_type',
    'full_satang',
    'half_satang',
  ])
})

test('a field that a proposal does not name is not shown as if it ended', () => {
  expect(pathsOf({ office_role: 'none', status: 'active' }, { office_role: 'risk' })).toEqual(['office_role'])
})

test('of a record that is removed every field is shown, and of a new one each once', () => {
  expect(pathsOf({ status: 'active' }, null)).toEqual(['status'])
  expect(pathsOf(null, { bet_types: [{ bet_type: '3top', rate: 1 }], user_id: 7 })).toEqual(['bet_types.3top.rate'])
})
