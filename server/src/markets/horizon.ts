// How far ahead periods may be.

import { PERIOD_DAYS_AHEAD } from '@megalot/contract'
import { addDays, BANGKOK_AHEAD_MS, bangkokDayOf, bangkokInstant } from '../lib/bangkok.ts'
import { Refusal } from '../lib/refusal.ts'

/** The Buddhist calendar is this many years ahead. */
const BUDDHIST_YEARS = 543

/** The last day that a period may have. */
export function lastPeriodDay(now: Date): string {
  return addDays(bangkokDayOf(now), PERIOD_DAYS_AHEAD)
}

/**
 * Refuses a date for a new or moved period that is too far ahead.
 * @param field its name in the call
 * @throws Refusal date_too_far, date_in_buddhist_year
 */
export function refuseFarDate(field: string, date: Date, now: Date): void {
  const last_day = lastPeriodDay(now)
  if (date < bangkokInstant(last_day, '00:00', 1)) return
  const buddhist_year = new Date(date.getTime() + BANGKOK_AHEAD_MS).getUTCFullYear()
  const year = buddhist_year - BUDDHIST_YEARS
  if (Math.abs(year - Number(bangkokDayOf(now).slice(0, 4))) <= 1)
    throw new Refusal('date_in_buddhist_year', { field, year, buddhist_year })
  throw new Refusal('date_too_far', { field, last_day })
}

/** As `refuseFarDate`, for a day (yyyy-mm-dd). */
export function refuseFarDay(field: string, day: string, now: Date): void {
  refuseFarDate(field, bangkokInstant(day, '00:00'), now)
}
