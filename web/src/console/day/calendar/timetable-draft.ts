// A timetable while it is typed: its fields are text.

import type { Timetable } from '@megalot/contract'

export const dayKinds = ['every_day', 'weekdays', 'month_days'] as const
export type DayKind = (typeof dayKinds)[number]

export interface TimetableDraft {
  kind: DayKind
  /** 1 for Monday to 7 for Sunday. */
  weekdays: readonly number[]
  /** Days of the month with spaces between. */
  month_days: string
  open: string
  /** How many days before the period's day it opens. */
  open_before: string
  close: string
  close_offset: '-1' | '0' | '1'
  draw: string
  draw_offset: '0' | '1'
  /** Empty where a day has one period. */
  count: string
  every_minutes: string
}

const offsetOf = ({ day_offset = 0 }: Timetable['open']): number => day_offset

export function draftOf(timetable: Timetable | null): TimetableDraft {
  const days = timetable?.days ?? 'every_day'
  const close_offset = timetable ? Math.max(-1, offsetOf(timetable.close)) : 0
  return {
    kind: days === 'every_day' ? days : 'weekdays' in days ? 'weekdays' : 'month_days',
    weekdays: typeof days === 'object' && 'weekdays' in days ? days.weekdays : [],
    month_days: typeof days === 'object' && 'month_days' in days ? days.month_days.join(' ') : '',
    open: timetable?.open.time ?? '',
    open_before: String(timetable ? Math.max(0, -offsetOf(timetable.open)) : 0),
    close: timetable?.close.time ?? '',
    close_offset: String(close_offset) as TimetableDraft['close_offset'],
    draw: timetable?.draw.time ?? '',
    draw_offset: timetable && offsetOf(timetable.draw) === 1 ? '1' : '0',
    count: String(timetable?.rounds?.count ?? ''),
    every_minutes: String(timetable?.rounds?.every_minutes ?? ''),
  }
}

const CLOCK = /^\d{2}:\d{2}$/

/** The timetable that was typed; null: something is missing or cannot be, such as a close after the draw. */
export function readDraft(draft: TimetableDraft): Timetable | null {
  const days = readDays(draft)
  const open_before = readWhole(draft.open_before, 0, 60)
  const isRounds = draft.count !== '' || draft.every_minutes !== ''
  const count = readWhole(draft.count, 1, 300)
  const every_minutes = readWhole(draft.every_minutes, 1, 1_440)
  if (days === null || open_before === null || (isRounds && (count === null || every_minutes === null))) return null
  if (![draft.open, draft.close, draft.draw].every((time) => CLOCK.test(time))) return null
  const open = at(draft.open, -open_before)
  const close = at(draft.close, Number(draft.close_offset))
  const draw = at(draft.draw, Number(draft.draw_offset))
  if (minutesOf(open) >= minutesOf(close) || minutesOf(close) > minutesOf(draw)) return null
  return {
    days,
    open,
    close,
    draw,
    ...(count !== null && every_minutes !== null ? { rounds: { count, every_minutes } } : {}),
  }
}

function at(time: string, day_offset: number): Timetable['open'] {
  return day_offset === 0 ? { time } : { time, day_offset }
}

/** From the beginning of the period's day. */
function minutesOf({ time, day_offset = 0 }: Timetable['open']): number {
  return day_offset * 1_440 + Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function readDays({ kind, weekdays, month_days }: TimetableDraft): Timetable['days'] | null {
  if (kind === 'every_day') return kind
  if (kind === 'weekdays') return weekdays.length === 0 ? null : { weekdays: weekdays.toSorted((a, b) => a - b) }
  const days = month_days.split(/[\s,]+/).filter((text) => text !== '')
  const read = days.map((text) => readWhole(text, 1, 31))
  const known = read.filter((day) => day !== null)
  return known.length === 0 || known.length < read.length
    ? null
    : { month_days: [...new Set(known)].toSorted((a, b) => a - b) }
}

function readWhole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : null
  return value !== null && value >= least && value <= most ? value : null
}
