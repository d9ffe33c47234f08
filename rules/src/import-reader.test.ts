// Pasted text becomes exactly the lines that its writer meant, or an error with position and reason. Nothing is guessed
// or silently dropped, and no text makes the reader fail.

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
    ['12\t*\t50', ['2top 12 50']],
    ['12\t\t\t5', ['2roll 12 5']],
    ['12 - 50', ['2top 12 50']],
    ['123=1*2*3*4', ['3top 123 1', '3bottom 123 2', '3roll 123 3', '3front 123 4']],
    ['007=5', ['3top 007 5']],
    ['12.50.20', ['2top 12 50', '2bottom 12 20']],
    ['12=50=20', ['2top 12 50', '2bottom 12 20']],
    ['12 50*20', ['2top 12 50', '2bottom 12 20']],
    ['12-100*100', ['2top 12 100', '2bottom 12 100']],
    ['12=50.-*20.-', ['2top 12 50', '2bottom 12 20']],
    ['123=10+20/30', ['3top 123 10', '3bottom 123 20', '3roll 123 30']],
    ['12,100,50', ['2top 12 100', '2bottom 12 50']],
    ['081 100 100', ['3top 081 100', '3bottom 081 100']],
    ['5\u200b0=20', ['2top 50 20']],
    ['\ufeff1\u00ad2=5\u200d0', ['2top 12 50']],
    ['1\ufe0f\u20e32\ufe0f\u20e3=50', ['2top 12 50']],
    ['12\u22125', ['2top 12 5']],
    ['12➡50', ['2top 12 50']],
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
    ['12=50, 20', ['2top 12 50', '2bottom 12 20']],
    ['12=50,20', ['2top 12 50', '2bottom 12 20']],
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
    ['(12)=50', ['2top 12 50']],
    ['•12=50', ['2top 12 50']],
    ['✅ 12=50', ['2top 12 50']],
    ['"12=50"', ['2top 12 50']],
    ['- 12 = 50 -', ['2top 12 50']],
    ['-\t12\t50', ['2top 12 50']],
    ['12\t50*\t20*', ['2top 12 50', '2bottom 12 20']],
    ['12\t50\t-\t-\t-\t-', ['2top 12 50']],
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

  it.each(['x123 10', 'X123 10', '×123 10', '✕123 10', '✖️123 10', 'ｘ123 10', 'Ｘ１２３ 10'])(
    '%j opens 6 doors',
    (line) => {
      expect(outcome(line)).toEqual(['123', '132', '213', '231', '312', '321'].map((number) => `3top ${number} 10`))
    },
  )

  it('the roll of doors is staked once per multiset', () => {
    expect(itemsOf('x321 0 0 10')).toEqual(['3roll 123 10'])
    expect(itemsOf('x5 0*0*10')).toHaveLength(10)
    expect(itemsOf('x123 1 2 3 4')).toHaveLength(6 + 6 + 1 + 6)
  })

  it('the second column of three digits means roll only with the option', () => {
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

  it('are listed as pasted, with their line number', () => {
    expect(readImportText('\n  น้ำ 12=50 \n12=50', government).dropped).toEqual([
      { line_no: 2, start: 1, end: 13, text: 'น้ำ 12=50', is_heading: false },
    ])
  })

  const headings = 'บ บน ล ล่าง บล ต ต. โต๊ด โตด ตรง เต็ง วิ่ง ลอย กลับ ชุด หน้า หลัง ท้าย 3ตัวบน [ล] top Tod ตัวละ50'.split(' ')
  it.each([...headings, '2 ตัวล่าง', '50 บาท'])('%j names a column or a price for other lines', (text) => {
    expect(readImportText(`${text}\n12=50`, government).dropped).toMatchObject([{ text, is_heading: true }])
  })

  it.each(['สมชาย', 'พี่ต้น', 'ลุง', 'Bob', 'stop', 'รวม 500 บาท'])('%j names no column', (text) => {
    expect(readImportText(text, government).dropped).toMatchObject([{ text, is_heading: false }])
  })
})

