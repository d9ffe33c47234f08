// A pasted line is read as its writer meant it, or refused, and never read as another bet.
// Texts are generated from known bets, in the forms and with the noise of chats, spreadsheets and telephones.
// `IMPORT_TEXTS` sets how many texts are tried.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { betTypeCodes, type BetTypeCode } from './bet-type-code.ts'
import { readImportText } from './import-reader.ts'
import { stakeColumns } from './stake-column.ts'

const TEXTS = Number(process.env['IMPORT_TEXTS'] ?? 2_000)

interface Bet {
  number: string
  amounts: readonly number[]
}

/** A line of text and the bets that its writer means by it alone. */
interface WrittenLine {
  text: string
  bets: readonly Bet[]
  /** The line must be read, because it has no noise. */
  isPlain?: boolean
}

const nothing = (text: string): WrittenLine => ({ text, bets: [] })

function itemsOf({ number, amounts }: Bet): string[] {
  return amounts.flatMap((baht, place) =>
    baht === 0 ? [] : [`${number.length}${stakeColumns[place]} ${number} ${baht * 100}`],
  )
}

const usualAmount = fc.constantFrom(5, 10, 20, 50, 60, 100, 150, 200, 500, 1_000, 1_500, 20_000)
const anyNumber = fc.oneof(
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9]$/) },
  { weight: 4, arbitrary: fc.stringMatching(/^[0-9]{2}$/) },
  { weight: 3, arbitrary: fc.stringMatching(/^[0-9]{3}$/) },
)
const anyBet: fc.Arbitrary<Bet> = fc
  .tuple(anyNumber, usualAmount, fc.array(fc.oneof(usualAmount, fc.constant(0)), { maxLength: 2 }))
  .map(([number, first, later]) => ({ number, amounts: [first, ...later.slice(0, number.length - 1)] }))
const numbersOfOneLength = fc
  .constantFrom(2, 3)
  .chain((digits) =>
    fc.uniqueArray(fc.stringMatching(new RegExp(`^[0-9]{${digits}}$`)), { minLength: 2, maxLength: 5 }),
  )

/** Ways to write a bet on its own line; two bets are joined by another sign. */
const forms = ['=*', '=/', '=+', '= ', '**', '--', '//', '  ', ' *', ':*', ',,', '\t\t'] as const

function write({ number, amounts }: Bet, form: string): string {
  const [first = '=', later = '*'] = form
  return number + first + amounts.join(later)
}

const plain = fc
  .tuple(
    anyBet,
    fc.constantFrom('=*', '**', '\t\t', '=/'),
    fc.constantFrom('', '• ', '"', '- '),
    fc.constantFrom('', '.-', '*', ' ฿'),
  )
  .map(([bet, form, start, end]): WrittenLine => ({ text: start + write(bet, form) + end, bets: [bet], isPlain: true }))
const otherForm = fc
  .tuple(anyBet, fc.constantFrom(...forms))
  .map(([bet, form]): WrittenLine => ({ text: write(bet, form), bets: [bet] }))
const twoBets = fc
  .tuple(
    anyBet,
    anyBet,
    fc.constantFrom(...forms),
    fc.constantFrom(' ', ', ', ',', ' / ', '/', ';', '  ', ' | ', '\t', ' + '),
  )
  // Blanks between bets whose parts are also separated by blanks mean columns, as does one symbol throughout.
  .filter(([, , form, between]) => ![...form].some((sign) => (between.trim() || ' ') === (sign.trim() || ' ')))
  .map(([one, other, form, between]): WrittenLine => ({
    text: write(one, form) + between + write(other, form),
    bets: [one, other],
  }))
const listed = fc
  .tuple(
    anyBet,
    fc.constantFrom('=*', '=/', '= ', '**', '--'),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom('. ', ') ', ').', '.) ', '] '),
  )
  .map(([bet, form, index, mark]): WrittenLine => ({ text: `${index}${mark}${write(bet, form)}`, bets: [bet] }))
const indexed = fc
  .tuple(
    anyBet,
    fc.constantFrom('=*', '=/', '= '),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom('.', ' ', '- ', ': ', '\t', '/'),
  )
  .map(([bet, form, index, mark]): WrittenLine => ({ text: `${index}${mark}${write(bet, form)}`, bets: [bet] }))
const bracketed = fc
  .tuple(anyBet, fc.constantFrom('=*', '**', '  '), fc.integer({ min: 1, max: 40 }))
  .map(([bet, form, index]): WrittenLine => ({ text: `(${index}) ${write(bet, form)}`, bets: [bet] }))
