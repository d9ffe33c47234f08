// The member sees every problem at once, in a fixed order, and no false problems. Every code is tested on both sides of
// its limit.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betTypeCodes } from './bet-type-code.ts'
import { discountSatang } from './money.ts'
import {
  checkSlip,
  doesRefuse,
  MAX_LINE_SATANG,
  slipProblemCodes,
  slipProblemSeverity,
  type SlipContext,
  type SlipLine,
  type SlipProblem,
} from './slip.ts'
import type { BetTypeTerms } from './terms.ts'

const terms: readonly BetTypeTerms[] = betTypeCodes.map((bet_type) => ({
  bet_type,
  rate: 55_000,
  discount_rate: 3_300,
  min_satang: 500,
  max_satang: 300_000,
  max_per_number_satang: 500_000,
  is_on: true,
}))

const context: SlipContext = {
  terms,
  offered: betTypeCodes,
  credit_remain_satang: 100_000_000,
  max_items: 500,
  is_open: true,
}

function line(bet_type: string, number: string, bet_satang = 1_000): SlipLine {
  return { bet_type, number, bet_satang } as SlipLine
}

function problemsOf(lines: readonly SlipLine[], changes: Partial<SlipContext> = {}): readonly SlipProblem[] {
  return checkSlip(lines, { ...context, ...changes }).problems
}

function codesOf(lines: readonly SlipLine[], changes: Partial<SlipContext> = {}): string[] {
  return problemsOf(lines, changes).map((problem) => problem.code)
}

/** Problems as text, naming lines by their indexes before they were moved. */
function nameProblems(problems: readonly SlipProblem[], originalIndex: (index: number) => number): string[] {
  return problems
    .map((problem) => JSON.stringify({ ...problem, lines: problem.lines.map(originalIndex).sort((a, b) => a - b) }))
    .sort()
}

const good = line('3top', '123')

describe('a good slip', () => {
  it('has no problems and totals in satang', () => {
    const lines = [line('3top', '007', 1_000), line('2bottom', '45', 2_500), line('1top', '0', 700)]
    expect(checkSlip(lines, context)).toEqual({
      problems: [],
      totals: { bet_satang: 4_200, discount_satang: 330 + 825 + 231, net_satang: 4_200 - 1_386 },
      is_acceptable: true,
    })
  })

  it('accepts every bet type', () => {
    const lines = betTypeCodes.map((code) => line(code, '123'.slice(0, Number(code[0]))))
    expect(problemsOf(lines)).toEqual([])
  })
})

describe('problems of the whole slip', () => {
  it('no_package: nothing chosen; lines are still checked, the credit is not', () => {
    const check = checkSlip([good, line('3top', '1')], { ...context, terms: null, credit_remain_satang: 0 })
    expect(check.problems).toEqual([
      { code: 'no_package', lines: [] },
      { code: 'too_few_digits', lines: [1], digits: 3 },
    ])
    expect(check.totals).toEqual({ bet_satang: 2_000, discount_satang: 0, net_satang: 2_000 })
    expect(check.is_acceptable).toBe(false)
  })

  it('period_closed', () => {
    expect(problemsOf([good], { is_open: false })).toEqual([{ code: 'period_closed', lines: [] }])
  })

  it('no_number: an empty slip is not also a slip of total 0 or of closed numbers', () => {
    expect(problemsOf([])).toEqual([{ code: 'no_number', lines: [] }])
  })

  it('zero_total: numbers, but no amount on any of them', () => {
    expect(problemsOf([line('3top', '123', 0)])).toEqual([
      { code: 'zero_total', lines: [] },
      { code: 'under_min', lines: [0], min_satang: 500 },
    ])
    expect(codesOf([line('3top', '123', Number.NaN)])).toEqual(['bad_amount'])
    expect(codesOf([line('3top', '123', 0), line('3top', '124', 500)])).toEqual(['under_min'])
  })

  it('too_many_items', () => {
    expect(problemsOf([good, line('3top', '124')], { max_items: 2 })).toEqual([])
    expect(problemsOf([good, line('3top', '124')], { max_items: 1 })).toEqual([
      { code: 'too_many_items', lines: [], count: 2, max_items: 1 },
    ])
  })

  it('over_credit compares the net total', () => {
    // 10 Baht at 33 % discount cost 6.70.
    expect(problemsOf([good], { credit_remain_satang: 670 })).toEqual([])
    expect(problemsOf([good], { credit_remain_satang: 669 })).toEqual([
      { code: 'over_credit', lines: [], net_satang: 670, credit_remain_satang: 669 },
    ])
    expect(codesOf([good], { credit_remain_satang: -1 })).toEqual(['over_credit'])
    expect(codesOf([good], { credit_remain_satang: Number.NaN })).toEqual(['over_credit'])
  })

  it('all_numbers_closed: nothing would be accepted', () => {
    const number_states = { '3top': { '123': 'grey' } } as const
    const closed = checkSlip([good], { ...context, number_states })
    expect(closed.problems).toEqual([
      { code: 'all_numbers_closed', lines: [] },
      { code: 'number_closed', lines: [0] },
    ])
    expect(closed.is_acceptable).toBe(false)
  })
})