describe('lines that are skipped', () => {
  it.each(['-----', '━━━━', '* * *', '=====', '.', '🎉🎉', '\u200b'])('%j', (ruler) => {
    expect(readImportText(`${ruler}\n12=50\n${ruler}`, government)).toMatchObject({
      lines_read: 1,
      bets: [{ line_no: 2 }],
    })
  })

  it.each(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])('%j ends a line', (lineEnd) => {
    expect(itemsOf(['12=50', '', '13=20'].join(lineEnd))).toEqual(['2top 12 50', '2top 13 20'])
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
    ['=50', 'price_line 1'],
    ['*50*50', 'price_line 1'],
    ['= 12=50', 'price_line 1'],
    ['@50', 'price_line 1'],
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
    ['12.10.00', 'date_or_time 1'],
    ['12.00', 'unclear_amount 3'],
    ['1,000', 'unclear_amount 2'],
    ['12="1,000"', 'unclear_amount 5'],
    ['๑๒=๑,๐๐๐', 'unclear_amount 4'],
    ['12=10，000', 'unclear_amount 4'],
    ['12=10 000', 'unclear_amount 4'],
    ['12=10 500', 'unclear_amount 4'],
    ['12=10\u202f500', 'unclear_amount 4'],
    ['12 10\u2009500', 'unclear_amount 4'],
    ["12=1'000", 'unclear_amount 4'],
    ['12=1’500', 'unclear_amount 4'],
    ['12=1·500', 'unclear_amount 4'],
    ['12=1_500', 'unclear_amount 4'],
    ['12,500', 'unclear_amount 3'],
    ['12,100,200', 'unclear_amount 3'],
    ['12.50', 'unclear_amount 3'],
    ['12=050', 'unclear_amount 3'],
    ['12 05 50', 'unclear_amount 3'],
    ['12=50%', 'unclear_amount 6'],
    ['12=50 13=50', 'two_bets 7'],
    ['47=480 74=410', 'two_bets 8'],
    ['12=50,13=50', 'two_bets 7'],
    ['12=50/13=50', 'two_bets 7'],
    ['12=50;13=50', 'two_bets 7'],
    ['12:50*13:50', 'two_bets 7'],
    ['12*50 13*50', 'two_bets 7'],
    ['12-100 13-100', 'two_bets 8'],
    ['12 50, 13 50', 'two_bets 8'],
    ['12=50 13*20', 'two_bets 7'],
    ['123=100*100=200', 'two_bets 9'],
    ['05-50=20', 'several_numbers 4'],
    ['12,21=50', 'several_numbers 4'],
    ['12 13=50', 'several_numbers 4'],
    ['12-21*50', 'several_numbers 4'],
    ['12,21 50', 'several_numbers 4'],
    ['00-99=5', 'several_numbers 4'],
    ['1. 12=50', 'list_index 1'],
    ['1) 305=50', 'list_index 1'],
    ['(1) 12=50', 'list_index 1'],
    ['1.12=50', 'list_index 1'],
    ['1. 12 50 20', 'list_index 1'],
    ['[1] 12*50', 'list_index 1'],
    ['16/01/2569', 'date_or_time 1'],
    ['1.6.69', 'date_or_time 1'],
    ['16-1-69', 'date_or_time 1'],
    ['16 1 2569', 'date_or_time 1'],
    ['16/1', 'date_or_time 1'],
    ['2026-01-16', 'date_or_time 1'],
    ['16/1 12 50', 'date_or_time 1'],
    ['20:30', 'date_or_time 1'],
    ['20:30 - 21:00', 'date_or_time 1'],
    ['20:30 12 50', 'date_or_time 1'],
    ['081-234-5678', 'phone_or_account 1'],
    ['081 2345678', 'phone_or_account 1'],
    ['02 123 4567', 'phone_or_account 1'],
    ['(02) 123-4567', 'phone_or_account 1'],
    ['+66 81 234 5678', 'phone_or_account 1'],
    ['0812345678', 'phone_or_account 1'],
    ['123-4-56789-0', 'phone_or_account 1'],
    ['123-456789-0', 'phone_or_account 1'],
    ['-12=50', 'negative 1'],
    ['12=-5', 'negative 4'],
    ['12 -50', 'negative 4'],
    ['12=50*−20', 'negative 7'],
    ['12\t-50', 'negative 4'],
    ['①12=50', 'unknown_digit 1'],
    ['12²=50', 'unknown_digit 3'],
    ['12=໕໐', 'unknown_digit 4'],
    ['𝟭𝟮=50', 'unknown_digit 1'],
    ['1\u03362\u0336=50', 'unknown_digit 2'],
    ['❌123=50', 'unknown_digit 1'],
    ['12=50*💯', 'unknown_digit 7'],
    ['12=5\u00080', 'unknown_digit 5'],
    ['12=10½', 'unknown_digit 6'],
    ['x', 'no_number 2'],
    ['x 123 10', 'no_number 2'],
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
    expect(result).toMatchObject({
      problem: null,
      lines_read: 4,
      items: [
        { bet_type: '2top', number: '12', bet_satang: 5_000 },
        { bet_type: '2top', number: '56', bet_satang: 2_000 },
      ],
      bets: [
        { line_no: 1, start: 0, end: 5, number: '12', stakes: [{ bet_type: '2top', bet_satang: 5_000 }] },
        { line_no: 5, start: 25, end: 30, number: '56', stakes: [{ bet_type: '2top', bet_satang: 2_000 }] },
      ],
      dropped: [{ line_no: 4, start: 19, end: 24, text: 'สมชาย', is_heading: false }],
      errors: [{ code: 'unclear_amount', line_no: 3, start: 9, end: 17, column: 4, text: '34=50.5' }],
    })
  })
})

