import { winChance } from '@megalot/rules'
import { expect, test } from 'vitest'
import { draftOf, readTerms } from './terms-draft.ts'
import type { Terms } from './terms-draft.ts'

const terms: Terms = {
  bet_type: '3top',
  rate: 55_000,
  discount_rate: 3_300,
  min_satang: 100,
  max_satang: 100_000,
  max_per_number_satang: 200_000,
  is_on: true,
  ...winChance('3top'),
}
const read = (more: Partial<ReturnType<typeof draftOf>>) => readTerms(terms, { ...draftOf(terms), ...more })

test('unchanged terms are no change', () => {
  expect(read({})).toEqual({ change: null, return_rate: 8_800, bound: 'alone', problems: {} })
})

test('only what differs is sent', () => {
  expect(read({ rate: '600' }).change).toEqual({ bet_type: '3top', rate: 60_000 })
})

test('above 100 % two people are needed, above 120 % it is refused beside the rate', () => {
  expect(read({ rate: '680' })).toMatchObject({ return_rate: 10_100, bound: 'approved', problems: {} })
  expect(read({ rate: '880' })).toMatchObject({ bound: 'refused', problems: { rate: 'refused' } })
})

test('terms that are off have no bound', () => {
  expect(read({ rate: '880', is_on: false })).toMatchObject({ bound: 'alone', problems: {} })
})

test('limits rise from least to most', () => {
  expect(read({ min: '2000' }).problems).toEqual({ max: 'order' })
  expect(read({ max: '0.5' }).problems).toEqual({ max: 'amount' })
})
