// The days on which a period may lie, for fields that make or move one.

import { PERIOD_DAYS_AHEAD } from '@megalot/contract/browser'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { addDays } from '../../lib/format/calendar-day.ts'
import { dayInBangkok } from '../../lib/format/dates.ts'

/** The last day of a day field. */
export function lastPeriodDay(): string {
  return addDays(dayInBangkok(serverNowMs()), PERIOD_DAYS_AHEAD)
}

/** The bounds of a field for a day and a time, in Bangkok. */
export function periodTimeBounds(): { min: string; max: string } {
  return { min: `${dayInBangkok(serverNowMs())}T00:00`, max: `${lastPeriodDay()}T23:59` }
}
