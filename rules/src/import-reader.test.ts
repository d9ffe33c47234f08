// Goal: pasted text becomes exactly the lines that its writer meant, or an error with position and reason; nothing is
// guessed, nothing is dropped silently, and no text makes the reader fail.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betTypeCodes, type BetTypeCode } from './bet-type-code.ts'
import {
  importColumns,
  MAX_IMPORT_CHARACTERS,
  MAX_IMPORT_ITEMS,
  readImportText,
  type ImportOptions,
} from './import-reader.ts'
import type { SlipLine } from './slip.ts'

const government: ImportOptions = { offered: betTypeCodes }
const plain: ImportOptions = { offered: betTypeCodes.filter((code) => code !== '3front' && code !== '3bottom') }

/** Items in short: "2top 12 50" with the stake in Baht. */
function itemsOf(text: string, options = government): string[] {
  return readImportText(text, options).items.map((item) => `${item.bet_type} ${item.number} ${item.bet_satang / 100}`)
}

/** The result for a text of one line: "code column", or its items. */
function outcome(line: string, options = government): string | string[] {
  const { items, dropped, errors, lines_read } = readImportText(line, options)
  expect(lines_read).toBe(1)
  if (dropped.length > 0) return 'dropped'
  const [error] = errors
  return error === undefined
    ? items.map((item) => `${item.bet_type} ${item.number} ${item.bet_satang / 100}`)
    : `${error.code} ${error.column}`
}

describe('lines that are read', () => {
  it.each<[string, string[]]>([
    ['12=50*50', ['2top 12 50', '2bottom 12 50']],
    ['123 100 0 100', ['3top 123 100', '3roll 123 100']],
    ['7=100', ['1top 7 100']],
    ['7=0*100', ['1bottom 7 100']],
    ['7=10*20*0', ['1top 7 10', '1bottom 7 20']],
    ['12\t-\t50', ['2bottom 12 50']],
    ['12\t\t50', ['2bottom 12 50']],
    ['12\t50\t-', ['2top 12 50']],
    ['12\t 50 \t - \t20', ['2top 12 50', '2roll 12 20']],
    ['12\t50*20', ['2top 12 50', '2bottom 12 20']],
    ['12=50\t20', ['2top 12 50', '2bottom 12 20']],
    ['12\t-50', ['2top 12 50']],
    ['12\t*\t50', ['2top 12 50']],
    ['12\t\t\t5', ['2roll 12 5']],
    ['12 - 50', ['2top 12 50']],
    ['123=1*2*3*4', ['3top 123 1', '3bottom 123 2', '3roll 123 3', '3front 123 4']],
    ['007=5', ['3top 007 5']],
    ['12=050', ['2top 12 50']],
    ['12.50.20', ['2top 12 50', '2bottom 12 20']],
    ['12 ==> 50 // 20', ['2top 12 50', '2bottom 12 20']],
    ['12฿50', ['2top 12 50']],
    ['12=100000000', ['2top 12 100000000']],
    ['  12=50  ', ['2top 12 50']],
    ['๑๒=๕๐', ['2top 12 50']],
    ['๐๙=๑๒๓๔๕๖๗๘', ['2top 09 12345678']],
    ['１２＝５０', ['2top 12 50']],
    ['12\u00a0=\u00a050', ['2top 12 50']],
    ['12=50\r', ['2top 12 50']],
    ['12 - 50 / 20', ['2top 12 50', '2bottom 12 20']],
    ['12=-5', ['2top 12 5']],
    ['12,500', ['2top 12 500']],
    ['12.10.50', ['2top 12 10', '2bottom 12 50']],
    ['12,100,200', ['2top 12 100', '2bottom 12 200']],
    ['12=50, 20', ['2top 12 50', '2bottom 12 20']],
    ['12=50,20', ['2top 12 50', '2bottom 12 20']],
    ['12=1000*1,0', ['2top 12 1000', '2bottom 12 1']],
  ])('%j', (line, items) => {
    expect(outcome(line)).toEqual(items)
  })

  it.each<[string, string[]]>([
    ['12=50*', ['2top 12 50']],
    ['12=50*50*', ['2top 12 50', '2bottom 12 50']],
    ['12=50*20฿', ['2top 12 50', '2bottom 12 20']],
    ['12=50.-', ['2top 12 50']],
    ['12=50.', ['2top 12 50']],
    ['12 50 -', ['2top 12 50']],
    ['*12=50', ['2top 12 50']],
    ['(12)=50', ['2top 12 50']],
    ['"12=50"', ['2top 12 50']],
    ['- 12 = 50 -', ['2top 12 50']],
    ['=50*5', ['2top 50 5']],
    ['-\t12\t50', ['2top 12 50']],
    ['12\t50*\t20*', ['2top 12 50', '2bottom 12 20']],
    ['12\t50\t-\t-\t-\t-', ['2top 12 50']],
    ['*x321=0*0*10*', ['3roll 123 10']],
    ['(x321) 0 0 10', ['3roll 123 10']],
  ])('%j: what stands at an end separates nothing', (line, items) => {
    expect(outcome(line)).toEqual(items)
  })

  it('x5 opens 19 doors: 38 lines for two columns', () => {
    const items = itemsOf('x5=20*20')
    expect(items).toHaveLength(38)
    expect(items.slice(0, 2)).toEqual(['2top 50 20', '2top 51 20'])
    expect(items.slice(18, 20)).toEqual(['2top 95 20', '2bottom 50 20'])
  })

  it.each(['x123 10', 'X123 10', '×123 10', '✕123 10', 'ｘ123 10', 'Ｘ１２３ 10'])('%j opens 6 doors', (line) => {
    expect(outcome(line)).toEqual(['123', '132', '213', '231', '312', '321'].map((number) => `3top ${number} 10`))
  })

  it('the roll of doors is staked once for each multiset', () => {
    expect(itemsOf('x321 0 0 10')).toEqual(['3roll 123 10'])
    expect(itemsOf('x5 0*0*10')).toHaveLength(10)
    expect(itemsOf('x123 1 2 3 4')).toHaveLength(6 + 6 + 1 + 6)
  })

  it('the second column of three digits means roll only where the option is on', () => {
    const chat = { ...government, is_second_roll: true }
    expect(itemsOf('123=1*2*3*4', chat)).toEqual(['3top 123 1', '3roll 123 2', '3bottom 123 3', '3front 123 4'])
    expect(itemsOf('12=1*2*3', chat)).toEqual(['2top 12 1', '2bottom 12 2', '2roll 12 3'])
    expect(itemsOf('x123=0*2', chat)).toEqual(['3roll 123 2'])
    expect(itemsOf('123=1*2', { ...government, is_second_roll: false })).toEqual(['3top 123 1', '3bottom 123 2'])
    expect(importColumns(3, false)).toEqual(['top', 'bottom', 'roll', 'front'])
    expect(importColumns(2, true)).toEqual(['top', 'bottom', 'roll'])
  })
})

