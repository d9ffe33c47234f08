// Only a complete and consistent result can be settled, in the form drawn on its day.

import { describe, expect, it } from 'vitest'
import { checkDrawResult, deriveNumbers, type DrawResult, publishedNumbers, resultForms } from './draw-result.ts'

const today: DrawResult = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}
const old: DrawResult = { first_prize: '778584', top3: '584', bottom2: '07', back3: ['164', '403', '811', '971'] }

const noFirstPrize = { code: 'bad_first_prize', least_digits: 6, most_digits: 6 }

/** A result with one field replaced, or removed if the value is `undefined`. */
function change(result: DrawResult, field: keyof DrawResult, value: unknown): DrawResult {
  const changed: Record<string, unknown> = { ...result, [field]: value }
  if (value === undefined) delete changed[field]
  return changed as unknown as DrawResult
}

describe('checkDrawResult', () => {
  it('accepts a complete government result of either form', () => {
    expect(checkDrawResult(today, 'government')).toEqual([])
    expect(checkDrawResult(today, 'government', '2025-12-16')).toEqual([])
    expect(checkDrawResult(old, 'government')).toEqual([])
    expect(checkDrawResult(old, 'government', '2006-12-30')).toEqual([])
    expect(checkDrawResult({ ...old, front3: [] }, 'government', '2015-08-16')).toEqual([])
  })

  it('requires the form of the day if the day is known', () => {
    expect(checkDrawResult(old, 'government', '2015-09-01')).toEqual([
      { code: 'bad_front3', count: 2 },
      { code: 'bad_back3', count: 2 },
    ])
    expect(checkDrawResult(today, 'government', '2015-08-31')).toEqual([
      { code: 'bad_front3', count: 0 },
      { code: 'bad_back3', count: 4 },
    ])
  })

  it('accepts two equal front or back numbers', () => {
    expect(checkDrawResult({ ...today, front3: ['431', '431'], back3: ['449', '449'] }, 'government')).toEqual([])
  })

  it('accepts top3 and bottom2 alone if the market has no front and back numbers', () => {
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, 'three_and_two')).toEqual([])
    expect(checkDrawResult({ top3: '007', bottom2: '00', front3: [], back3: [] }, 'three_and_two')).toEqual([])
  })

  it('refuses a published number, and front and back numbers, on a market that has none', () => {
    expect(checkDrawResult(today, 'three_and_two')).toEqual([
      { code: 'bad_first_prize', least_digits: 0, most_digits: 0 },
      { code: 'bad_front3', count: 0 },
      { code: 'bad_back3', count: 0 },
    ])
  })

  it('requires all numbers of the government lottery', () => {
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, 'government')).toEqual([
      noFirstPrize,
      { code: 'bad_front3', count: 2 },
      { code: 'bad_back3', count: 2 },
    ])
  })

  it('reports a first prize whose last three digits are not top3', () => {
    expect(checkDrawResult(change(today, 'top3', '896'), 'government')).toEqual([
      { code: 'top3_differs', expected: '895' },
    ])
  })

  it('lists all problems at once, in a fixed order', () => {
    const wrong = { top3: '89', bottom2: '5', first_prize: '1', front3: ['1'], back3: [] }
    expect(checkDrawResult(wrong, 'government').map((problem) => problem.code)).toEqual([
      'bad_first_prize',
      'bad_top3',
      'bad_bottom2',
      'bad_front3',
      'bad_back3',
    ])
  })

  const notDigits: unknown[] = [
    '',
    '8',
    '89',
    '8955',
    '89a',
    '๘๙๕',
    ' 895',
    '89\n',
    '8.5',
    '-89',
    null,
    undefined,
    895,
    {},
  ]
  it.each(notDigits)('refuses top3 %j', (value) => {
    expect(checkDrawResult(change(today, 'top3', value), 'three_and_two')).toContainEqual({ code: 'bad_top3' })
  })

  it.each(['', '5', '523', '5x', '๕๒', null, undefined, 52])('refuses bottom2 %j', (value) => {
    expect(checkDrawResult(change(today, 'bottom2', value), 'government')).toEqual([{ code: 'bad_bottom2' }])
  })

  it.each(['', '76389', '7638955', '76389x', undefined, null, 763895])('refuses first_prize %j', (value) => {
    expect(checkDrawResult(change(today, 'first_prize', value), 'government')).toEqual([noFirstPrize])
  })

  it.each([[['431']], [['431', '176', '000']], [['431', '17']], [['431', 176]], ['431176'], [{ length: 2 }], [[]]])(
    'refuses front3 %j and back3 of the same shape',
    (value) => {
      expect(checkDrawResult(change(today, 'front3', value), 'government')).toEqual([{ code: 'bad_front3', count: 2 }])
      expect(checkDrawResult(change(today, 'back3', value), 'government')).toEqual([{ code: 'bad_back3', count: 2 }])
    },
  )

  it('refuses a mix of the old and the new form', () => {
    expect(checkDrawResult({ ...old, front3: ['431', '176'] }, 'government')).toEqual([{ code: 'bad_back3', count: 2 }])
    expect(checkDrawResult(change(old, 'back3', ['164', '403', '811']), 'government')).toEqual([
      { code: 'bad_front3', count: 2 },
      { code: 'bad_back3', count: 2 },
    ])
  })
})

