import { expect, test } from 'vitest'
import { writeCsv } from './csv.ts'

const cellOf = (text: string): string => writeCsv([[text]]).slice(1, -2)

// Defect: a semicolon, which separates cells in some languages' spreadsheets, was not quoted, and a formula could
// follow it.
test.each([
  ['สมชาย ใจดี', 'สมชาย ใจดี'],
  ['Received (Baht)', 'Received (Baht)'],
  ['2026-11-26 09:30:00', '2026-11-26 09:30:00'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['a|b', '"a|b"'],
  ['a\tb', '"a\tb"'],
  ['say "no"', '"say ""no"""'],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1;', `"a;""'=1+1;"`],
  ['a; ＝1', `"a; '＝1"`],
  ['a\n=1', `"a\n'=1"`],
  ['\n=1', `"\n'=1"`],
  ['a\n\n =1', `"a\n\n '=1"`],
  ['a\r\n "@b', `"a\r\n ""'@b"`],
])('%j is written as %j', (text, expected) => {
  expect(cellOf(text)).toBe(expected)
})

// Defects: full-width signs, which some spreadsheets treat as the usual ones, and signs after white space, which some
// remove, got no apostrophe.
test.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠a', ' =1', '\u00A0+1', '\u200B=1'])(
  '%j is no formula',
  (text) => {
    expect(cellOf(text).replace(/^"/, '')).toMatch(/^'/)
  },
)

// Defect: spreadsheets read telephone numbers, bet numbers and usernames as other figures or as days.
test.each([
  '0812345678',
  '007',
  '00',
  '1E10',
  '12e3',
  '1.50',
  '1234567890123456',
  '1-2',
  '3/4',
  '16/01/2569',
  '12:30',
  'dec01',
  'MAR-1',
  '1may',
  'TRUE',
])('%j stays the text that it is', (text) => {
  expect(cellOf(text)).toBe(`"=""${text}"""`)
})

test.each([
  '0',
  '7',
  '47',
  '1.5',
  '123456789012345',
  '2026-11-26',
  'member01',
  'lao-vip',
  'e10',
  'may',
  '12a',
  'marigold1',
])('%j is written as it is', (text) => {
  expect(cellOf(text)).toBe(text)
})
