import { expect, test } from 'vitest'
import { keyOfRow, listQuotaRows, readQuota, toQuotaChange } from './quota-rows.ts'

const amounts = { full_satang: 10_000, half_satang: 5_000 }
const market = {
  product_code: 'gsb',
  bet_types: ['3top', '2top'] as const,
  package_codes: ['70', '90'],
  period_codes: ['gsb-20261123'],
}
const known = {
  standing: [
    { product_code: 'gsb', bet_type: '3top' as const, ...amounts },
    { product_code: 'baac', bet_type: '2top' as const, ...amounts },
  ],
  packages: [{ product_code: 'gsb', package_code: '90', bet_type: '2top' as const, ...amounts }],
  periods: [{ product_code: 'gsb', period_code: 'gsb-20261201', bet_type: '3top' as const, ...amounts }],
  period_packages: [
    { product_code: 'gsb', period_code: 'gsb-20261123', package_code: '70', bet_type: '2top' as const, ...amounts },
  ],
}

test('a market has a row for each bet type of the market, its packages, its periods, and its packages in them', () => {
  const rows = listQuotaRows(market, known)
  expect(rows).toHaveLength(2 * (1 + 2 + 2 * (1 + 2)))
  expect(new Set(rows.map(keyOfRow)).size).toBe(rows.length)
  expect(rows.filter(({ quota }) => quota !== null).map(keyOfRow)).toEqual([
    '3top market',
    '3top period gsb-20261201',
    '2top package 90',
    '2top period_package 70 gsb-20261123',
  ])
})

test('a change is sent to the market, the package or the period, and proposed where two people are needed', () => {
  const [ofMarket, ofPackage, , ofPeriod, ofPackageInPeriod] = listQuotaRows(market, known)
  const change = (row: typeof ofMarket, quota: typeof amounts | null) => toQuotaChange(row!, quota)
  expect(change(ofMarket, null)).toBeNull()
  expect(change(ofMarket, amounts)).toEqual({
    kind: 'set_quota',
    payload: { product_code: 'gsb', bet_type: '3top', ...amounts },
  })
  const ofPackage70 = { product_code: 'gsb', package_code: '70', bet_type: '3top' }
  expect(change(ofPackage, null)).toEqual({ kind: 'set_package_quota', payload: { ...ofPackage70, quota: null } })
  expect(change(ofPackageInPeriod, amounts)).toEqual({
    kind: 'set_package_quota',
    payload: { ...ofPackage70, period_code: 'gsb-20261123', quota: amounts },
  })
  expect(change(ofPeriod, amounts)).toEqual({
    kind: 'set_period_quota',
    payload: { period_code: 'gsb-20261123', bet_type: '3top', quota: amounts },
  })
})

test('amounts are whole Baht', () => {
  expect(readQuota('100', '50')).toEqual(amounts)
  expect(readQuota('100', '')).toBeNull()
  expect(readQuota('1,000', '0')).toBeNull()
})