// Regression: top3 and bottom2 were typed beside the published number, and a typing mistake paid another bet.
describe('a published number', () => {
  const forms = resultForms.flatMap((form) => {
    const published = publishedNumbers[form]
    return published && form !== 'government' ? [{ form, ...published }] : []
  })

  it('decides top3, and bottom2 if it contains it: every number of four digits, with some digits before them', () => {
    for (const { form, least_digits, most_digits, has_bottom2 } of forms)
      for (let length = least_digits; length <= most_digits; length += 1)
        for (let number = 0; number < 10_000; number += 1) {
          const last = String(number).padStart(4, '0')
          const first_prize = '90'.slice(0, length - 4) + last
          const derived = deriveNumbers(form, first_prize)
          // Written out, to detect a mistake in either.
          expect(derived.top3).toBe(`${last[1]}${last[2]}${last[3]}`)
          expect(derived.bottom2).toBe(has_bottom2 ? `${last[0]}${last[1]}` : undefined)
          expect(checkDrawResult({ bottom2: '52', ...derived, first_prize }, form)).toEqual([])
        }
  })

  it('refuses every other top3 and, if it contains bottom2, every other bottom2', () => {
    for (const { form, most_digits, has_bottom2 } of forms) {
      const first_prize = '763895'.slice(-most_digits)
      const right = { bottom2: '38', ...deriveNumbers(form, first_prize), first_prize }
      for (let number = 0; number < 1_000; number += 1) {
        const top3 = String(number).padStart(3, '0')
        expect(checkDrawResult({ ...right, top3 }, form)).toEqual(
          top3 === '895' ? [] : [{ code: 'top3_differs', expected: '895' }],
        )
      }
      for (let number = 0; number < 100; number += 1) {
        const bottom2 = String(number).padStart(2, '0')
        expect(checkDrawResult({ ...right, bottom2 }, form)).toEqual(
          bottom2 === '38' || !has_bottom2 ? [] : [{ code: 'bottom2_differs', expected: '38' }],
        )
      }
    }
  })

  it('has as many digits as its market publishes', () => {
    for (const { form, least_digits, most_digits } of forms)
      for (const first_prize of [undefined, null, 3895, '', '895', '3895', '63895', '763895', '2763895', '389x']) {
        const derived = deriveNumbers(form, typeof first_prize === 'string' ? first_prize : '3895')
        const problems = checkDrawResult({ bottom2: '38', ...derived, first_prize } as DrawResult, form)
        const length = typeof first_prize === 'string' && first_prize !== '389x' ? first_prize.length : 0
        const isRight = length >= least_digits && length <= most_digits
        expect(problems.some(({ code }) => code === 'bad_first_prize')).toBe(!isRight)
      }
  })
})
