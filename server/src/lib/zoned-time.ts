// Local times in any time zone. Zones without a fixed offset change their clock twice a year.

import { bangkokInstant } from './bangkok.ts'

const DAY_MS = 86_400_000

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(timeZone, made)
  return made
}

/** A zone's offset from UTC at an instant, in ms. */
function offsetAt(timeZone: string, instantMs: number): number {
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<Intl.DateTimeFormatPartTypes, number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - instantMs
}

/** The calendar day of an instant in a zone, yyyy-mm-dd. */
export function zonedDayOf(instant: Date, timeZone: string): string {
  return new Date(instant.getTime() + offsetAt(timeZone, instant.getTime())).toISOString().slice(0, 10)
}

/**
 * The instant of a local time (HH:MM) on a day in a zone, shifted by whole days. As in PostgreSQL, a skipped time uses
 * the offset before the change, and an ambiguous time is the later one.
 */
export function zonedInstant(day: string, time: string, timeZone: string, dayOffset = 0): Date {
  if (timeZone === 'Asia/Bangkok') return bangkokInstant(day, time, dayOffset)
  const localMs = Date.parse(`${day}T${time}:00Z`) + dayOffset * DAY_MS
  const [before, after] = [offsetAt(timeZone, localMs - DAY_MS), offsetAt(timeZone, localMs + DAY_MS)]
  const isAfter = before === after || offsetAt(timeZone, localMs - after) === after
  return new Date(localMs - (isAfter ? after : before))
}
