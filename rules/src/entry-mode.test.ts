// The catalogue gives a screen everything it needs, an entry makes exactly the lines that a member would write by hand,
// and no input makes it fail.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyNumber, multisetOf } from '../test/every-number.ts'
import { betTypeByCode, isNumberOf } from './bet-type.ts'
import {
  checkEntryInput,
  entryColumns,
  entryModeCodes,
  entryModes,
  expandEntry,
  getEntryMode,
  makeEntryLines,
  type EntryModeCode,
} from './entry-mode.ts'
import { jubwinOptionCodes, type JubwinOptions } from './jubwin.ts'
import { betTypeOfColumn, stakeColumns } from './stake-column.ts'

const mode = getEntryMode

/** How many numbers an entry makes. */
function sizeOf(code: EntryModeCode, input: string): number {
  return expandEntry(mode(code), input).length
}

function firstAndLast(code: EntryModeCode, input: string): string {
  const numbers = expandEntry(mode(code), input)
  return `${numbers[0]} ${numbers.at(-1)}`
}

describe('the catalogue', () => {
  it('lists every mode with names, input, digits, columns and options', () => {
    const rows = entryModes.map((one) => [
      one.code,
      one.name_th,
      one.name_en,
      `${one.input.kind} ${one.input.digits}`,
      one.digits,
      one.columns.join(' '),
      one.options.join(' '),
    ])
    const all = 'top bottom roll front'
    const five = 'roll double no_front_double no_split no_back_double'
    expect(rows).toEqual([
      ['six_doors', '6 ประตู', '6 doors', 'number 3', 3, all, ''],
      ['nineteen_doors', '19 ประตู', '19 doors', 'number 1', 2, 'top bottom roll', ''],
      ['fix_front', 'รูดหน้า', 'Fix front', 'number 1', 2, 'top bottom', ''],
      ['fix_back', 'รูดหลัง', 'Fix back', 'number 1', 2, 'top bottom', ''],
      ['double', 'เบิ้ล', 'Double', 'none 0', 2, 'top bottom roll', ''],
      ['triple', 'ตอง', 'Triple', 'none 0', 3, all, ''],
      ['siblings', 'พี่น้อง', 'Siblings', 'none 0', 2, 'top bottom roll', ''],
      ['low', 'ต่ำ', 'Low', 'none 0', 2, 'top bottom roll', ''],
      ['high', 'สูง', 'High', 'none 0', 2, 'top bottom roll', ''],
      ['odd', 'คี่', 'Odd', 'none 0', 2, 'top bottom roll', ''],
      ['even', 'คู่', 'Even', 'none 0', 2, 'top bottom roll', ''],
      ['jubwin_2d', 'จับวิน 2 ตัว', 'Jubwin 2D', 'digit_set 2', 2, 'top bottom roll', 'roll double'],
      ['jubwin_3d', 'จับวิน 3 ตัว', 'Jubwin 3D', 'digit_set 3', 3, all, five],
      ['jubwin_3d_two_tails', 'จับวิน 3 ตัว 2 หาง', 'Jubwin 3D two-tails', 'digit_set 3', 3, all, five],
    ])
    expect(entryModes.map((one) => one.code)).toEqual([...entryModeCodes])
    expect(entryModeCodes.map((code) => mode(code).code)).toEqual([...entryModeCodes])
  })

  it('makes as many numbers as the rule says', () => {
    expect(sizeOf('six_doors', '123')).toBe(6)
    expect(sizeOf('six_doors', '122')).toBe(3)
    expect(sizeOf('six_doors', '222')).toBe(1)
    expect(sizeOf('nineteen_doors', '0')).toBe(19)
    expect(sizeOf('fix_front', '0')).toBe(10)
    expect(sizeOf('fix_back', '0')).toBe(10)
    expect(sizeOf('double', '')).toBe(10)
    expect(sizeOf('triple', '')).toBe(10)
    expect(sizeOf('siblings', '')).toBe(20)
    expect(sizeOf('low', '')).toBe(50)
    expect(sizeOf('high', '')).toBe(50)
    expect(sizeOf('odd', '')).toBe(50)
    expect(sizeOf('even', '')).toBe(50)
    expect(sizeOf('jubwin_2d', '12')).toBe(2)
    expect(sizeOf('jubwin_3d', '123')).toBe(6)
    expect(sizeOf('jubwin_3d_two_tails', '123')).toBe(60)
  })

  it('each mode makes its own numbers', () => {
    expect(firstAndLast('six_doors', '132')).toBe('123 321')
    expect(firstAndLast('nineteen_doors', '5')).toBe('50 95')
    expect(firstAndLast('fix_front', '5')).toBe('50 59')
    expect(firstAndLast('fix_back', '5')).toBe('05 95')
    expect(firstAndLast('double', '')).toBe('00 99')
    expect(firstAndLast('triple', '')).toBe('000 999')
    expect(firstAndLast('siblings', '')).toBe('01 09')
    expect(firstAndLast('low', '')).toBe('00 49')
    expect(firstAndLast('high', '')).toBe('50 99')
    expect(firstAndLast('odd', '')).toBe('01 99')
    expect(firstAndLast('even', '')).toBe('00 98')
    expect(firstAndLast('jubwin_2d', '59')).toBe('59 95')
    expect(firstAndLast('jubwin_3d', '579')).toBe('579 975')
    expect(firstAndLast('jubwin_3d_two_tails', '579')).toBe('057 997')
  })
})

