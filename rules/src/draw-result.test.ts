// Goal: only a complete and coherent result can be settled, in the form that was drawn on its day.

import { describe, expect, it } from 'vitest'
import { betTypeCodes } from './bet-type-code.ts'
import { checkDrawResult, type DrawResult } from './draw-result.ts'

const plainTypes = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const today: DrawResult = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}
const old: DrawResult = { first_prize: '778584', top3: '584', bottom2: '07', back3: ['164', '403', '811', '971'] }

/** A result with one field replaced, or taken out where the value is `undefined`. */
function change(result: DrawResult, field: keyof DrawResult, value: unknown): DrawResult {
  const changed: Record<string, unknown> = { ...result, [field]: value }
  if (value === undefined) delete changed[field]
  return changed as unknown as DrawResult
}

describe('checkDrawResult', () => {
  it('accepts a complete government result of either form', () => {
    expect(checkDrawResult(today, betTypeCodes)).toEqual([])
    expect(checkDrawResult(today, betTypeCodes, '2025-12-16')).toEqual([])
    expect(checkDrawResult(old, betTypeCodes)).toEqual([])
    expect(checkDrawResult(old, betTypeCodes, '2006-12-30')).toEqual([])
    expect(checkDrawResult({ ...old, front3: [] }, betTypeCodes, '2015-08-16')).toEqual([])
  })

  it('requires the form of the day where the day is known', () => {
    expect(checkDrawResult(old, betTypeCodes, '2015-09-01')).toEqual([
      { code: 'bad_front3', count: 2 },
      { code: 'bad_back3', count: 2 },
    ])
    expect(checkDrawResult(today, betTypeCodes, '2015-08-31')).toEqual([
      { code: 'bad_front3', count: 0 },
      { code: 'bad_back3', count: 4 },
    ])
  })

  it('accepts two equal front or back numbers', () => {
    expect(checkDrawResult({ ...today, front3: ['431', '431'], back3: ['449', '449'] }, betTypeCodes)).toEqual([])
  })

  it('accepts top3 and bottom2 alone where the market has no front and back numbers', () => {
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, plainTypes)).toEqual([])
    expect(checkDrawResult({ top3: '007', bottom2: '00', first_prize: '123007' }, plainTypes)).toEqual([])
    expect(checkDrawResult({ top3: '007', bottom2: '00', front3: [], back3: [] }, plainTypes)).toEqual([])
  })

  it('refuses front and back numbers, and a wrong first prize, on a market that has none', () => {
    expect(checkDrawResult(today, plainTypes)).toEqual([
      { code: 'bad_front3', count: 0 },
      { code: 'bad_back3', count: 0 },
    ])
    expect(checkDrawResult({ top3: '007', bottom2: '00', first_prize: '12300' }, plainTypes)).toEqual([
      { code: 'bad_first_prize' },
    ])
  })

  it('requires the government form where 3front or 3bottom is offered', () => {
    const missing = [{ code: 'bad_first_prize' }, { code: 'bad_front3', count: 2 }, { code: 'bad_back3', count: 2 }]
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, ['3front'])).toEqual(missing)
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, ['3bottom'])).toEqual(missing)
    expect(checkDrawResult({ top3: '007', bottom2: '00' }, [])).toEqual([])
  })

  it('reports a first prize whose last three digits are not top3', () => {
    expect(checkDrawResult(change(today, 'top3', '896'), betTypeCodes)).toEqual([
      { code: 'top3_differs', expected: '895' },
    ])
  })

  it('lists all problems at once, in a fixed order', () => {
    const wrong = { top3: '89', bottom2: '5', first_prize: '1', front3: ['1'], back3: [] }
    expect(checkDrawResult(wrong, betTypeCodes).map((problem) => problem.code)).toEqual([
      'bad_top3',
      'bad_bottom2',
      'bad_first_prize',
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
    expect(checkDrawResult(change(today, 'top3', value), plainTypes)).toContainEqual({ code: 'bad_top3' })
  })

  it.each(['', '5', '523', '5x', '๕๒', null, undefined, 52])('refuses bottom2 %j', (value) => {
    expect(checkDrawResult(change(today, 'bottom2', value), betTypeCodes)).toEqual([{ code: 'bad_bottom2' }])
  })

  it.each(['', '76389', '7638955', '76389x', undefined, null, 763895])('refuses first_prize %j', (value) => {
    expect(checkDrawResult(change(today, 'first_prize', value), betTypeCodes)).toEqual([{ code: 'bad_first_prize' }])
  })

  it.each([[['431']], [['431', '176', '000']], [['431', '17']], [['431', 176]], ['431176'], [{ length: 2 }], [[]]])(
    'refuses front3 %j and back3 of the same shape',
    (value) => {
      expect(checkDrawResult(change(today, 'front3', value), betTypeCodes)).toEqual([{ code: 'bad_front3', count: 2 }])
      expect(checkDrawResult(change(today, 'back3', value), betTypeCodes)).toEqual([{ code: 'bad_back3', count: 2 }])
    },
  )

  it('refuses a mix of the old and the new form', () => {
    expect(checkDrawResult({ ...old, front3: ['431', '176'] }, betTypeCodes)).toEqual([{ code: 'bad_back3', count: 2 }])
    expect(checkDrawResult(change(old, 'back3', ['164', '403', '811']), betTypeCodes)).toEqual([
      { code: 'bad_front3', count: 2 },
      { code: 'bad_back3', count: 2 },
    ])
  })
})
