import { columnOfBetType, readImportText } from '@megalot/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pasteText } from './paste.ts'
import { columnsOfMarket } from '../../slip/slip-columns.ts'
import { growRows, isEmptyRow, setCell } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const shown = columnsOfMarket(offered)

function paste(text: string, column: 'number' | 'top' | 'bottom' | 'roll' = 'number', rows = growRows([]), row = 0) {
  return pasteText(rows, { row, column }, text, shown, offered)
}
function filled(rows: readonly SlipRow[] | undefined) {
  return (rows ?? [])
    .filter((row) => !isEmptyRow(row))
    .map(({ number, top, bottom, roll, front }) => [number, top, bottom, roll, front].join(' ').trimEnd())
}
function problems(text: string, ...more: [column?: 'top' | 'roll', rows?: readonly SlipRow[]]) {
  return paste(text, ...more)?.problems.map(({ line_no, code }) => `${line_no} ${code}`)
}

test('one plain cell is left to the field itself', () => {
  for (const text of ['12', '๑๒', '007', ' 12\n']) expect(paste(text)).toBeNull()
  for (const text of ['10.50', '-5', '12=10x20', '1,000']) expect(paste(text, 'top')).toBeNull()
})

test('a single chat line is read by its grammar, or not at all', () => {
  expect(filled(paste('12=10*20')?.rows)).toEqual(['12 10 20'])
  expect(filled(paste('123 100 0 100')?.rows)).toEqual(['123 100  100'])
  for (const [text, code] of [
    ['12=10x20', 'misplaced_x'],
    ['12a4', 'letters'],
    ['สวัสดี 12=10', 'letters'],
    ['1234', 'bad_number'],
    ['1234=10', 'bad_number'],
    ['12=1*2*3*4', 'too_many_columns'],
    ['123=10*20', 'column_not_offered'],
    ['1=5*5*5', 'column_not_offered'],
  ] as const) {
    const pasted = paste(text)
    expect([text, pasted?.taken, pasted?.problems[0]?.code]).toEqual([text, 0, code])
    expect(filled(pasted?.rows)).toEqual([])
  }
})

test('an amount that can be read in two ways is not taken', () => {
  for (const text of [
    '12=10.50',
    '12=10.00*5',
    '12 1,000',
    '12=1,000*500',
    '12,1,000',
    '12\t1,000',
    '12\t50\t10.50',
    'x5\t1,000',
  ]) {
    expect([text, problems(text)]).toEqual([text, ['1 unclear_amount']])
  }
  expect(filled(paste('12.50.50\n13,20,30\n14-5-6\n15 - 7, 8')?.rows)).toEqual([
    '12 50 50',
    '13 20 30',
    '14 5 6',
    '15 7 8',
  ])
})

test('what stands at an end of a line separates nothing', () => {
  expect(filled(paste('12=50*50*\n• 13=50\n(14)=50')?.rows)).toEqual(['12 50 50', '13 50', '14 50'])
})

test('a line that may mean another bet is not taken', () => {
  for (const [text, codes] of [
    ['12=50 13=50', ['1 two_bets']],
    ['1. 12=50', ['1 list_index']],
    ['16/01/2569', ['1 date_or_time']],
    ['12 21\n=50*50', ['1 price_below', '2 price_line']],
    ['①12=50', ['1 unknown_digit']],
    ['12=-5', ['1 negative']],
  ] as const)
    expect(problems(text)).toEqual(codes)
  expect(filled(paste('5\u200b0=20\u202813=5')?.rows)).toEqual(['50 20', '13 5'])
})

test('doors make a row for each number', () => {
  expect(paste('x5=20*20')?.taken).toBe(19)
})

