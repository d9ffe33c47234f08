import { expect, test } from 'vitest'
import { readAmount, readNumber, writeCell } from './cell-text.ts'

test('a cell keeps what is typed, with Arabic digits', () => {
  expect(writeCell('๐๐๗x')).toBe('007x')
  expect(writeCell('１０．５０')).toBe('10.50')
  expect(writeCell('-5.0 ')).toBe('-5.0 ')
  expect(writeCell('5\u200b0')).toBe('50')
})

test('a decorated digit becomes no digit', () => {
  for (const text of ['①12', '12²', '໑໒']) expect(readNumber(writeCell(text))).toBeNull()
})

test('an amount is whole Baht or nothing', () => {
  for (const [text, baht] of [
    ['', 0],
    [' ', 0],
    ['0', 0],
    ['10', 10],
    ['0050', 50],
    ['10.', 10],
    ['10.0', 10],
    ['10.00', 10],
    ['10,', 10],
    ['1,000', 1_000],
    ['1,234,567.00', 1_234_567],
    [' 20 ', 20],
    ['9999999', 9_999_999],
  ] as const) {
    expect([text, readAmount(text)]).toEqual([text, baht])
  }
  for (const text of [
    '10.5',
    '10.50',
    '10.000',
    '.5',
    '-5',
    '+5',
    '1e3',
    '10x',
    '1 0',
    '1,00',
    '10,5',
    '1,0000',
    '฿5',
    '-',
  ]) {
    expect([text, readAmount(text)]).toEqual([text, 'amount_form'])
  }
  expect(readAmount('10000000')).toBe('amount_too_large')
  expect(readAmount('9'.repeat(400))).toBe('amount_too_large')
})

test('typing an amount with two zeros behind the dot never passes through another whole amount', () => {
  const typed = Array.from('1,250.00', (_, index) => readAmount('1,250.00'.slice(0, index + 1)))
  expect(typed).toEqual([1, 1, 'amount_form', 'amount_form', 1250, 1250, 1250, 1250])
})

test('a number is one to three digits, with its zeros', () => {
  expect(readNumber('007')).toBe('007')
  expect(readNumber(' 12 ')).toBe('12')
  expect(readNumber('')).toBe('')
  for (const text of ['1234', '12a4', '12=10x20', '1 2', '-1', '1.0']) expect(readNumber(text)).toBeNull()
})
