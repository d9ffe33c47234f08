import { expect, test } from 'vitest'
import { fitOf, otherWords, readDeed } from './deeds.ts'

test.each([
  ['รับเงิน member04', 'receive', 'member04', null],
  ['จ่ายเงิน member04', 'pay', 'member04', null],
  ['ให้วงเงิน member04 5000', 'credit', 'member04', 500_000],
  ['receive member04', 'receive', 'member04', null],
  ['Pay Member04 1,250.50', 'pay', 'Member04', 125_050],
  ['credit member04 5000', 'credit', 'member04', 500_000],
  ['give credit member04', 'credit', 'member04', null],
])('%s is a deed', (text, kind, name, amount_satang) => {
  expect(readDeed(text)).toEqual({ kind, name, amount_satang })
})

test.each(['รับเงิน', 'member04', 'pay m', 'payday member04', 'credit member04 much', ''])('%s is none', (text) => {
  expect(readDeed(text)).toBeNull()
})

test('a word of its own goes before a part of another', () => {
  expect(fitOf('ผล', otherWords.results!)).toBe(0)
  expect(fitOf('ลูกค้า', otherWords.people!)).toBe(0)
  expect(fitOf('cust', otherWords.people!)).toBe(1)
  expect(fitOf('nothing', otherWords.people!)).toBeNull()
})
