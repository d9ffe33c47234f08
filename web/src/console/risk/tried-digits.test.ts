import { expect, test } from 'vitest'
import { noTriedDigits, triedResultOf } from './tried-digits.ts'

test('nothing is tried before both results are complete', () => {
  expect(triedResultOf({ ...noTriedDigits, top3: '123' }, ['3top'])).toEqual({})
  expect(triedResultOf({ ...noTriedDigits, top3: '12', bottom2: '45' }, ['3top'])).toEqual({})
})

test('front and back numbers are tried in pairs, where the market draws them', () => {
  const digits = { top3: '123', bottom2: '45', front3: '111 222', back3: '333' }
  expect(triedResultOf(digits, ['3front', '3bottom'])).toEqual({ top3: '123', bottom2: '45', front3: '111,222' })
  expect(triedResultOf(digits, ['3top'])).toEqual({ top3: '123', bottom2: '45' })
})