const severalNumbers = fc
  .tuple(
    numbersOfOneLength,
    usualAmount,
    fc.constantFrom('-', ',', '/', ' ', '.', '+', ' - ', ', '),
    fc.constantFrom('=', ' = ', ':', '=>'),
  )
  .map(([numbers, baht, joint, sign]): WrittenLine => ({
    text: `${numbers.join(joint)}${sign}${baht}`,
    bets: numbers.map((number) => ({ number, amounts: [baht] })),
  }))
const joinedNumbers = fc
  .tuple(
    numbersOfOneLength,
    usualAmount,
    fc.constantFrom('-', ',', '/', '+', ' - ', ', '),
    fc.constantFrom('*', ' ', ' * '),
  )
  .map(([numbers, baht, joint, sign]): WrittenLine => ({
    text: `${numbers.join(joint)}${sign}${baht}`,
    bets: numbers.map((number) => ({ number, amounts: [baht] })),
  }))
const thousands = fc
  .tuple(
    anyNumber,
    fc.integer({ min: 1_000, max: 9_999_999 }),
    fc.constantFrom(',', '.', "'", '’', ' ', '\u202f', '\u2009', '_', '·', '，'),
    fc.constantFrom('=', '*', '\t', ' = '),
  )
  .map(([number, baht, mark, sign]): WrittenLine => ({
    text: number + sign + String(baht).replaceAll(/\B(?=([0-9]{3})+$)/g, mark),
    bets: [{ number, amounts: [baht] }],
  }))
const notWholeBaht = fc
  .tuple(
    anyNumber,
    fc.constantFrom('=', ' ', '*', '\t'),
    fc.constantFrom('10.50', '5.25', '0.5', '10½', '50%', "10'50", '10·5'),
  )
  .map(([number, sign, amount]) => nothing(number + sign + amount))
const minus = fc
  .tuple(anyBet, fc.constantFrom('-', '−', '–'))
  .chain(([bet, sign]) =>
    fc.constantFrom(
      `${sign}${write(bet, '=*')}`,
      write(bet, '=*').replace('=', `=${sign}`),
      write(bet, '  ').replace(' ', ` ${sign}`),
    ),
  )
  .map(nothing)
const day = fc.tuple(
  fc.integer({ min: 1, max: 31 }),
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 2565, max: 2575 }),
)
const date = fc
  .tuple(day, fc.constantFrom('/', '.', '-'), fc.boolean(), fc.boolean())
  .map(([[d, m, y], mark, isPadded, isShort]) =>
    [isPadded ? String(d).padStart(2, '0') : d, isPadded ? String(m).padStart(2, '0') : m, isShort ? y % 100 : y].join(
      mark,
    ),
  )
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.constantFrom(':', '.'))
  .map(([hour, minute, mark]) => `${String(hour).padStart(2, '0')}${mark}${String(minute).padStart(2, '0')}`)
const dateOrTime = fc
  .oneof(
    date,
    time,
    fc.tuple(date, time).map((both) => both.join(' ')),
    fc.tuple(time, time).map((both) => both.join(' - ')),
  )
  .map(nothing)
const timedBet = fc
  .tuple(fc.oneof(date, time), anyBet, fc.constantFrom('=*', '**', '  '), fc.constantFrom(' ', '\t'))
  .map(([when, bet, form, blank]): WrittenLine => ({ text: `${when}${blank}${write(bet, form)}`, bets: [bet] }))
const phone = fc
  .tuple(
    fc.stringMatching(/^0[689][0-9]{8}$/),
    fc.constantFrom('$1-$2-$3', '$1 $2 $3', '$1-$2$3', '$1$2$3', '$1.$2.$3', '($1) $2-$3'),
  )
  .map(([digits, form]) => nothing(digits.replace(/^(...)(...)(....)$/, form)))
const otherPhone = fc
  .stringMatching(/^(02-[0-9]{3}-[0-9]{4}|\+66 [689][0-9] [0-9]{3} [0-9]{4}|[0-9]{3}-[0-9]-[0-9]{5}-[0-9])$/)
  .map(nothing)
const sum = fc
  .constantFrom('1,500', '12,500', '=500', '= 1,500', '2.500', '3 500', '1000')
  .filter((text) => text !== '3 500')
  .map(nothing)
const named = fc
  .tuple(anyBet, fc.constantFrom('สมชาย ', 'พี่ต้น:', 'Bob ', 'ส่ง ', 'รวม '))
  .map(([bet, name]): WrittenLine => ({ text: name + write(bet, '=*'), bets: [bet] }))