describe('checkEntryInput', () => {
  it.each([
    ['six_doors', '123', null],
    ['six_doors', '111', null],
    ['six_doors', '12', 'too_few_digits'],
    ['six_doors', '1234', 'too_many_digits'],
    ['six_doors', '12x', 'not_digits'],
    ['nineteen_doors', '5', null],
    ['nineteen_doors', '', 'too_few_digits'],
    ['nineteen_doors', '55', 'too_many_digits'],
    ['fix_front', '๕', 'not_digits'],
    ['low', '', null],
    ['low', '1', 'too_many_digits'],
    ['jubwin_2d', '12', null],
    ['jubwin_2d', '0123456789', null],
    ['jubwin_2d', '11', 'too_few_digits'],
    ['jubwin_2d', '1 2', 'not_digits'],
    ['jubwin_3d', '123', null],
    ['jubwin_3d', '1122', 'too_few_digits'],
    ['jubwin_3d', '112233', null],
    ['jubwin_3d_two_tails', '12', 'too_few_digits'],
    ['jubwin_3d_two_tails', '120', null],
  ] as const)('%s of "%s": %s', (code, input, problem) => {
    expect(checkEntryInput(mode(code), input)).toBe(problem)
    expect(expandEntry(mode(code), input).length > 0).toBe(problem === null)
  })
})