describe('lines that are dropped', () => {
  it.each(['สมชาย 12=50', '12=50 บาท', 'a', '12=50k', 'xx12=5y', 'é', '12=50ª', 'ｂ1=1', '12=50 х', 'ๆ'])(
    '%j holds a letter',
    (line) => {
      expect(outcome(line)).toBe('dropped')
    },
  )

  it('are listed as they were pasted, with their line number', () => {
    expect(readImportText('\n  น้ำ 12=50 \n12=50', government).dropped).toEqual([{ line_no: 2, text: 'น้ำ 12=50' }])
  })
})

describe('lines in error', () => {
  it.each([
    ['12', 'no_amount 3'],
    ['12=', 'no_amount 3'],
    ['12=0', 'no_amount 3'],
    ['12=0*0*0', 'no_amount 3'],
    ['12\t-\t-', 'no_amount 3'],
    ['x5', 'no_amount 3'],
    ['=50', 'no_amount 4'],
    ['(12)', 'no_amount 4'],
    ['12=10.50', 'unclear_amount 4'],
    ['12=10.5', 'unclear_amount 4'],
    ['12=10.500', 'unclear_amount 4'],
    ['12=10.00*5', 'unclear_amount 4'],
    ['12=5*10.50', 'unclear_amount 6'],
    ['12 10.50', 'unclear_amount 4'],
    ['12=1,000', 'unclear_amount 4'],
    ['12=1,500', 'unclear_amount 4'],
    ['12=1,000,000', 'unclear_amount 4'],
    ['12=1,000*1,000*1,000', 'unclear_amount 4'],
    ['12 1,000', 'unclear_amount 4'],
    ['12\t1,000', 'unclear_amount 4'],
    ['12\t50\t10.00', 'unclear_amount 7'],
    ['x5\t1,000', 'unclear_amount 4'],
    ['12=1,00', 'unclear_amount 4'],
    ['12,1,000', 'unclear_amount 4'],
    ['12.10.00', 'unclear_amount 4'],
    ['12.00', 'unclear_amount 3'],
    ['1,000', 'unclear_amount 2'],
    ['12="1,000"', 'unclear_amount 5'],
    ['๑๒=๑,๐๐๐', 'unclear_amount 4'],
    ['12=10，000', 'unclear_amount 4'],
    ['12=10½', 'unclear_amount 4'],
    ['x', 'no_number 2'],
    ['x 123 10', 'no_number 2'],
    ['*', 'no_number 1'],
    ['1234=50', 'bad_number 1'],
    ['x12 10', 'bad_doors 2'],
    ['x1234 10', 'bad_doors 2'],
    ['123x10x10', 'misplaced_x 4'],
    ['xx5 10', 'misplaced_x 2'],
    ['12=5x', 'misplaced_x 5'],
    ['12=50*50*5*5*9', 'too_many_columns 12'],
    ['12=1*2*3*0', 'too_many_columns 10'],
    ['123=1*2*3*4*5', 'too_many_columns 13'],
    ['x5=1*2*3*4', 'too_many_columns 10'],
    ['12\t1\t\t\t\t5', 'too_many_columns 8'],
    ['7=1*2*3', 'column_not_offered 7'],
    ['12=100000001', 'amount_too_large 4'],
    ['12=5*999999999999999999999999', 'amount_too_large 6'],
    ['12=٥٠', 'unknown_digit 4'],
    ['12=5٠', 'unknown_digit 5'],
    ['12=५', 'unknown_digit 4'],
    ['٥=50', 'unknown_digit 1'],
  ])('%j: %s', (line, error) => {
    expect(outcome(line)).toBe(error)
  })

  it('a column that the market does not offer', () => {
    expect(outcome('123=10*10', plain)).toBe('column_not_offered 8')
    expect(outcome('123=10*0*10*10', plain)).toBe('column_not_offered 13')
    expect(outcome('123=10*0*10', plain)).toEqual(['3top 123 10', '3roll 123 10'])
    expect(outcome('x123=10*10', plain)).toBe('column_not_offered 9')
    expect(outcome('12=10', { offered: [] })).toBe('column_not_offered 4')
  })

  it('report position, text and reason, and do not affect other lines', () => {
    const result = readImportText('12=50\r\n\r\n 34=５０.5\r\nสมชาย\n56=20', government)
    expect(result).toEqual({
      problem: null,
      lines_read: 4,
      items: [
        { bet_type: '2top', number: '12', bet_satang: 5_000 },
        { bet_type: '2top', number: '56', bet_satang: 2_000 },
      ],
      dropped: [{ line_no: 4, text: 'สมชาย' }],
      errors: [{ code: 'unclear_amount', line_no: 3, column: 4, text: '34=50.5' }],
    })
  })
})

