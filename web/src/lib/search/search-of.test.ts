import { expect, test } from 'vitest'
import { code, codes, flag, id, matching, oneOf, rowNumber, searchOf, text, typed, username } from './search-of.ts'

test.each([
  ['typed keeps spaces', typed, ' a b ', ' a b '],
  ['typed', typed, 123, '123'],
  ['typed', typed, '  ', undefined],
  ['typed is cut', typed, 'x'.repeat(201), 'x'.repeat(200)],
  ['text', text, ' mem ', 'mem'],
  ['text', text, {}, undefined],
  ['text', text, 'x'.repeat(201), undefined],
  ['matching', matching(/^\d{1,3}$/), 7, '7'],
  ['matching', matching(/^\d{1,3}$/), ['7'], undefined],
  ['oneOf', oneOf('true', 'false'), true, 'true'],
  ['oneOf', oneOf('50', '100'), 50, '50'],
  ['oneOf', oneOf('a'), 'b', undefined],
  ['code', code, 'lao-vip', 'lao-vip'],
  ['code', code, '../x', undefined],
  ['codes', codes, 'malay,baac', 'malay,baac'],
  ['codes', codes, 'malay,,baac', undefined],
  ['username', username, 'member01', 'member01'],
  ['username', username, 'a.b', undefined],
  ['id', id, 17, '17'],
  ['id', id, '-1', undefined],
  ['rowNumber', rowNumber, 7, 7],
  ['rowNumber', rowNumber, '7', undefined],
  ['flag', flag, true, true],
  ['flag', flag, 'true', undefined],
])('%s: %s %j is read as %j', (_name, read, value, expected) => {
  expect(read(value)).toBe(expected)
})

test('what makes no sense, and what nobody reads, is left out', () => {
  const read = searchOf({ name: username, row: rowNumber })
  expect(read({ name: 'a b', row: 3, other: 'x' })).toEqual({ row: 3 })
})

test('rules between parameters see only what was read', () => {
  const read = searchOf({ market: code, period: code }, ({ period, ...found }) =>
    found.market === undefined || period === undefined ? found : { ...found, period },
  )
  expect(read({ market: '../x', period: 'lao-1' })).toEqual({})
  expect(read({ market: 'lao', period: 'lao-1' })).toEqual({ market: 'lao', period: 'lao-1' })
})
