// The quick check passes no slip that `checkSlip` refuses, and passes every slip without problems. Intake relies on it
// alone when it passes a slip, so a wrong pass would be accepted.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { findSlot } from './bet-slot.ts'
import { type BetTypeCode, betTypeCodes } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import { passesQuickCheck } from './quick-check.ts'
import { checkSlip, doesRefuse, MAX_LINE_SATANG, type SlipLine } from './slip.ts'
import { type BetTypeTerms, tabulateTerms } from './terms.ts'

interface Slip {
  lines: readonly SlipLine[]
  terms: readonly BetTypeTerms[]
  offered: readonly BetTypeCode[]
  credit_remain_satang: number
  max_items: number
  is_open: boolean
}

/** Calls it as intake does: each bet by its slot, the terms as a table. */
function isQuick({ lines, terms, offered, credit_remain_satang, max_items, is_open }: Slip): boolean {
  const slots = Int16Array.from(lines, ({ bet_type, number }) => findSlot(bet_type, number))
  const bets = Float64Array.from(lines, ({ bet_satang }) => bet_satang)
  return passesQuickCheck(slots, bets, {
    terms: tabulateTerms(terms, offered),
    credit_remain_satang,
    max_items,
    is_open,
  })
}

const refusalsOf = ({ lines, ...context }: Slip): string[] =>
  checkSlip(lines, context)
    .problems.filter(doesRefuse)
    .map(({ code }) => code)

const anyTerms: fc.Arbitrary<BetTypeTerms[]> = fc
  .tuple(
    ...betTypeCodes.map((bet_type) =>
      fc.record({
        bet_type: fc.constant(bet_type),
        rate: fc.integer({ min: 0, max: 100_000 }),
        discount_rate: fc.oneof(fc.constantFrom(0, 1, 3_333, 10_000), fc.integer({ min: 0, max: 10_000 })),
        // Below one Baht as well, because the least stake applies even then.
        min_satang: fc.constantFrom(0, 50, 100, 150, 500, 10_000),
        max_satang: fc.constantFrom(500, 10_000, 500_050, MAX_LINE_SATANG),
        // Out of reach, because intake uses the quick check only if the limit per number cannot be exceeded.
        max_per_number_satang: fc.constant(Number.MAX_SAFE_INTEGER),
        is_on: fc.boolean().chain((isOn) => (isOn ? fc.constant(true) : fc.boolean())),
      }),
    ),
  )
  // A package may lack a bet type altogether.
  .chain((all) => fc.oneof({ weight: 4, arbitrary: fc.constant(all) }, { weight: 1, arbitrary: fc.subarray(all) }))

const anyStake = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 120 }).map((baht) => baht * 100) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      -100,
      50,
      99,
      101,
      150,
      0.5,
      MAX_LINE_SATANG,
      MAX_LINE_SATANG + 100,
      1e300,
      NaN,
      Infinity,
    ),
  },
)
const goodNumbers = [1, 2, 3].map((digits) => fc.constantFrom(...everyNumber(digits)))
const goodNumber = (bet_type: BetTypeCode): fc.Arbitrary<string> => goodNumbers[betTypeByCode[bet_type].digits - 1]!
/** The slot of most of these is -1 for most bet types. */
const badNumber = fc.constantFrom('', '1', '12', '1234', '1a', '๑๒๓', '-12', ' 12', '1.5')
const anyLine: fc.Arbitrary<SlipLine> = fc
  .oneof(
    { weight: 30, arbitrary: fc.constantFrom(...betTypeCodes) },
    { weight: 1, arbitrary: fc.constantFrom<string>('9top', '3tpp', '', '3rolls').map((code) => code as BetTypeCode) },
  )
  .chain((bet_type) =>
    fc.record({
      bet_type: fc.constant(bet_type),
      number: betTypeCodes.includes(bet_type)
        ? fc.oneof({ weight: 20, arbitrary: goodNumber(bet_type) }, { weight: 1, arbitrary: badNumber })
        : badNumber,
      bet_satang: anyStake,
    }),
  )

/** Slips around every limit, many with one problem and many with none. The credit is close to the slip's cost. */
const anySlip: fc.Arbitrary<Slip> = fc
  .record({
    lines: fc.array(anyLine, { maxLength: 8 }),
    terms: anyTerms,
    offered: fc.oneof(fc.constant([...betTypeCodes]), fc.subarray([...betTypeCodes])),
    max_items: fc.constantFrom(1, 5, 500, Infinity),
    is_open: fc.integer({ min: 0, max: 9 }).map((of10) => of10 > 0),
    spare_satang: fc.constantFrom(-100, -1, 0, 1, 1_000_000),
  })
  .map(({ spare_satang, ...slip }) => {
    const { totals } = checkSlip(slip.lines, { ...slip, credit_remain_satang: 0 })
    return { ...slip, credit_remain_satang: totals.net_satang + spare_satang }
  })

