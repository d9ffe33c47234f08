// Markets use Bangkok's time: UTC+7 all year.

const OFFSET_MS = 7 * 3_600_000
const DAY_MS = 86_400_000

/** The calendar day of an instant in Bangkok, yyyy-mm-dd. */
export function bangkokDayOf(instant: Date): string {
  return new Date(instant.getTime() + OFFSET_MS).toISOString().slice(0, 10)
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
