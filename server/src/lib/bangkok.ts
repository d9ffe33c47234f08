// Bangkok time, used by markets: UTC+7 all year.

import { sql } from 'kysely'

export const BANGKOK_AHEAD_MS = 7 * 3_600_000
const DAY_MS = 86_400_000

/** Today in Bangkok by the database's clock, as SQL. */
export const bangkokToday = sql<string>`(clock_timestamp() at time zone 'Asia/Bangkok')::date`

/** The calendar day of an instant in Bangkok, yyyy-mm-dd. */
export function bangkokDayOf(instant: Date): string {
  return new Date(instant.getTime() + BANGKOK_AHEAD_MS).toISOString().slice(0, 10)
}

/** An instant with Bangkok's offset, as commands accept it: `2026-12-01T15:20:00.000+07:00`. */
export function bangkokIso(instant: Date): string {
  return new Date(instant.getTime() + BANGKOK_AHEAD_MS).toISOString().replace('Z', '+07:00')
}

/** Day and time of an instant in Bangkok, for people and spreadsheets: `2026-12-01 15:20:00`. */
export function bangkokTime(instant: string): string {
  return new Date(Date.parse(instant) + BANGKOK_AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** The instant of a clock time (HH:MM) on a Bangkok day, shifted by whole days. */
export function bangkokInstant(day: string, time: string, dayOffset = 0): Date {
  return new Date(Date.parse(`${day}T${time}:00+07:00`) + dayOffset * DAY_MS)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** 1 Monday … 7 Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}
