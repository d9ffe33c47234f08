import { checkDrawResult } from '@megalot/rules'
import { expect, test } from 'vitest'
import { formatDigits, isFull, listResultFields, resultOf } from './result-fields.ts'

const day = '2026-01-16'

test.each([
  ['top3', '1a2', '12', false],
  ['top3', '๑๒๓', '123', true],
  ['top3', '1234', '123', true],
  ['front3', '4311', '431 1', false],
  ['front3', '431,176', '431 176', true],
  ['back3', '014 449 1', '014 449', true],
  ['first_prize', '763 895', '763895', true],
] as const)('%s typed as %s is %s', (field, typed, shown, isDone) => {
  expect(formatDigits(field, typed, day)).toBe(shown)
  expect(isFull(field, shown, day)).toBe(isDone)
})

test('what is typed for a draw of today and of the past is a result', () => {
  const government = ['3top', '3front', '3bottom'] as const
  const values = { first_prize: '763895', top3: '', bottom2: '52', front3: '431 176', back3: '014 449' }
  expect(checkDrawResult(resultOf(values, listResultFields(true, day)), government, day)).toEqual([])
  const old = '2014-09-01'
  const four = { ...values, back3: formatDigits('back3', '014449001002', old) }
  expect(checkDrawResult(resultOf(four, listResultFields(true, old)), government, old)).toEqual([])
  expect(resultOf({ ...values, top3: '895' }, listResultFields(false, day))).toEqual({ top3: '895', bottom2: '52' })
})
