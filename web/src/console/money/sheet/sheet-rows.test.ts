import type { EdgeWeek } from '@megalot/contract'
import { expect, test } from 'vitest'
import { countRows, listSheetRows, readPastedRows, readSignedBaht, writeSignedBaht } from './sheet-rows.ts'

const row = (user_id: number, username: string, balance_satang: number, more: Partial<EdgeWeek> = {}): EdgeWeek => ({
  user_id,
  username,
  display_name: `Name of ${username}`,
  level: 'member',
  forward_satang: 0,
  days: [0, 0, 0, 0, 0, 0, 0],
  week_satang: 0,
  received_satang: 0,
  paid_satang: 0,
  adjusted_satang: 0,
  balance_satang,
  open_satang: 0,
  settle_figure_satang: null,
  clearing: 'rolling',
  is_over_figure: false,
  ...more,
})
const rows = [
  row(1, 'anan', 5_000),
  row(2, 'boon', -90_000, { is_over_figure: true }),
  row(3, 'chai', 0, { days: [0, -100, 0, 0, 0, 0, 0] }),
  row(4, 'dao', 0),
]
const idsOf = (found: readonly EdgeWeek[]) => found.map(({ user_id }) => user_id)

test('the largest balance of either side is first, and settled rows are hidden', () => {
  expect(idsOf(listSheetRows(rows, {}))).toEqual([2, 1])
  expect(idsOf(listSheetRows(rows, { show: 'collect' }))).toEqual([1])
  expect(idsOf(listSheetRows(rows, { show: 'pay' }))).toEqual([2])
  expect(idsOf(listSheetRows(rows, { show: 'over' }))).toEqual([2])
  expect(idsOf(listSheetRows(rows, { show: 'played' }))).toEqual([3])
  expect(idsOf(listSheetRows(rows, { show: 'all', sort: 'name.desc' }))).toEqual([4, 3, 2, 1])
  expect(countRows(rows, 'all')).toBe(4)
})

test('a search finds settled rows, by username or name', () => {
  expect(idsOf(listSheetRows(rows, { search: 'CHA' }))).toEqual([3])
  expect(idsOf(listSheetRows(rows, { search: 'of dao' }))).toEqual([4])
  expect(idsOf(listSheetRows(rows, { search: 'dao', show: 'pay' }))).toEqual([])
})

test('amounts are read with their sign, and written so that they are read again', () => {
  expect(readSignedBaht('1,250.50')).toBe(125_050)
  expect(readSignedBaht('+20')).toBe(2_000)
  expect(readSignedBaht('−500')).toBe(-50_000)
  expect(readSignedBaht('- 0.05')).toBe(-5)
  for (const text of ['', '0', '-0.00', '1.234', '12a', '--5', '1e5', '12345678901'])
    expect(readSignedBaht(text)).toBe(null)
  for (const satang of [1, -5, 100, 125_050, -99_999_999]) expect(readSignedBaht(writeSignedBaht(satang))).toBe(satang)
})

test('two columns of a spreadsheet fill the fields of those that they name', () => {
  const pasted = readPastedRows('anan\t1,000.50\r\nName of boon\t-500\nnobody\t20\nchai\tx\nanan\t5\n\n', rows)
  expect([...pasted!.drafts]).toEqual([
    [1, '1000.50'],
    [2, '-500'],
  ])
  expect(pasted!.unread).toEqual(['nobody\t20', 'chai\tx', 'anan\t5'])
  expect([...readPastedRows('anan 1,000\nboon,-5', rows)!.drafts.values()]).toEqual(['1000', '-5'])
  expect(readPastedRows('1,000.50', rows)).toBe(null)
})
