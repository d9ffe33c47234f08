import type { Timetable } from '@megalot/contract'
import { expect, test } from 'vitest'
import { draftOf, readDraft } from './timetable-draft.ts'

const timetables: Readonly<Record<string, Timetable>> = {
  'every day, from the evening before': {
    days: 'every_day',
    open: { time: '21:45', day_offset: -1 },
    close: { time: '21:20' },
    draw: { time: '21:30' },
  },
  'weekdays, in the night after': {
    days: { weekdays: [1, 2, 3, 4, 5] },
    open: { time: '05:00' },
    close: { time: '02:00', day_offset: 1 },
    draw: { time: '03:10', day_offset: 1 },
  },
  'days of the month': {
    days: { month_days: [1, 16] },
    open: { time: '06:00', day_offset: -13 },
    close: { time: '15:20' },
    draw: { time: '15:40' },
  },
  rounds: {
    days: 'every_day',
    open: { time: '06:00' },
    close: { time: '06:15' },
    draw: { time: '06:17' },
    rounds: { count: 88, every_minutes: 15 },
  },
}

test.each(Object.entries(timetables))('a timetable stays what it is while nothing is typed: %s', (_, timetable) => {
  expect(readDraft(draftOf(timetable))).toEqual(timetable)
})

test('what is missing or cannot be is no timetable', () => {
  const draft = draftOf(timetables['rounds']!)
  expect(readDraft(draftOf(null))).toBeNull()
  expect(readDraft({ ...draft, close: '' })).toBeNull()
  expect(readDraft({ ...draft, kind: 'weekdays', weekdays: [] })).toBeNull()
  expect(readDraft({ ...draft, kind: 'month_days', month_days: '1, 32' })).toBeNull()
  expect(readDraft({ ...draft, open_before: '61' })).toBeNull()
  expect(readDraft({ ...draft, count: '' })).toBeNull()
  expect(readDraft({ ...draft, close: '06:00' })).toBeNull()
  expect(readDraft({ ...draft, draw: '06:14' })).toBeNull()
  expect(readDraft({ ...draft, draw: '06:15' })?.draw).toEqual({ time: '06:15' })
})

test('days of the month are read with spaces or commas, each once and in order', () => {
  const draft = { ...draftOf(timetables['rounds']!), kind: 'month_days' as const, month_days: '16, 1 16' }
  expect(readDraft(draft)?.days).toEqual({ month_days: [1, 16] })
})
