// Jubwin makes exactly the numbers that the rule describes, for every set of digits and every mix of options. The
// reference calculation filters all numbers by the rule instead of building them.

import { describe, expect, it } from 'vitest'
import { everyNumber, multisetOf } from '../test/every-number.ts'
import {
  chosenDigits,
  expandJubwin2,
  expandJubwin3,
  expandJubwinTwoTails,
  isJubwinOptionEnabled,
  jubwinOptionCodes,
  jubwinOptions,
  type JubwinOptions,
} from './jubwin.ts'

const digitSets = Array.from({ length: 1024 }, (_, bits) =>
  everyNumber(1)
    .filter((_digit, place) => (bits >> place) & 1)
    .join(''),
)

/** All mixes of options that matter. With `roll` the three "no …" options have no effect, which has its own test. */
const optionMixes: JubwinOptions[] = [
  ...Array.from({ length: 16 }, (_, bits) => ({
    double: (bits & 1) > 0,
    no_front_double: (bits & 2) > 0,
    no_split: (bits & 4) > 0,
    no_back_double: (bits & 8) > 0,
  })),
  { roll: true },
  { roll: true, double: true },
]

function shapeOf(number: string): 'abc' | 'aab' | 'aba' | 'abb' | 'aaa' {
  const [a, b, c] = number
  if (a === b && b === c) return 'aaa'
  if (a === b) return 'aab'
  if (a === c) return 'aba'
  return b === c ? 'abb' : 'abc'
}

/** Digits as bits of a whole number, to keep a million checks fast. */
function bitsOf(digits: string): number {
  return [...digits].reduce((bits, digit) => bits | (1 << Number(digit)), 0)
}

const numbersWithShape = everyNumber(3).map((number) => ({
  number,
  shape: shapeOf(number),
  multiset: multisetOf(number),
  digitBits: bitsOf(number),
  tailBits: bitsOf(number.slice(1)),
  hasDoubleTail: number[1] === number[2],
}))

function isDropped(shape: string, options: JubwinOptions): boolean {
  if (options.roll === true) return false
  return (
    (shape === 'aab' && options.no_front_double === true) ||
    (shape === 'aba' && options.no_split === true) ||
    (shape === 'abb' && options.no_back_double === true)
  )
}

function enabled(options: JubwinOptions): string[] {
  return jubwinOptionCodes.filter((code) => isJubwinOptionEnabled(code, options))
}

function rollUp(found: readonly { number: string; multiset: string }[], options: JubwinOptions): string {
  if (options.roll !== true) return found.map((one) => one.number).join()
  return [...new Set(found.map((one) => one.multiset))].sort().join()
}

function expected3(digits: string, options: JubwinOptions): string {
  const chosen = bitsOf(digits)
  const found = numbersWithShape.filter(
    ({ digitBits, shape }) =>
      (digitBits & ~chosen) === 0 && (shape === 'abc' || (options.double === true && !isDropped(shape, options))),
  )
  return rollUp(found, options)
}

function expectedTwoTails(digits: string, options: JubwinOptions): string {
  const chosen = bitsOf(digits)
  const found = numbersWithShape.filter(
    ({ tailBits, shape, hasDoubleTail }) =>
      (tailBits & ~chosen) === 0 && (!hasDoubleTail || options.double === true) && !isDropped(shape, options),
  )
  return rollUp(found, options)
}