describe('limits', () => {
  const nothing = { lines_read: 0, bets: [], items: [], dropped: [], errors: [] }

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
    expect(outcome(`${'+'.repeat(120_000)}12=50${'*'.repeat(120_000)}`)).toEqual(['2top 12 50'])
    expect(outcome(`1${')'.repeat(250_000)}2`)).toBe('list_index 1')
    expect(outcome('5'.repeat(250_000))).toBe('bad_number 1')
    expect(outcome(`12=${'9'.repeat(250_000)}`)).toBe('amount_too_large 4')
    expect(outcome('1*'.repeat(125_000))).toBe('too_many_columns 9')
  })
})

describe('lines that belong together', () => {
  const lineByLine = (text: string) => {
    const { bets, errors, dropped } = readImportText(text, government)
    return [
      ...bets.map(({ line_no, number }) => `${line_no} ${number}`),
      ...errors.map(({ line_no, code }) => `${line_no} ${code}`),
      ...dropped.map(({ line_no }) => `${line_no} dropped`),
    ].toSorted((one, other) => parseInt(one) - parseInt(other))
  }

  it.each<[string, string[]]>([
    ['12 21\n=50*50', ['1 price_below', '2 price_line']],
    ['12 21\n34 43\n\n*50', ['1 price_below', '2 price_below', '4 price_line']],
    ['99=5\n12 21\n=50', ['1 99', '2 price_below', '3 price_line']],
    ['12\n21\n50*50', ['1 no_amount', '2 no_amount', '3 price_line']],
    ['12\n50=50', ['1 no_amount', '2 50']],
    ['123\nx100*100', ['1 no_amount', '2 price_line']],
    ['12 21\n50*50', ['1 price_below', '2 price_line']],
    ['12 21\n50', ['1 price_below', '2 price_line']],
    ['12 21\nตัวละ 50', ['1 price_below', '2 dropped']],
    ['12 21\n50.-', ['1 price_below', '2 price_line']],
    ['12 21\n50฿', ['1 price_below', '2 price_line']],
    ['12 21 34\n=50 ทุกตัว', ['1 price_below', '2 dropped']],
    ['12 21 34\nราคา 50', ['1 price_below', '2 dropped']],
    ['12 21\nรวม 21', ['1 12', '2 dropped']],
    ['12 21\nสมชาย\n=50', ['1 price_below', '2 dropped', '3 price_line']],
    ['12 21 34 43 56\n50 50', ['1 too_many_columns', '2 price_line']],
    ['12 100\n13*50', ['1 12', '2 13']],
    ['12=50\n13*50', ['1 12', '2 13']],
  ])('%j: a price below its numbers', (text, expected) => {
    expect(lineByLine(text)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['1 12 50\n2 13 50', ['1 list_index', '2 list_index']],
    ['1\t123\t50\n2\t456\t50\n3\t789\t50', ['1 list_index', '2 list_index', '3 list_index']],
    ['1 12 50\n2 สมชาย\n3 14 50', ['1 list_index', '2 dropped', '3 list_index']],
    ['1 50 50\n2 50 50', ['1 1', '2 2']],
    ['1=50*20\n2=20*50', ['1 1', '2 2']],
    ['1 12 50\n7 13 50', ['1 1', '2 7']],
    ['5 12 50\n6 13 50', ['1 5', '2 6']],
  ])('%j: places in a list', (text, expected) => {
    expect(lineByLine(text)).toEqual(expected)
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
        expect(result.bets.length + result.dropped.length + result.errors.length).toBe(result.lines_read)
        const ends = [...result.bets, ...result.dropped, ...result.errors].map(({ start, end }) => end - start)
        expect(ends.every((length) => length > 0)).toBe(true)
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

  it('a line bets the same in a text as alone, or is an error', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), anyOptions, (texts, options) => {
        const text = texts.join('\n')
        for (const { start, end, items } of readImportText(text, options).bets)
          expect(items).toEqual(readImportText(text.slice(start, end), options).items)
      }),
      { numRuns: 300 },
    )
  })

  const numberAndAmounts = fc
    .record({
      number: fc.stringMatching(/^[0-9]{1,3}$/),
      // Excludes amounts that a date or a time can contain, and the end of thousands.
      amounts: fc.array(
        fc.oneof(fc.constant(0), fc.integer({ min: 60, max: 99 }), fc.integer({ min: 1_000, max: 2_400 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    })
    .filter(({ number, amounts }) => amounts.length <= (number.length === 3 ? 4 : 3))
    .filter(
      ({ number, amounts }) => amounts.some((amount) => amount > 0) && !(number.length === 1 && (amounts[2] ?? 0) > 0),
    )
  const namesOfColumns = ['top', 'bottom', 'roll', 'front']
  const itemsMeant = (number: string, amounts: readonly number[]) =>
    amounts
      .map((baht, place): SlipLine => ({
        bet_type: `${number.length}${namesOfColumns[place]}` as BetTypeCode,
        number,
        bet_satang: baht * 100,
      }))
      .filter((item) => item.bet_satang > 0)
  const startSigns = fc.constantFrom('', ' ', '• ', '- ', '"', '✅')
  const endSigns = fc.constantFrom('', ' ', '*', '/', '.-', '฿', '"', ' -')

  it('one symbol throughout a line separates, even a dot or a comma', () => {
    const symbol = fc.constantFrom(...'=*.,-/+:; ', '//', ' / ', '==>')
    fc.assert(
      fc.property(numberAndAmounts, symbol, startSigns, endSigns, ({ number, amounts }, between, start, end) => {
        // "12.99" is a decimal, and "00 1000 1000" may be a telephone number.
        fc.pre(between !== '.' || amounts.length > 1)
        fc.pre(!number.startsWith('0') || [number, ...amounts].join('').length < 9)
        const text = [number, ...amounts].join(between)
        expect(readImportText(`${start}${text}${end}`, government).items).toEqual(itemsMeant(number, amounts))
      }),
      { numRuns: 500 },
    )
  })

  it('one symbol before the amounts and another between them separate', () => {
    const before = fc.constantFrom('=', ' = ', ' ', '\t', '->', '=>', ' : ')
    const between = fc.constantFrom('*', '/', '+', ' * ', ' / ', '//', ';')
    fc.assert(
      fc.property(
        numberAndAmounts,
        before,
        between,
        startSigns,
        endSigns,
        ({ number, amounts }, first, later, start, end) => {
          const text = `${start}${number}${first}${amounts.join(later)}${end}`
          expect(readImportText(text, government).items).toEqual(itemsMeant(number, amounts))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('an amount with decimals or thousands makes no item, at any position in a line', () => {
    const fraction = fc.stringMatching(/^[0-9]{1,3}[.·'][0-9]{1,3}$/)
    const thousands = fc.stringMatching(/^[1-9][0-9]{0,2}([,'’.\u202f\u2009 ][0-9]{3}){1,2}$/)
    fc.assert(
      fc.property(
        numberAndAmounts,
        fc.constantFrom('*', '/', '+'),
        fc.oneof(fraction, thousands),
        fc.nat({ max: 3 }),
        ({ number, amounts }, between, unclear, place) => {
          const written = amounts.map(String)
          written.splice(place % written.length, 1, unclear)
          const { items, errors } = readImportText(`${number}=${written.join(between)}`, government)
          expect(items).toEqual([])
          expect(errors.map(({ code }) => code)).toEqual(['unclear_amount'])
        },
      ),
      { numRuns: 500 },
    )
  })
})
