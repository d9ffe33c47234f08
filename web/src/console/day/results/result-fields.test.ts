import { checkDrawResult } from '@megalot/rules'
import { expect, test } from 'vitest'
import { formatDigits, isFull, listResultFields, resultOf, writeDigitCount } from './result-fields.ts'

const today = { result_form: 'government', period_date: '2026-01-16' } as const
const lao = { ...today, result_form: 'four_to_six_digits' } as const

test.each([
  ['top3', '1a2', '12', false],
  ['top3', '๑๒๓', '123', true],
  ['top3', '1234', '123', true],
  ['front3', '4311', '431 1', false],
  ['front3', '431,176', '431 176', true],
  ['back3', '014 449 1', '014 449', true],
  ['first_prize', '763 895', '763895', true],
] as const)('%s typed as %s is %s', (field, typed, shown, isDone) => {
  expect(formatDigits(field, typed, today)).toBe(shown)
  expect(isFull(field, shown, today)).toBe(isDone)
})

test('what is typed for a draw of today and of the past is a result', () => {
  const values = { first_prize: '763895', top3: '', bottom2: '52', front3: '431 176', back3: '014 449' }
  expect(checkDrawResult(resultOf(values, today), 'government', today.period_date)).toEqual([])
  const old = { ...today, period_date: '2014-09-01' }
  const four = { ...values, back3: formatDigits('back3', '014449001002', old) }
  expect(checkDrawResult(resultOf(four, old), 'government', old.period_date)).toEqual([])
  const plain = { ...today, result_form: 'three_and_two' } as const
  expect(resultOf({ ...values, top3: '895' }, plain)).toEqual({ top3: '895', bottom2: '52' })
})

test('a published number is typed alone where it decides the others, and beside two digits where it does not', () => {
  const values = { first_prize: '3895', top3: '', bottom2: '52', front3: '', back3: '' }
  expect(listResultFields(lao)).toEqual(['first_prize'])
  expect(resultOf(values, lao)).toEqual({ first_prize: '3895', top3: '895', bottom2: '38' })
  const hanoi = { ...today, result_form: 'five_digits_and_two' } as const
  expect(listResultFields(hanoi)).toEqual(['first_prize', 'bottom2'])
  expect(resultOf({ ...values, first_prize: '63895' }, hanoi)).toEqual({
    first_prize: '63895',
    top3: '895',
    bottom2: '52',
  })
  expect([writeDigitCount('four_to_six_digits'), writeDigitCount('four_digits')]).toEqual(['4–6', '4'])
})