describe('for every set of digits and every mix of options', () => {
  it('jubwin 3D and two-tails make what the rule describes', () => {
    const wrong: string[] = []
    for (const digits of digitSets)
      for (const options of optionMixes) {
        const three = expandJubwin3(digits, options)
        const tails = expandJubwinTwoTails(digits, options)
        if (three.join() !== expected3(digits, options) || tails.join() !== expectedTwoTails(digits, options))
          wrong.push(`${digits} ${JSON.stringify(options)}`)
      }
    expect(wrong).toEqual([])
  })

  it('jubwin 2D makes what the rule describes', () => {
    const wrong: string[] = []
    for (const digits of digitSets)
      for (const options of [{}, { double: true }, { roll: true }, { roll: true, double: true }]) {
        const expected = everyNumber(2).filter(
          (number) =>
            [...number].every((digit) => digits.includes(digit)) &&
            (number[0] !== number[1] || 'double' in options) &&
            (!('roll' in options) || multisetOf(number) === number),
        )
        const pairs = expandJubwin2(digits, options)
        if (pairs.join() !== expected.join()) wrong.push(`${digits} ${JSON.stringify(options)}`)
      }
    expect(wrong).toEqual([])
  })

  it('no number is written twice', () => {
    const wrong = digitSets.filter((digits) =>
      [expandJubwin2, expandJubwin3, expandJubwinTwoTails].some((expand) => {
        const numbers = expand(digits, { double: true })
        return new Set(numbers).size !== numbers.length
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('golden counts for N = 3, 4, 5, 6, 7', () => {
  const sets = ['123', '1234', '12345', '123456', '1234567']
  it.each([
    ['3D', expandJubwin3, {}, [6, 24, 60, 120, 210]],
    ['3D with double', expandJubwin3, { double: true }, [27, 64, 125, 216, 343]],
    ['3D roll', expandJubwin3, { roll: true }, [1, 4, 10, 20, 35]],
    ['3D roll with double', expandJubwin3, { roll: true, double: true }, [10, 20, 35, 56, 84]],
    ['2D', expandJubwin2, {}, [6, 12, 20, 30, 42]],
    ['2D with double', expandJubwin2, { double: true }, [9, 16, 25, 36, 49]],
    ['2D roll', expandJubwin2, { roll: true }, [3, 6, 10, 15, 21]],
    ['two-tails', expandJubwinTwoTails, {}, [60, 120, 200, 300, 420]],
    ['two-tails with double', expandJubwinTwoTails, { double: true }, [90, 160, 250, 360, 490]],
  ] as const)('%s', (_name, expand, options, sizes) => {
    expect(sets.map((digits) => expand(digits, options).length)).toEqual(sizes)
  })
})

describe('worked examples', () => {
  it('numbers are ascending, whatever the typing order', () => {
    expect(expandJubwin2('31', {})).toEqual(['13', '31'])
    expect(expandJubwin3('312', {})).toEqual(['123', '132', '213', '231', '312', '321'])
    expect(expandJubwin3('2131', {})).toEqual(expandJubwin3('123', {}))
    expect(chosenDigits('7007')).toEqual(['0', '7'])
  })

  it('dropping shapes keeps the triples', () => {
    const options = { double: true, no_front_double: true, no_split: true, no_back_double: true }
    expect(expandJubwin3('12', options)).toEqual(['111', '222'])
    expect(expandJubwin3('12', { double: true, no_split: true })).toEqual(['111', '112', '122', '211', '221', '222'])
  })

  it('two-tails drop shapes of all three digits, including the free one', () => {
    const tails = expandJubwinTwoTails('12', { no_front_double: true, no_split: true })
    expect(tails).toHaveLength(16)
    expect(tails).not.toContain('112')
    expect(tails).not.toContain('212')
    expect(tails).toContain('312')
  })

  it('roll makes one number of each multiset, and the three "no …" change nothing', () => {
    expect(expandJubwin3('123', { roll: true })).toEqual(['123'])
    expect(expandJubwinTwoTails('12', { roll: true })).toEqual([
      ...['012', '112', '122', '123', '124', '125', '126', '127', '128', '129'],
    ])
    const dropping = { roll: true, double: true, no_front_double: true, no_split: true, no_back_double: true }
    for (const digits of ['12', '123', '0567', '0123456789'])
      for (const expand of [expandJubwin3, expandJubwinTwoTails])
        expect(expand(digits, dropping)).toEqual(expand(digits, { roll: true, double: true }))
  })

  it('reports which options have an effect', () => {
    expect(enabled({})).toEqual([...jubwinOptionCodes])
    expect(enabled({ roll: false, double: true })).toEqual([...jubwinOptionCodes])
    expect(enabled({ roll: true })).toEqual(['roll', 'double'])
  })

  it('names every option in both languages', () => {
    expect(jubwinOptions.map((option) => [option.code, option.name_th, option.name_en])).toEqual([
      ['roll', 'โต๊ด', 'Roll'],
      ['double', 'รวมเบิ้ล/ตอง', 'Double/triple'],
      ['no_front_double', 'ไม่เอาเบิ้ลหน้า', 'No front double'],
      ['no_split', 'ไม่เอาหาม', 'No split'],
      ['no_back_double', 'ไม่เอาเบิ้ลหลัง', 'No back double'],
    ])
    expect(jubwinOptions.map((option) => option.code)).toEqual([...jubwinOptionCodes])
  })
})
