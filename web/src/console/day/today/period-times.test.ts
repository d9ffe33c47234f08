// Goal: each time that the server would refuse is named at its field.

import { expect, test } from 'vitest'
import { findPeriodTimesProblems } from './period-times.ts'

const now = '2026-11-25T12:00'
const none = { open_at: null, close_at: null, draw_at: null }

test.each([
  ['nothing is wrong', { open_at: '', close_at: '2026-11-25T15:20', draw_at: '2026-11-25T15:30' }, none],
  [
    'a draw at the close, after midnight',
    { open_at: '2026-11-25T13:00', close_at: '2026-11-26T00:10', draw_at: '2026-11-26T00:10' },
    none,
  ],
  [
    'nothing is entered',
    { open_at: '', close_at: '', draw_at: '' },
    { ...none, close_at: 'bad_time', draw_at: 'bad_time' },
  ],
  [
    'it opens in the past',
    { open_at: now, close_at: '2026-11-25T15:20', draw_at: '2026-11-25T15:30' },
    { ...none, open_at: 'open_past' },
  ],
  [
    'it closes in the past',
    { open_at: '', close_at: now, draw_at: '2026-11-25T15:30' },
    { ...none, close_at: 'close_past' },
  ],
  [
    'it closes when it opens',
    { open_at: '2026-11-25T15:20', close_at: '2026-11-25T15:20', draw_at: '2026-11-25T15:30' },
    { ...none, close_at: 'close_before_open' },
  ],
  [
    'it is drawn before the close',
    { open_at: '', close_at: '2026-11-25T15:20', draw_at: '2026-11-25T15:19' },
    { ...none, draw_at: 'draw_before_close' },
  ],
  [
    'it is drawn two days later',
    { open_at: '', close_at: '2026-11-25T15:20', draw_at: '2026-11-27T00:00' },
    { ...none, draw_at: 'draw_other_day' },
  ],
] as const)('%s', (_name, times, problems) => {
  expect(findPeriodTimesProblems(times, now, '2026-11-25')).toEqual(problems)
})

test('the day of a move is not changed', () => {
  const times = { open_at: '', close_at: '2026-11-27T15:20', draw_at: '2026-11-27T15:30' }
  expect(findPeriodTimesProblems(times, now, null)).toEqual(none)
})
