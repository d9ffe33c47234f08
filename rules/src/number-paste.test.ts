// Pasted text becomes exactly the numbers that people see in it, and nothing that looks like a number is dropped.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permuteNumber, readPastedNumbers } from './number-paste.ts'

describe('pasted numbers', () => {
  it.each<[string, Partial<ReturnType<typeof readPastedNumbers>>]>([
    ['123 456,789', { numbers: ['123', '456', '789'] }],
    ['12-34/5\n007\t00', { numbers: ['12', '34', '5', '007', '00'] }],
    ['๑๒๓ ๔๕', { numbers: ['123', '45'] }],
    ['１２３', { numbers: ['123'] }],
    ['เลขอั้น: 12 เลขปิด 34', { numbers: ['12', '34'], unknown: [] }],
    ['12 34 12 12', { numbers: ['12', '34'], doubled: ['12'] }],
    ['1234 12', { numbers: ['12'], unknown: ['1234'] }],
    ['12a x34', { numbers: [], unknown: ['12a', 'x34'] }],
    // Digits of other scripts are not converted.
    ['٣٤ 12', { numbers: ['12'], unknown: ['٣٤'] }],
    ['', { numbers: [], doubled: [], unknown: [] }],
  ])('%j', (text, expected) => {
    expect(readPastedNumbers(text)).toMatchObject(expected)
  })

  it('reads any numbers with any separators, in their order', () => {
    const number = fc
      .integer({ min: 1, max: 3 })
      .chain((digits) =>
        fc.integer({ min: 0, max: 10 ** digits - 1 }).map((value) => String(value).padStart(digits, '0')),
      )
    const separator = fc.constantFrom(' ', ',', '\n', '\t', ' / ', '=', '*', '|', '•', ' กข ')
    fc.assert(
      fc.property(fc.array(fc.tuple(number, separator)), (pairs) => {
        const read = readPastedNumbers(pairs.flat().join(''))
        const given = pairs.map(([each]) => each)
        expect(read.numbers).toEqual([...new Set(given)])
        expect(read.unknown).toEqual([])
        expect(new Set(read.doubled)).toEqual(new Set(given.filter((each, index) => given.indexOf(each) < index)))
      }),
    )
  })
})

describe('permuted numbers', () => {
  it.each([
    ['7', ['7']],
    ['12', ['12', '21']],
    ['21', ['12', '21']],
    ['55', ['55']],
    ['123', ['123', '132', '213', '231', '312', '321']],
    ['112', ['112', '121', '211']],
    ['000', ['000']],
  ])('%s', (number, expected) => {
    expect(permuteNumber(number)).toEqual(expected)
  })
})