describe('limits', () => {
  const nothing = { lines_read: 0, items: [], dropped: [], errors: [] }

  it('an empty text has no lines', () => {
    for (const text of ['', '\n\n', ' \t \r\n'])
      expect(readImportText(text, government)).toEqual({ problem: null, ...nothing })
  })

  it('a text that is too long is refused as a whole', () => {
    const fits = '12=50\n'.padEnd(MAX_IMPORT_CHARACTERS)
    expect(readImportText(fits, government)).toMatchObject({ problem: null, lines_read: 1 })
    expect(readImportText(`${fits} `, government)).toEqual({ problem: 'text_too_long', ...nothing })
    expect(readImportText('1'.repeat(1_000_000), government).problem).toBe('text_too_long')
  })

  it('a text that makes too many items is refused as a whole', () => {
    const full = '1=1*1\n'.repeat(MAX_IMPORT_ITEMS / 2)
    expect(readImportText(full, government).items).toHaveLength(MAX_IMPORT_ITEMS)
    expect(readImportText(`${full}1=1`, government)).toEqual({ problem: 'too_many_items', ...nothing })
  })

  it('one long line is read like any other', () => {
    expect(outcome(`${'*'.repeat(120_000)}12=50${'*'.repeat(120_000)}`)).toEqual(['2top 12 50'])
    expect(outcome('5'.repeat(250_000))).toBe('bad_number 1')
    expect(outcome(`12=${'9'.repeat(250_000)}`)).toBe('amount_too_large 4')
    expect(outcome('1*'.repeat(125_000))).toBe('too_many_columns 9')
  })
})

