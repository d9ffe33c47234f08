import type { BetTypeTerms, SlipContext, SlipLine } from '@megalot/rules'
import { expect, test } from 'vitest'
import { checkRows, nameOfLine } from './slip-check.ts'
import { listEntries } from './slip-entries.ts'
import { appendRows, mergeDuplicates, removeLines, reverseRow, rowsOfLines } from './slip-lines.ts'
import { growRows, isEmptyRow } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const terms = offered.map((bet_type): BetTypeTerms => ({
  bet_type,
  rate: 7000,
  discount_rate: 0,
  min_satang: 500,
  max_satang: 300_000,
  max_per_number_satang: 400_000,
  is_on: true,
}))
const context: SlipContext = { terms, offered, credit_remain_satang: 100_000_00, max_items: 500, is_open: true }
const line = (bet_type: SlipLine['bet_type'], number: string, baht: number): SlipLine => ({
  bet_type,
  number,
  bet_satang: baht * 100,
})
const shown = (rows: readonly SlipRow[]): readonly string[] =>
  rows
    .filter((row) => !isEmptyRow(row))
    .map((row) => [row.number, row.top, row.bottom, row.roll].map((text) => text || '-').join(' '))

test('lines of one number share a row until a column is taken', () => {
  const rows = appendRows(
    growRows([]),
    rowsOfLines([line('2top', '12', 5), line('2top', '34', 6), line('2bottom', '12', 7), line('2top', '12', 8)]),
  )
  expect(shown(rows)).toEqual(['12 5 7 -', '34 6 - -', '12 8 - -'])
  expect(shown(appendRows(rows, [{ number: '99' }]))).toEqual(['12 5 7 -', '34 6 - -', '12 8 - -', '99 - - -'])
})

test('merging adds the stakes to the first line, also where a roll was written in another order', () => {
  const rows = appendRows(
    growRows([]),
    rowsOfLines([line('2top', '12', 5), line('2bottom', '12', 5), line('2top', '12', 8), line('2roll', '34', 5)]),
  )
  const withRoll = appendRows(rows, [{ number: '43', roll: '6' }])
  const { duplicates } = checkRows(withRoll, context)
  expect(duplicates.map(nameOfLine)).toEqual(['2top 12', '2top 12', '2roll 34', '2roll 34'])
  const merged = mergeDuplicates(withRoll, duplicates)
  expect(shown(merged)).toEqual(['12 13 5 -', '34 - - 11'])
  expect(checkRows(merged, context).duplicates).toEqual([])
})

test('duplicates the member keeps are no problem, a new one is', () => {
  const rows = appendRows(growRows([]), rowsOfLines([line('2top', '12', 5), line('2top', '12', 8)]))
  expect(checkRows(rows, context).row_states[0]?.problem).toBe('duplicate')
  const kept = checkRows(rows, context, ['2top 12'])
  expect(kept.row_states[0]).toMatchObject({ kind: 'good', problem: null })
  expect(kept.duplicates).toEqual([])
  const more = appendRows(rows, rowsOfLines([line('2top', '34', 5), line('2top', '34', 8)]))
  expect(checkRows(more, context, ['2top 12']).duplicates).toHaveLength(2)
})

test('the limit per number counts all lines of the slip on it', () => {
  const rows = appendRows(growRows([]), rowsOfLines([line('2top', '12', 1_500), line('2top', '12', 2_000)]))
  const { row_states } = checkRows(rows, context, ['2top 12'])
  expect(row_states.slice(0, 2).map(({ room_satang }) => room_satang)).toEqual([50_000, 50_000])
})

test('a reversed row follows its own, without the roll, and a number that reads the same has none', () => {
  const rows = appendRows(growRows([]), [
    { number: '12', top: '5', roll: '7' },
    { number: '33', top: '9' },
  ])
  expect(shown(reverseRow(rows, 0)!)).toEqual(['12 5 - 7', '21 5 - -', '33 9 - -'])
  expect(reverseRow(rows, 1)).toBeNull()
  expect(reverseRow(rows, 9)).toBeNull()
})

test('a row goes with its last stake', () => {
  const rows = appendRows(growRows([]), [{ number: '12', top: '5', bottom: '7' }])
  const { lines } = checkRows(rows, context)
  expect(shown(removeLines(rows, lines.slice(0, 1)))).toEqual(['12 - 7 -'])
  expect(shown(removeLines(rows, lines))).toEqual([])
})

test('the list groups by bet type, names every problem, and shows what is no stake yet', () => {
  const rows = appendRows(growRows([]), [
    { number: '12', top: '5', bottom: '1' },
    { number: '34', top: '1.5' },
    { number: '7' },
    { number: '1', top: '9' },
  ])
  const entries = listEntries(rows, checkRows(rows, context), offered).map((entry) => {
    if (entry.kind === 'head') return `${entry.bet_type} ${entry.count} ${entry.bet_satang}`
    return entry.kind === 'stake' ? `${entry.number} ${entry.text} ${entry.problem}` : `${entry.number} waits`
  })
  expect(entries).toEqual([
    ...['2top 2 500', '12 5 null', '34 1.5 amount_form'],
    ...['2bottom 1 100', '12 1 under_min'],
    ...['1top 1 900', '1 9 null'],
    ...['null 1 0', '7 waits'],
  ])
})
