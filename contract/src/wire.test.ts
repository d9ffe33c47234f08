// Free text accepts any language, and rejects characters that break a file or the surrounding text.

import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { displayName, freeText, longText } from './wire.ts'

const text = freeText(0, 20)

test.each(['', ' ', 'สมชาย ใจดี', 'เจ๊หมวย', '👩‍👩‍👧 ok', 'Ελληνικά', 'שלום', '日本', "a\u{301}'=+-@"])(
  '%j is free text',
  (given) => {
    expect(z.safeParse(text, given).success).toBe(true)
  },
)

test.each(['a\u0000', 'a\nb', '\u007f', '\u0085', '\ud800', 'a\u202eb', '\u2066a', '\ufffe', 'a\uffff'])(
  '%j is not',
  (given) => {
    expect(z.safeParse(text, given).success).toBe(false)
  },
)

test('text of several lines also allows line feeds, and nothing else', () => {
  expect(z.safeParse(longText(20), 'a\nb').success).toBe(true)
  for (const given of ['a\r\nb', 'a\u2028\u202eb', '\uffff'])
    expect(z.safeParse(longText(20), given).success).toBe(false)
})

test.each([
  ['ก', true],
  ['-', true],
  ['👍', true],
  ['', false],
  ['   ', false],
  ['\u200b\u200d', false],
  ['\u00a0', false],
  ['\u3164\u115f\u2800', false],
  ['\u3164a', true],
])('%j names a person: %s', (given, isName) => {
  expect(z.safeParse(displayName, given).success).toBe(isName)
})