describe('makeEntryLines', () => {
  it('writes column after column', () => {
    expect(makeEntryLines(mode('fix_front'), '5', {}, { bottom: 200, top: 100 })).toEqual([
      ...everyNumber(1).map((digit) => ({ bet_type: '2top', number: `5${digit}`, bet_satang: 100 })),
      ...everyNumber(1).map((digit) => ({ bet_type: '2bottom', number: `5${digit}`, bet_satang: 200 })),
    ])
  })

  it('stakes a roll once per multiset', () => {
    expect(makeEntryLines(mode('six_doors'), '312', {}, { roll: 500 })).toEqual([
      { bet_type: '3roll', number: '123', bet_satang: 500 },
    ])
    const doors = makeEntryLines(mode('nineteen_doors'), '5', {}, { top: 100, roll: 500 })
    expect(doors.filter((line) => line.bet_type === '2top')).toHaveLength(19)
    expect(doors.filter((line) => line.bet_type === '2roll').map((line) => line.number)).toEqual([
      ...['05', '15', '25', '35', '45', '55', '56', '57', '58', '59'],
    ])
    expect(makeEntryLines(mode('low'), '', {}, { roll: 100 })).toHaveLength(40)
  })

  it('with the roll option stakes only on the roll', () => {
    const lines = makeEntryLines(mode('jubwin_2d'), '123', { roll: true }, { top: 100, roll: 200 })
    expect(lines).toEqual(['12', '13', '23'].map((number) => ({ bet_type: '2roll', number, bet_satang: 200 })))
    expect(entryColumns(mode('jubwin_2d'), { roll: true })).toEqual(['roll'])
    expect(entryColumns(mode('jubwin_2d'), { roll: false })).toEqual(['top', 'bottom', 'roll'])
    expect(entryColumns(mode('jubwin_2d'))).toEqual(['top', 'bottom', 'roll'])
  })

  it('ignores options and columns that the mode lacks', () => {
    const lines = makeEntryLines(mode('six_doors'), '123', { roll: true }, { top: 100 })
    expect(lines).toHaveLength(6)
    expect(entryColumns(mode('six_doors'), { roll: true })).toEqual(['top', 'bottom', 'roll', 'front'])
    expect(makeEntryLines(mode('fix_front'), '5', {}, { roll: 100, front: 100 })).toEqual([])
    expect(makeEntryLines(mode('six_doors'), '123', {}, {})).toEqual([])
    expect(makeEntryLines(mode('six_doors'), '12', {}, { top: 100 })).toEqual([])
    expect(makeEntryLines(mode('six_doors'), '123', {}, { top: -100, bottom: 0 })).toEqual([])
    expect(makeEntryLines(mode('jubwin_3d'), '123', { roll: true }, { top: 100 })).toEqual([])
    expect(expandEntry(mode('jubwin_2d'), '12', { no_split: true, double: true })).toEqual(['11', '12', '21', '22'])
  })
})

describe('for any input', () => {
  const anyOptions = fc.record(Object.fromEntries(jubwinOptionCodes.map((code) => [code, fc.boolean()])), {
    requiredKeys: [],
  }) as fc.Arbitrary<JubwinOptions>
  const anyInput = fc.oneof(fc.stringMatching(/^[0-9]{0,6}$/), fc.string(), fc.string({ unit: 'binary' }))
  const anyStakes = fc.record(
    Object.fromEntries(stakeColumns.map((column) => [column, fc.integer({ min: -1, max: 9 })])),
    { requiredKeys: [] },
  )

  it('nothing throws, no number repeats, every number is valid', () => {
    fc.assert(
      fc.property(fc.constantFrom(...entryModes), anyInput, anyOptions, anyStakes, (one, input, options, stakes) => {
        const numbers = expandEntry(one, input, options)
        expect(new Set(numbers).size).toBe(numbers.length)
        expect(numbers.every((number) => isNumberOf(one.digits === 2 ? '2top' : '3top', number))).toBe(true)
        expect(numbers.length > 0).toBe(checkEntryInput(one, input) === null)

        const lines = makeEntryLines(one, input, options, stakes)
        const hasStake = entryColumns(one, options).some((column) => (stakes[column] ?? 0) > 0)
        expect(lines.length > 0).toBe(numbers.length > 0 && hasStake)
        expect(new Set(lines.map((line) => `${line.bet_type} ${line.number}`)).size).toBe(lines.length)
        for (const line of lines) expect(isNumberOf(line.bet_type, line.number)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('a line is made for every number of every staked column, and every multiset of the roll', () => {
    fc.assert(
      fc.property(fc.constantFrom(...entryModes), anyInput, anyOptions, anyStakes, (one, input, options, stakes) => {
        const numbers = expandEntry(one, input, options)
        const expected = entryColumns(one, options).flatMap((column) => {
          const bet_satang = stakes[column] ?? 0
          const staked = column === 'roll' ? [...new Set(numbers.map(multisetOf))] : numbers
          const bet_type = betTypeOfColumn(one.digits, column)
          return bet_satang > 0 ? staked.map((number) => ({ bet_type, number, bet_satang })) : []
        })
        const lines = makeEntryLines(one, input, options, stakes)
        expect(lines).toEqual(expected)
        expect(lines.every((line) => betTypeByCode[line.bet_type].digits === one.digits)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