test('a block from a spreadsheet is read line by line, numbers without amounts too, and says which lines it did not take', () => {
  const pasted = paste(
    'เลข\tบน\n๑๒\t1000\t-\r\n007\t50\t\t20\nสมชาย\t5\n\n13\t\t9\n14\t10.50\t5\n55\n66\t-\t0\n123\t5\t5\n12345\t7\n16\t1\t2\t3\t4',
  )
  expect(filled(pasted?.rows)).toEqual(['12 1000', '007 50  20', '13  9', '55', '66'])
  expect(pasted?.taken).toBe(5)
  expect(pasted?.problems.map(({ line_no, code }) => [line_no, code])).toEqual([
    [1, 'letters'],
    [4, 'letters'],
    [7, 'unclear_amount'],
    [10, 'column_not_offered'],
    [11, 'bad_number'],
    [12, 'too_many_columns'],
  ])
})

test('paste and import read every line alike', () => {
  const cell = fc.constantFrom(
    '12',
    '7',
    '123',
    'x5',
    'x12',
    '(12)',
    '50',
    '1,000',
    '10.50',
    '0',
    '-',
    '',
    'x',
    '฿',
    'ก',
  )
  const sign = fc.constantFrom('=', '*', ',', '.', ' ', '\t', '-', ', ', 'x')
  const line = fc
    .array(fc.tuple(cell, sign), { minLength: 1, maxLength: 5 })
    .map((pieces) => pieces.flat().join('').trim())
  fc.assert(
    fc.property(line, (text) => {
      const pasted = paste(text)
      const { items, errors, dropped } = readImportText(text, { offered })
      // A number without amounts is a row of the grid; an import has no use for it.
      if (pasted === null || errors[0]?.code === 'no_amount') return
      const rows = pasted.rows.filter((row) => !isEmptyRow(row))
      const stakes = rows.flatMap((row) =>
        shown.flatMap((column) => (row[column] === '' ? [] : [`${row.number} ${column} ${row[column]}`])),
      )
      const expected = items.map((one) => `${one.number} ${columnOfBetType(one.bet_type)} ${one.bet_satang / 100}`)
      expect(stakes.toSorted()).toEqual(expected.toSorted())
      expect(pasted.problems.map(({ code }) => code)).toEqual(
        dropped.length > 0 ? ['letters'] : errors.map(({ code }) => code),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('an amount of zeros with a mark is unclear, beside a number and beside an amount', () => {
  expect(problems('12\t0.0')).toEqual(['1 unclear_amount'])
  expect(problems('12\t0.0\t5')).toEqual(['1 unclear_amount'])
  const rows = setCell(growRows([]), 0, 'number', '12')
  expect(problems('0.0\t5', 'top', rows)).toEqual(['1 unclear_amount'])
})

test('pasted rows overwrite nothing that is filled', () => {
  const rows = setCell(growRows([]), 1, 'number', '99')
  expect(filled(paste('11=5\n22=6', 'number', rows, 0)?.rows)).toEqual(['11 5', '22 6', '99'])
})

test('amounts keep in step with the numbers beside them, empty lines included', () => {
  let rows = growRows([])
  for (const [index, number] of ['11', '22', '33', '444', '55'].entries()) rows = setCell(rows, index, 'number', number)
  const pasted = paste('5\t6\n\nfive\n7\t8\n9\t9\t9\t9\n1,000', 'top', rows)
  expect(filled(pasted?.rows)).toEqual(['11 5 6', '22', '33 five', '444', '55'])
  expect(pasted?.taken).toBe(2)
  expect(pasted?.problems.map(({ line_no, code }) => [line_no, code])).toEqual([
    [4, 'column_not_offered'],
    [5, 'too_many_columns'],
    [6, 'unclear_amount'],
  ])
})

test('text beyond all measure is refused whole', () => {
  expect(paste('1'.repeat(300_001))?.problem).toBe('text_too_long')
  expect(paste('12=5\n'.repeat(1_001))?.problem).toBe('too_many_rows')
  expect(paste('12=5\n'.repeat(1_000))?.taken).toBe(1_000)
})