/** Lines in order; most blocks have one. */
const block: fc.Arbitrary<readonly WrittenLine[]> = fc.oneof(
  { weight: 12, arbitrary: plain.map((line) => [line]) },
  ...[
    otherForm,
    twoBets,
    listed,
    bracketed,
    severalNumbers,
    joinedNumbers,
    thousands,
    notWholeBaht,
    minus,
    dateOrTime,
    timedBet,
    phone,
    otherPhone,
    sum,
    named,
  ].map((arbitrary) => ({ weight: 2, arbitrary: arbitrary.map((line) => [line]) })),
  { weight: 2, arbitrary: indexed.map((line) => [line]) },
  // List indexes before columns: 1, 2, 3, …
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(anyBet, { minLength: 2, maxLength: 5, selector: ({ number }) => number }),
        fc.constantFrom(' ', '\t', ' - ', '-'),
      )
      .map(([bets, mark]) =>
        bets.map((bet, index): WrittenLine => ({
          text: `${index + 1}${mark}${write(bet, mark === '\t' ? '\t\t' : '  ')}`,
          bets: [bet],
        })),
      ),
  },
  // The price in the line below.
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        numbersOfOneLength,
        fc.constantFrom(' ', '-', ',', '/', '\n', ' , '),
        fc.constantFrom('=50*50', '= 50', '*100', '50*50', '100*100*100', '50', '@50', 'ตัวละ 50', '50 บาท', '→ 50'),
      )
      .map(([numbers, joint, price]) => [...numbers.join(joint).split('\n'), price].map(nothing)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '-----', '━━━', 'สมชาย', '16 ม.ค. 69', 'งวดนี้').map((text) => [nothing(text)]),
  },
)

const invisible = fc.constantFrom('\u200b', '\u200d', '\u200e', '\ufeff', '\u00ad', '\ufe0f', '\u2060')
const strangeDigits = [...'໐໑໒໓໔໕໖໗໘໙', ...'⓪①②③④⑤⑥⑦⑧⑨', ...'⁰¹²³⁴⁵⁶⁷⁸⁹', ...'𝟬𝟭𝟮𝟯𝟰𝟱𝟲𝟳𝟴𝟵', ...'٠١٢٣٤٥٦٧٨٩']

function replaceDigits(text: string, digits: string): string {
  return text.replaceAll(/[0-9]/g, (digit) => [...digits][Number(digit)] as string)
}

/** What keyboards, telephones and applications do to a line without changing its meaning. */
const noise: fc.Arbitrary<(line: WrittenLine) => WrittenLine> = fc.oneof(
  { weight: 8, arbitrary: fc.constant((line: WrittenLine) => line) },
  {
    weight: 1,
    arbitrary: fc.tuple(invisible, fc.nat()).map(([sign, place]) => (line: WrittenLine) => {
      const at = place % (line.text.length + 1)
      return { ...line, text: line.text.slice(0, at) + sign + line.text.slice(at) }
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('๐๑๒๓๔๕๖๗๘๙', '０１２３４５６７８９')
      .map((digits) => (line: WrittenLine) => ({ ...line, text: replaceDigits(line.text, digits) })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 4 }), fc.nat()).map(([set, place]) => (line: WrittenLine) => {
      const digits = [...line.text.matchAll(/[0-9]/g)]
      const found = digits[place % Math.max(digits.length, 1)]
      if (found === undefined) return line
      const strange = strangeDigits[set * 10 + Number(found[0])] as string
      return { text: line.text.slice(0, found.index) + strange + line.text.slice(found.index + 1), bets: line.bets }
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('\u00a0', '\u3000')
      .map((blank) => (line: WrittenLine) => ({ ...line, text: line.text.replaceAll(' ', blank) })),
  },
)

const anyText = fc.array(
  fc.tuple(block, noise).map(([lines, disturb]) => lines.map(disturb)),
  { minLength: 1, maxLength: 8 },
)
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\u2028', '\u2029', '\v', '\f', '\r')

it('every line of a slip with any noise is read as meant, or refused', () => {
  fc.assert(
    fc.property(anyText, lineEnd, (blocks, end) => {
      const lines = blocks.flat()
      const { bets } = readImportText(lines.map(({ text }) => text).join(end), { offered: betTypeCodes })
      for (const { line_no, items } of bets) {
        const meant = (lines[line_no - 1] as WrittenLine).bets.flatMap(itemsOf)
        expect(
          items.map(({ bet_type, number, bet_satang }) => `${bet_type satisfies BetTypeCode} ${number} ${bet_satang}`),
        ).toEqual(meant)
      }
    }),
    { numRuns: TEXTS },
  )
})

it('a slip without noise is read line by line', () => {
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 30 }), lineEnd, (lines, end) => {
      const { items, errors, dropped } = readImportText(lines.map(({ text }) => text).join(end), {
        offered: betTypeCodes,
      })
      expect([errors, dropped]).toEqual([[], []])
      expect(items.map(({ bet_type, number, bet_satang }) => `${bet_type} ${number} ${bet_satang}`)).toEqual(
        lines.flatMap(({ bets }) => bets.flatMap(itemsOf)),
      )
    }),
    { numRuns: Math.ceil(TEXTS / 4) },
  )
})