/** Slips without problems: stakes within the limits of an offered bet type, and sufficient credit. */
const acceptableSlip: fc.Arbitrary<Slip> = anyTerms
  .map((terms) => terms.filter(({ is_on }) => is_on))
  .filter((terms) => terms.some(({ min_satang, max_satang }) => min_satang <= max_satang))
  .chain((terms) => {
    const usable = terms.filter(({ min_satang, max_satang }) => min_satang <= max_satang)
    const line = fc.constantFrom(...usable).chain(({ bet_type, min_satang, max_satang }) =>
      fc.record({
        bet_type: fc.constant(bet_type),
        number: goodNumber(bet_type),
        bet_satang: fc
          .integer({ min: Math.max(1, Math.ceil(min_satang / 100)), max: Math.floor(max_satang / 100) })
          .map((baht) => baht * 100),
      }),
    )
    return fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 12 }),
      terms: fc.constant(terms),
      spare_satang: fc.constantFrom(0, 1, 1_000_000),
    })
  })
  .map(({ lines, terms, spare_satang }) => {
    const slip = { lines, terms, offered: betTypeCodes, max_items: lines.length, is_open: true }
    const { totals } = checkSlip(lines, { ...slip, credit_remain_satang: 0 })
    return { ...slip, credit_remain_satang: totals.net_satang + spare_satang }
  })

describe('the quick check', () => {
  it('passes no slip that is refused', () => {
    fc.assert(
      fc.property(anySlip, (slip) => {
        expect(isQuick(slip) ? refusalsOf(slip) : []).toEqual([])
      }),
      { numRuns: 20_000 },
    )
  })

  it('passes every slip that is not refused', () => {
    // It may reject these and leave the slip to `checkSlip`. That it never does keeps most slips quick.
    fc.assert(
      fc.property(fc.oneof(anySlip, acceptableSlip), (slip) => {
        expect(isQuick(slip) || refusalsOf(slip).length > 0).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('passes generated slips without a problem', () => {
    fc.assert(
      fc.property(acceptableSlip, (slip) => {
        expect(refusalsOf(slip)).toEqual([])
        expect(isQuick(slip)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the quick check, on both sides of each limit,', () => {
  const terms: BetTypeTerms[] = [
    {
      bet_type: '3top',
      rate: 55_000,
      discount_rate: 3_333,
      min_satang: 500,
      max_satang: 10_000,
      max_per_number_satang: Number.MAX_SAFE_INTEGER,
      is_on: true,
    },
  ]
  const line: SlipLine = { bet_type: '3top', number: '123', bet_satang: 1_000 }
  // 33.33 % of 10 Baht is 333.3 satang, so the ticket costs 667.
  const slip: Slip = {
    lines: [line],
    terms,
    offered: betTypeCodes,
    credit_remain_satang: 667,
    max_items: 1,
    is_open: true,
  }
  const betting = (bet_satang: number): Slip => ({
    ...slip,
    lines: [{ ...line, bet_satang }],
    credit_remain_satang: 1e9,
  })
  const turnedOff: BetTypeTerms[] = [{ ...terms[0]!, is_on: false }]

  it.each<[string, Slip, Slip]>([
    ['credit', slip, { ...slip, credit_remain_satang: 666 }],
    [
      'number of lines',
      { ...slip, lines: [line], max_items: 1 },
      { ...slip, lines: [line, line], max_items: 1, credit_remain_satang: 1e9 },
    ],
    ['at least one line', slip, { ...slip, lines: [] }],
    ['open period', slip, { ...slip, is_open: false }],
    ['least stake', betting(500), betting(400)],
    ['greatest stake', betting(10_000), betting(10_100)],
    ['whole Baht', betting(600), betting(650)],
    [
      'one Baht at least',
      { ...betting(100), terms: [{ ...terms[0]!, min_satang: 0 }] },
      { ...betting(0), terms: [{ ...terms[0]!, min_satang: 0 }] },
    ],
    ['bet type of the market', slip, { ...slip, offered: betTypeCodes.filter((code) => code !== '3top') }],
    ['bet type that the package has on', slip, { ...slip, terms: turnedOff }],
    ['bet type that the package has', slip, { ...slip, terms: [] }],
    ['number', slip, { ...slip, lines: [{ ...line, number: '12' }] }],
    ['bet type', slip, { ...slip, lines: [{ ...line, bet_type: '9top' as BetTypeCode }] }],
  ])('%s', (_, accepted, refused) => {
    expect(isQuick(accepted)).toBe(true)
    expect(refusalsOf(accepted)).toEqual([])
    expect(isQuick(refused)).toBe(false)
    expect(refusalsOf(refused)).not.toEqual([])
  })
})
