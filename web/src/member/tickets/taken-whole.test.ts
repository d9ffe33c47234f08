// Goal: a receipt closes with the next number only where it says nothing that the member did not know.

import type { OrderItem } from '@megalot/contract'
import { expect, test } from 'vitest'
import { isTakenWhole } from './taken-whole.ts'

const item = { received_satang: 5_000, asked_satang: 5_000, rate: 9_000, rate_seen: 9_000, is_half_pay: false }

function isWhole(change: Partial<OrderItem>, discount_seen_satang: number | null = null): boolean {
  return isTakenWhole({ items: [item, { ...item, ...change }] as OrderItem[], discount_seen_satang })
}

test('a ticket that was taken as asked for', () => {
  expect(isWhole({})).toBe(true)
})

test.each<[string, Partial<OrderItem>]>([
  ['less of a number', { received_satang: 2_500 }],
  ['nothing of a number', { received_satang: 0, is_closed: true }],
  ['a number at half pay', { is_half_pay: true }],
  ['a number at another rate', { rate: 4_500 }],
])('%s is not a whole ticket', (_name, change) => {
  expect(isWhole(change)).toBe(false)
})

test('another discount is not a whole ticket', () => {
  expect(isWhole({}, 100)).toBe(false)
})
