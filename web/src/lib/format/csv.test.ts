import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const cellOf = (text: string): string => toCsv([[text]]).slice(1, -2)

test('rows end with CR LF after a byte order mark', () => {
  expect(
    toCsv([
      ['ผู้ใช้', 'a'],
      ['1', '2'],
    ]),
  ).toBe('\uFEFFผู้ใช้,a\r\n1,2\r\n')
})

test.each([
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['1,234.50', '"1,234.50"'],
  ['plain', 'plain'],
  ['a;b', '"a;b"'],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1;', `"a;""'=1+1;"`],
])('%j is written as %j', (text, expected) => {
  expect(cellOf(text)).toBe(expected)
})

test.each([
  '=1+1',
  '+66812345678x',
  '-1+2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '=HYPERLINK("http://x")',
  '-',
  '+1',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  ' =1',
  '\u00A0+1',
  '\u200B=1',
])('%j is no formula', (text) => {
  expect(cellOf(text).replace(/^"/, '')).toMatch(/^'/)
})

test.each(['-12', '-1,234.50', '12.5'])('the number %s stays a number', (text) => {
  expect(cellOf(text).replaceAll('"', '')).toBe(text)
})