describe('problems of a line', () => {
  it('bet_type_not_offered hides all other problems of the line', () => {
    const bad = line('3front', 'x', -1)
    const only = [{ code: 'bet_type_not_offered', lines: [1] }]
    expect(problemsOf([good, bad], { offered: ['3top'] })).toEqual(only)
    expect(problemsOf([good, bad], { terms: terms.filter((one) => one.bet_type === '3top') })).toEqual(only)
    expect(
      problemsOf([good, bad], { terms: terms.map((one) => ({ ...one, is_on: one.bet_type !== '3front' })) }),
    ).toEqual(only)
    expect(problemsOf([good, line('4top', '1234')])).toEqual(only)
    expect(problemsOf([good, line('toString', '1')])).toEqual(only)
    expect(codesOf([good, bad], { offered: ['3top'], terms: null })).toEqual(['no_package', 'bet_type_not_offered'])
  })

  it('too_few_digits and bad_number', () => {
    for (const number of ['', '1', '12'])
      expect(problemsOf([line('3top', number)])).toEqual([{ code: 'too_few_digits', lines: [0], digits: 3 }])
    for (const number of ['1234', '12a', 'a', '๑๒๓', '-12', '1.2', ' 12', '12\n'])
      expect(problemsOf([line('3top', number)])).toEqual([{ code: 'bad_number', lines: [0], digits: 3 }])
    expect(problemsOf([line('2roll', '123')])).toEqual([{ code: 'bad_number', lines: [0], digits: 2 }])
    expect(problemsOf([line('1bottom', '')])).toEqual([{ code: 'too_few_digits', lines: [0], digits: 1 }])
  })

  it('bad_amount: no whole Baht, negative, no number, or implausibly large', () => {
    for (const amount of [-100, 50, 150, 1_000.5, Number.NaN, Infinity, -Infinity, MAX_LINE_SATANG + 100, 2 ** 60])
      expect(problemsOf([good, line('2top', '12', amount)])).toEqual([{ code: 'bad_amount', lines: [1] }])
    const wide = terms.map((one) => ({ ...one, max_satang: 2e10, max_per_number_satang: 2e10 }))
    expect(problemsOf([line('2top', '12', MAX_LINE_SATANG)], { terms: wide, credit_remain_satang: 1e10 })).toEqual([])
  })

  it('under_min, and never under one Baht', () => {
    expect(problemsOf([line('3top', '123', 500)])).toEqual([])
    expect(problemsOf([line('3top', '123', 400)])).toEqual([{ code: 'under_min', lines: [0], min_satang: 500 }])
    const free = terms.map((one) => ({ ...one, min_satang: 0 }))
    expect(problemsOf([good, line('3top', '124', 0)], { terms: free })).toEqual([
      { code: 'under_min', lines: [1], min_satang: 100 },
    ])
    expect(codesOf([good, line('3top', '124', 0)], { terms: null })).toEqual(['no_package', 'under_min'])
    expect(problemsOf([good, line('3top', '124', 100)], { terms: free })).toEqual([])
  })

  it('over_max', () => {
    expect(problemsOf([line('3top', '123', 300_000)])).toEqual([])
    expect(problemsOf([line('3top', '123', 300_100)])).toEqual([{ code: 'over_max', lines: [0], max_satang: 300_000 }])
  })

  it('a bad number and a bad amount of one line are both reported', () => {
    expect(codesOf([good, line('3top', '1x', 50)])).toEqual(['bad_number', 'bad_amount'])
  })

  it('number_closed, number_half and number_yellow warn; a closed number among others refuses nothing', () => {
    const number_states = {
      '3top': { '123': 'grey', '124': 'yellow', '126': 'half' },
      '2top': { '12': 'grey' },
    } as const
    const lines = ['124', '126', '123', '125'].map((number) => line('3top', number))
    const check = checkSlip([...lines, line('2bottom', '12')], { ...context, number_states })
    expect(check.problems).toEqual([
      { code: 'number_closed', lines: [2] },
      { code: 'number_half', lines: [1] },
      { code: 'number_yellow', lines: [0] },
    ])
    expect(check.is_acceptable).toBe(true)
  })

  it('finds the state of a roll in any order of its digits', () => {
    expect(codesOf([line('3roll', '321')], { number_states: { '3roll': { '123': 'yellow' } } })).toEqual([
      'number_yellow',
    ])
    expect(codesOf([line('3roll', '321')], { number_states: { '3roll': { '321': 'yellow' } } })).toEqual([
      'number_yellow',
    ])
    expect(codesOf([line('3top', '321')], { number_states: { '3top': { '123': 'yellow' } } })).toEqual([])
  })
})