describe('for any pasted text', () => {
  const piece = fc.constantFrom(...'0123456789xX×✕=*.,- \t\t\n\r๐๙٥กa½฿é', '12=50', 'x5', '\r\n', '\ud800')
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
  const anyOptions = fc.record({ offered: fc.subarray([...betTypeCodes]), is_second_roll: fc.boolean() })

  it('nothing throws; every line is read, dropped or in error; the market offers every item', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const result = readImportText(text, options)
        const full = text.split('\n').filter((line) => line.trim() !== '')
        expect(result.lines_read).toBe(full.length)
        expect(result.dropped.length + result.errors.length).toBeLessThanOrEqual(result.lines_read)
        for (const item of result.items) {
          expect(options.offered).toContain(item.bet_type)
          expect(item.number).toMatch(/^[0-9]{1,3}$/)
          expect(item.bet_satang % 100).toBe(0)
          expect(item.bet_satang).toBeGreaterThan(0)
        }
        for (const { line_no, column, text: line } of result.errors) {
          expect(line_no).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(column).toBeLessThanOrEqual(line.length + 1)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('a line is read the same at any position in the text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), anyOptions, (texts, options) => {
        const lines = texts.flatMap((text) => text.split('\n'))
        const whole = readImportText(lines.join('\n'), options)
        const alone = lines.map((line) => readImportText(line, options))
        expect(whole.items).toEqual(alone.flatMap((result) => result.items))
        expect(whole.dropped.map((line) => line.text)).toEqual(
          alone.flatMap(({ dropped }) => dropped.map((line) => line.text)),
        )
        expect(whole.errors.map(({ code, column, text }) => [code, column, text])).toEqual(
          alone.flatMap(({ errors }) => errors.map(({ code, column, text }) => [code, column, text])),
        )
      }),
      { numRuns: 300 },
    )
  })

  // Symbols of any length, but no lone dot or comma, which an amount may hold too.
  const symbols = fc.stringMatching(/^[-=*.,:;/+ _()฿>]{1,3}$/)
  const separator = symbols.filter((text) => text !== '.' && text !== ',')
  const anyEnd = fc.oneof(fc.constant(''), symbols)
  const numberAndAmounts = fc
    .record({
      number: fc.stringMatching(/^[0-9]{1,3}$/),
      amounts: fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 4 }),
    })
    .filter(({ number, amounts }) => amounts.length <= (number.length === 3 ? 4 : 3))
    .filter(
      ({ number, amounts }) => amounts.some((amount) => amount > 0) && !(number.length === 1 && (amounts[2] ?? 0) > 0),
    )
  const namesOfColumns = ['top', 'bottom', 'roll', 'front']
  const resultOf = (number: string, amounts: readonly number[]) => {
    const items = amounts
      .map((baht, place): SlipLine => ({
        bet_type: `${number.length}${namesOfColumns[place]}` as BetTypeCode,
        number,
        bet_satang: baht * 100,
      }))
      .filter((item) => item.bet_satang > 0)
    return { problem: null, lines_read: 1, items, dropped: [], errors: [] }
  }

  it('a valid line is read correctly, whatever separates its parts and surrounds it', () => {
    const separators = fc.array(separator, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(numberAndAmounts, separators, anyEnd, anyEnd, ({ number, amounts }, between, start, end) => {
        const text = number + amounts.map((amount, place) => `${between[place]}${amount}`).join('')
        expect(readImportText(`${start}${text}${end}`, government)).toEqual(resultOf(number, amounts))
      }),
      { numRuns: 500 },
    )
  })

  it('one symbol throughout a line separates, a dot and a comma too', () => {
    const symbol = fc.constantFrom(...'=*.,-/+:; ')
    fc.assert(
      fc.property(numberAndAmounts, symbol, anyEnd, anyEnd, ({ number, amounts }, between, start, end) => {
        const text = [number, ...amounts].join(between)
        expect(readImportText(`${start}${text}${end}`, government)).toEqual(resultOf(number, amounts))
      }),
      { numRuns: 500 },
    )
  })

  it('an amount with decimals or thousands makes no item, at any position in a line', () => {
    const fraction = fc.stringMatching(/^[0-9]{1,3}\.[0-9]{1,3}$/)
    const thousands = fc.stringMatching(/^[1-9][0-9]{0,2}(,[0-9]{3}){1,2}$/)
    fc.assert(
      fc.property(
        numberAndAmounts,
        separator,
        fc.oneof(fraction, thousands),
        fc.nat({ max: 3 }),
        ({ number, amounts }, between, unclear, place) => {
          const written = amounts.map(String)
          written.splice(place % written.length, 1, unclear)
          const { items, errors } = readImportText([number, ...written].join(between), government)
          expect(items).toEqual([])
          expect(errors.map(({ code }) => code)).toEqual(['unclear_amount'])
        },
      ),
      { numRuns: 500 },
    )
  })
})
