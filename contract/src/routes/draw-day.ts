// The draw day: every period that somebody has to watch, with its stake, its result and what is wrong with it; and the calendar
// of a month.

import * as z from 'zod/mini'
import { permissionsOfDay } from '../permissions.ts'
import { defineRoute } from '../route.ts'
import { maintenance } from './maintenance.ts'
import { day, instant, period, satang, signedSatang } from '../wire.ts'

/**
 * - `none`: nobody has entered it. `one_of_two`: one person has. `differs`: two entries differ
 * - `settling`, `settled`: it is being paid, it is paid
 * - `correction_one_of_two`, `correction_differs`: paid, and a correction has begun
 * - `voiding`, `void`: stakes are being refunded, are refunded
 */
export const dayResult = z.enum([
  'none',
  'one_of_two',
  'differs',
  'settling',
  'settled',
  'correction_one_of_two',
  'correction_differs',
  'voiding',
  'void',
])
export type DayResult = z.output<typeof dayResult>

/**
 * - `late_result`: the draw is over for `LATE_RESULT_MINUTES`, and the result is not agreed
 * - `book_differs`: nothing is paid until somebody has resolved it
 * - `quota_nearly_used`: of some number 80 % of full and half quota are used
 * - `void_requested`: a void waits for a second person
 * - `maintenance`, `switched_off`: the market accepts no tickets though the period is open
 */
export const dayAlert = z.enum([
  'entries_differ',
  'late_result',
  'book_differs',
  'quota_nearly_used',
  'void_requested',
  'maintenance',
  'switched_off',
])
export type DayAlert = z.output<typeof dayAlert>

/** How long after the draw a missing result is late. */
export const LATE_RESULT_MINUTES = 30

export const dayPeriod = z.strictObject({
  period,
  /** The caller's own line for an agent, all of it for the company and its office. */
  tickets: z.int(),
  /** Received on them. */
  stake_satang: satang,
  /** What the house has in the worst case, below 0 a loss; null: nothing was bet, it is settled, or not the caller's to see. */
  worst_case_satang: z.nullable(signedSatang),
  /** Received less discounts and wins of a settled period; null: it is not settled. */
  result_satang: z.nullable(signedSatang),
  /** Null for agents: results are the office's. */
  result: z.nullable(dayResult),
  /** While it is being paid or refunded: how far, in percent; null otherwise. */
  done_percent: z.nullable(z.int()),
  /** Null before the close, and for agents. */
  seal: z.nullable(z.enum(['open', 'sealed', 'differs'])),
  alerts: z.array(dayAlert),
  /** How many numbers have used 80 % of their quota. */
  numbers_near_quota: z.int(),
})
export type DayPeriod = z.output<typeof dayPeriod>

export const listDayPeriods = defineRoute({
  name: 'listDayPeriods',
  method: 'GET',
  path: '/api/draw_day/periods',
  access: 'console',
  needs: permissionsOfDay,
  summary:
    'The periods of a day by close, with what is open and what waits for its result or payment from days before: tickets, stake, worst case, result, seal, alerts',
  query: z.strictObject({
    /** In Asia/Bangkok; today where absent. */
    date: z.optional(day),
  }),
  reply: z.strictObject({
    now: instant,
    date: day,
    /** Of the whole application. */
    maintenance: z.nullable(maintenance),
    periods: z.array(dayPeriod),
  }),
})
export type DrawDay = z.output<typeof listDayPeriods.reply>

export const listCalendar = defineRoute({
  name: 'listCalendar',
  method: 'GET',
  path: '/api/draw_day/calendar',
  price: 'report',
  access: 'console',
  needs: permissionsOfDay,
  summary: 'The periods of all markets of some days, whether they are over, open or still to come; at most 31 days',
  query: z.strictObject({ date_from: day, date_to: day }),
  reply: z.array(period),
})