describe('several lines on one number', () => {
  it('duplicate names all lines', () => {
    const lines = [
      line('3top', '123'),
      line('3roll', '123'),
      line('3top', '124'),
      line('3top', '123'),
      line('3top', '123'),
    ]
    expect(problemsOf(lines)).toEqual([{ code: 'duplicate', lines: [0, 3, 4] }])
    expect(checkSlip(lines, context).is_acceptable).toBe(true)
  })

  it('duplicate: rolls are the same in any order of digits, other types are not', () => {
    expect(problemsOf([line('2roll', '12'), line('2roll', '21')])).toEqual([{ code: 'duplicate', lines: [0, 1] }])
    expect(problemsOf([line('2top', '12'), line('2top', '21')])).toEqual([])
  })

  it('duplicate is found without a package and whatever the amounts, but not among bad numbers', () => {
    expect(codesOf([good, good], { terms: null })).toEqual(['no_package', 'duplicate'])
    expect(codesOf([good, line('3top', '123', 50)])).toEqual(['bad_amount', 'duplicate'])
    expect(codesOf([good, line('3top', ''), line('3top', '')])).toEqual(['too_few_digits', 'too_few_digits'])
  })

  it('over_max_per_number adds up the slip and earlier stakes', () => {
    const already_bet = { '3top': { '123': 200_000, '124': 500_000 }, '3roll': { '123': 500_000 } }
    expect(problemsOf([line('3top', '123', 300_000)], { already_bet })).toEqual([])
    expect(
      problemsOf([line('3top', '125', 200_000), line('3top', '123', 200_000), line('3top', '123', 100_100)], {
        already_bet,
      }),
    ).toEqual([
      {
        code: 'over_max_per_number',
        lines: [1, 2],
        max_per_number_satang: 500_000,
        already_bet_satang: 200_000,
        slip_satang: 300_100,
      },
      { code: 'duplicate', lines: [1, 2] },
    ])
  })

  it('over_max_per_number pools rolls, on the slip and before', () => {
    const already_bet = { '2roll': { '12': 200_000, '21': 200_000, '33': 9_000_000 }, '2top': { '12': 9_000_000 } }
    expect(codesOf([line('2roll', '21', 100_000)], { already_bet })).toEqual([])
    expect(problemsOf([line('2roll', '12', 50_000), line('2roll', '21', 50_100)], { already_bet })).toEqual([
      {
        code: 'over_max_per_number',
        lines: [0, 1],
        max_per_number_satang: 500_000,
        already_bet_satang: 400_000,
        slip_satang: 100_100,
      },
      { code: 'duplicate', lines: [0, 1] },
    ])
  })

  it('over_max_per_number is not checked without a package', () => {
    const already_bet = { '3top': { '123': 9_000_000 } }
    expect(codesOf([good], { already_bet, terms: null })).toEqual(['no_package'])
    expect(codesOf([good], { already_bet })).toEqual(['over_max_per_number'])
  })
})

describe('precedence', () => {
  it('orders the codes as documented', () => {
    const lines = [
      line('3top', '123', 300_100),
      line('3top', '123', 300_000),
      line('2top', '77'),
      line('2top', '88'),
      line('1top', '5', 100),
      line('1top', '6', 150),
      line('3roll', 'abc'),
      line('3roll', '12'),
      line('3front', '123'),
    ]
    const codes = codesOf(lines, {
      offered: betTypeCodes.filter((code) => code !== '3front'),
      number_states: { '2top': { '77': 'yellow', '88': 'grey' } },
      max_items: 1,
      is_open: false,
      credit_remain_satang: 0,
    })
    expect(codes).toEqual([
      'period_closed',
      'too_many_items',
      'bet_type_not_offered',
      'too_few_digits',
      'bad_number',
      'bad_amount',
      'under_min',
      'over_max',
      'over_max_per_number',
      'over_credit',
      'number_closed',
      'number_yellow',
      'duplicate',
    ])
  })

  it('lists problems of one code by line', () => {
    const lines = [line('2top', '1'), line('3top', '9'), good, line('3top', '8')]
    expect(problemsOf(lines).map((problem) => problem.lines)).toEqual([[0], [1], [3]])
    const pairs = [line('2top', '11'), line('2top', '22'), line('2top', '22'), line('2top', '11')]
    expect(problemsOf(pairs).map((problem) => problem.lines)).toEqual([
      [0, 3],
      [1, 2],
    ])
  })

  it('names all refusals before all warnings', () => {
    const severities = slipProblemCodes.map((code) => slipProblemSeverity[code])
    expect(severities).toEqual([...severities].sort())
    expect(slipProblemCodes.filter((code) => slipProblemSeverity[code] === 'warns')).toEqual([
      'number_closed',
      'number_half',
      'number_yellow',
      'duplicate',
    ])
    expect(doesRefuse({ code: 'no_package', lines: [] })).toBe(true)
    expect(doesRefuse({ code: 'duplicate', lines: [0, 1] })).toBe(false)
  })
})

