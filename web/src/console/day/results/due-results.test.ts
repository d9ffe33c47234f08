import type { DayPeriod } from '@megalot/contract'
import { expect, test } from 'vitest'
import { findNextDraw, findNextDue, listDueResults } from './due-results.ts'

const at = (time: string) => `2026-11-30T${time}:00+07:00`
const row = (period_code: string, draw: string, result: DayPeriod['result']) =>
  ({ period: { period_code, draw_at: at(draw) }, result }) as DayPeriod
const now = Date.parse(at('21:00'))
const codes = (periods: readonly { period_code: string }[]) => periods.map(({ period_code }) => period_code)

const rows = [
  row('later', '21:30', 'none'),
  row('second', '20:30', 'one_of_two'),
  row('paid', '19:00', 'settled'),
  row('void', '19:30', 'void'),
  row('first', '20:00', 'differs'),
  row('latest', '23:00', 'none'),
  row('second-b', '20:30', 'none'),
]

test('drawn periods without an agreed result are due, by their draws', () => {
  expect(codes(listDueResults(rows, now))).toEqual(['first', 'second', 'second-b'])
})

test('the next draw is the first one to come', () => {
  expect(findNextDraw(rows, now)?.period_code).toBe('later')
  expect(findNextDraw([], now)).toBeUndefined()
})

test('each due period leads to the one after it, also after its own result is agreed', () => {
  const due = listDueResults(rows, now)
  expect(findNextDue(due, due[0]!)?.period_code).toBe('second')
  expect(findNextDue(due, due[1]!)?.period_code).toBe('second-b')
  expect(findNextDue(due.slice(1), due[0]!)?.period_code).toBe('second')
  expect(findNextDue(due, due[2]!)).toBeUndefined()
})
