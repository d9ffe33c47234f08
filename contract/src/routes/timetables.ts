// When a market's periods open, close and are drawn, and the days without a period.

import * as z from 'zod/mini'
import { permissionsOfDay } from '../permissions.ts'
import * as calls from '../calls/timetables.ts'
import { type DataOf, defineRoute } from '../route.ts'
import { day, freeText, periodCode, productCode, reason } from '../wire.ts'

/** A time of day in the zone of the market's exchange, otherwise in Asia/Bangkok. */
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** @param first, last allowed days, relative to the period's day */
function timeOfDay(first: number, last: number) {
  return z.strictObject({
    time: clockTime,
    /** Days after the period's day; negative before it. Omit for the same day. */
    day_offset: z.optional(z.int().check(z.minimum(first), z.maximum(last))),
  })
}

const weekday = z.int().check(z.minimum(1), z.maximum(7))
const monthDay = z.int().check(z.minimum(1), z.maximum(31))

export const timetable = z.strictObject({
  /** Days that have a period. Weekdays: 1 is Monday, 7 is Sunday. */
  days: z.union([
    z.literal('every_day'),
    z.strictObject({ weekdays: z.array(weekday).check(z.minLength(1), z.maxLength(7)) }),
    z.strictObject({ month_days: z.array(monthDay).check(z.minLength(1), z.maxLength(31)) }),
  ]),
  open: timeOfDay(-60, 1),
  close: timeOfDay(-60, 1),
  /** A period is named after the day of its draw; after the day before, if the draw is after midnight. */
  draw: timeOfDay(0, 1),
  /** Several periods a day: `open`, `close` and `draw` are round 1's, and each later round adds `every_minutes`. */
  rounds: z.optional(
    z.strictObject({
      count: z.int().check(z.minimum(1), z.maximum(300)),
      every_minutes: z.int().check(z.minimum(1), z.maximum(1_440)),
    }),
  ),
})
export type Timetable = z.output<typeof timetable>

/** A timetable that applies from a given day. Needs two people (`change_timetable` of approvals). */
export const timetableChange = z.strictObject({
  product_code: productCode,
  timetable,
  /** Tomorrow or later, because today's draws follow the current timetable. */
  first_day: day,
})
export type TimetableChange = z.output<typeof timetableChange>

export const listTimetables = defineRoute({
  ...calls.listTimetables,
  access: 'console',
  needs: permissionsOfDay,
  summary: 'The timetable of each market, its replacement if any, and its days without a period from 62 days ago on',
  reply: z.array(
    z.strictObject({
      product_code: productCode,
      /** Null if its periods are created by hand. */
      timetable: z.nullable(timetable),
      next: z.nullable(z.strictObject({ timetable, first_day: day })),
      /** The exchange whose clock a stock market's timetable uses. Null for Asia/Bangkok. */
      exchange: z.nullable(z.strictObject({ exchange_code: z.string(), zone: z.string() })),
      /** In order of days. */
      holidays: z.array(z.strictObject({ day, name: z.string() })),
    }),
  ),
})
export type MarketTimetable = DataOf<typeof listTimetables>[number]

/** What a timetable change does with periods that have not opened. */
export const periodChanges = z.strictObject({
  made: z.array(periodCode),
  removed: z.array(periodCode),
  /** Unchanged, because they are open, or were created, moved or limited by hand. */
  kept: z.array(periodCode),
})
export type PeriodChanges = z.output<typeof periodChanges>

export const previewTimetable = defineRoute({
  ...calls.previewTimetable,
  only_reads: true,
  access: 'office',
  needs: 'periods.do',
  summary: 'What a new timetable would do with the periods of the coming days. It changes nothing',
  params: z.strictObject({ product_code: productCode }),
  body: z.strictObject({ timetable, first_day: day }),
  reply: periodChanges,
})

export const setHoliday = defineRoute({
  ...calls.setHoliday,
  access: 'office',
  needs: 'periods.do',
  summary:
    'Sets or removes a day on which markets have no period. Periods that have not opened are removed or made again; others stay',
  body: z.strictObject({
    product_codes: z.array(productCode).check(z.minLength(1), z.maxLength(100)),
    /** Today or later. */
    day,
    is_on: z.boolean(),
    /** Such as "New Year". */
    name: z.optional(freeText(1, 60)),
    reason,
  }),
  reply: periodChanges,
})
export type HolidayChange = z.output<typeof setHoliday.body>

/**
 * - `period_too_late`: a period accepts bets after the exchange closes or the draw is held
 * - `draw_day_doubtful`: the draw may be on another day; the period does not open until it is confirmed or moved
 * - `exchange_closed`: the exchange is closed on a day of the timetable, so there is no period
 * - `exchange_early`: the exchange closes early, so close and draw are moved
 * - `data_end`: the product has no data beyond `day`, so no later periods are created
 * - `data_expected`: the exchange has not published its days beyond `day` yet
 */
const calendarWarningKinds = [
  'period_too_late',
  'draw_day_doubtful',
  'exchange_closed',
  'exchange_early',
  'data_end',
  'data_expected',
] as const

export const listCalendarWarnings = defineRoute({
  ...calls.listCalendarWarnings,
  access: 'console',
  needs: permissionsOfDay,
  summary: 'Days of the next week on which a draw or an exchange does not fit the timetable, and ends of data',
  reply: z.array(
    z.strictObject({
      kind: z.enum(calendarWarningKinds),
      /** Null if it concerns all markets of the exchange. */
      product_code: z.nullable(productCode),
      exchange_code: z.nullable(z.string()),
      day,
      /** The name of the exchange's day, or what its data cannot tell. */
      name: z.nullable(z.string()),
      /** The period of the day. */
      period_code: z.nullable(periodCode),
      /** The day on which the draw is expected instead. */
      expected_day: z.nullable(day),
    }),
  ),
})
export type CalendarWarning = DataOf<typeof listCalendarWarnings>[number]

export const setDrawDay = defineRoute({
  ...calls.setDrawDay,
  access: 'office',
  needs: 'periods.do',
  summary: 'Confirms that a draw is held on its day, so that its period opens, or says that the day is doubtful',
  params: z.strictObject({ product_code: productCode }),
  body: z.strictObject({ day, is_confirmed: z.boolean(), reason }),
  reply: periodChanges,
})
export type DrawDayChange = z.output<typeof setDrawDay.params> & z.output<typeof setDrawDay.body>