describe('for any slip', () => {
  const anyType = fc.oneof(fc.constantFrom(...betTypeCodes), fc.string())
  const anyNumber = fc.oneof(
    fc.integer({ min: 0, max: 99 }).map(String),
    fc.stringMatching(/^[0-9]{1,3}$/),
    fc.string(),
  )
  const anyAmount = fc.oneof(
    fc.integer({ min: 0, max: 5_000 }).map((baht) => baht * 100),
    fc.integer(),
    fc.double(),
    fc.maxSafeInteger(),
  )
  const anyLine = fc
    .tuple(anyType, anyNumber, anyAmount)
    .map(([bet_type, number, bet_satang]) => line(bet_type, number, bet_satang))
  const anyChange = fc.record(
    {
      terms: fc.constantFrom(null, terms, terms.slice(0, 4)),
      is_open: fc.boolean(),
      max_items: fc.integer({ min: 0, max: 30 }),
      credit_remain_satang: fc.integer({ min: -1_000, max: 1_000_000 }),
      already_bet: fc.constant({ '2roll': { '12': 400_000, '21': 100_000 }, '1top': { '7': 500_000 } }),
      number_states: fc.constant({
        '2top': { '12': 'grey' },
        '1top': { '1': 'yellow', '2': 'grey', '3': 'half' },
      } as const),
    },
    { requiredKeys: [] },
  )

  it('nothing throws, and every problem names existing lines', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 40 }), anyChange, (lines, changes) => {
        const { problems, totals, is_acceptable } = checkSlip(lines, { ...context, ...changes })
        expect(is_acceptable).toBe(!problems.some(doesRefuse))
        expect(totals.bet_satang - totals.discount_satang).toBe(totals.net_satang)
        for (const problem of problems)
          expect(problem.lines.every((index) => Number.isInteger(index) && index >= 0 && index < lines.length)).toBe(
            true,
          )
      }),
      { numRuns: 500 },
    )
  })

  it('reordering lines changes only their indexes', () => {
    const shuffled = fc.array(anyLine, { maxLength: 30 }).chain((lines) =>
      fc
        .shuffledSubarray(
          lines.map((_, index) => index),
          { minLength: lines.length },
        )
        .map((order) => ({ lines, order })),
    )
    fc.assert(
      fc.property(shuffled, anyChange, ({ lines, order }, changes) => {
        const given = { ...context, ...changes }
        const before = checkSlip(lines, given)
        const after = checkSlip(
          order.map((index) => lines[index] as SlipLine),
          given,
        )
        expect(after.totals).toEqual(before.totals)
        expect(after.problems.map((problem) => problem.code)).toEqual(before.problems.map((problem) => problem.code))
        expect(nameProblems(after.problems, (index) => order[index] as number)).toEqual(
          nameProblems(before.problems, (index) => index),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('totals are the sums of the lines, each rounded separately', () => {
    const anyGood = fc.record({
      bet_type: fc.constantFrom(...betTypeCodes),
      number: fc.constant('1'),
      bet_satang: fc.integer({ min: 0, max: 1_000_000 }).map((baht) => baht * 100),
    })
    fc.assert(
      fc.property(fc.array(anyGood), fc.integer({ min: 0, max: 10_000 }), (lines, discount_rate) => {
        const { totals } = checkSlip(lines, { ...context, terms: terms.map((one) => ({ ...one, discount_rate })) })
        const bet = lines.reduce((sum, one) => sum + one.bet_satang, 0)
        const discount = lines.reduce((sum, one) => sum + discountSatang(one.bet_satang, discount_rate), 0)
        expect(totals).toEqual({ bet_satang: bet, discount_satang: discount, net_satang: bet - discount })
      }),
    )
  })
})
