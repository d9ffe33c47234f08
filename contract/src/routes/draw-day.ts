// The draw day: every period that needs attention, with its stakes, result and alerts. Also the calendar of a month.

import * as z from 'zod/mini'
import { permissionsOfDay } from '../permissions.ts'
import * as calls from '../calls/draw-day.ts'
import { defineRoute } from '../route.ts'
import { maintenance } from './maintenance.ts'
import { day, instant, period, satang, signedSatang } from '../wire.ts'

/**
 * - `none`: not entered. `one_of_two`: entered once. `differs`: the two entries differ
 * - `settling`: being paid. `settled`: paid
 * - `correction_one_of_two`, `correction_differs`: paid, and a correction has begun
 * - `voiding`: stakes are being refunded. `void`: refunded
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
 * - `late_result`: the draw was more than `LATE_RESULT_MINUTES` ago, and the result is not agreed
 * - `book_differs`: nothing is paid until someone resolves the difference
 * - `quota_nearly_used`: a number has used 80 % of full and half quota
 * - `void_requested`: a void needs a second approval
 * - `maintenance`, `switched_off`: the market accepts no tickets although the period is open
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

/** Minutes after the draw when a missing result counts as late. */
export const LATE_RESULT_MINUTES = 30

export const dayPeriod = z.strictObject({
  period,
  /** An agent's own downline; everything for the company and its office. */
  tickets: z.int(),
  /** Stakes received. */
  stake_satang: satang,
  /**
   * The house's profit in the worst case, negative for a loss. Null without bets, once settled, or if not visible to
   * the caller.
   */
  worst_case_satang: z.nullable(signedSatang),
  /** Received less discounts and wins of a settled period; null if not settled. */
  result_satang: z.nullable(signedSatang),
  /** Null for agents, because results are visible to the office only. */
  result: z.nullable(dayResult),
  /** Progress of payment or refund in percent; null otherwise. */
  done_percent: z.nullable(z.int()),
  /** Null before the close, and for agents. */
  seal: z.nullable(z.enum(['open', 'sealed', 'differs'])),
  alerts: z.array(dayAlert),
  /** How many numbers have used 80 % of their quota. */
  numbers_near_quota: z.int(),
})
export type DayPeriod = z.output<typeof dayPeriod>

export const listDayPeriods = defineRoute({
  ...calls.listDayPeriods,
  access: 'console',
  needs: permissionsOfDay,
  summary:
    'The periods of a day by close, with what is open and what waits for its result or payment from days before: tickets, stake, worst case, result, seal, alerts',
  query: z.strictObject({
    /** In Asia/Bangkok. Defaults to today. */
    date: z.optional(day),
  }),
  reply: z.strictObject({
    now: instant,
    date: day,
    /** Maintenance of the whole application. */
    maintenance: z.nullable(maintenance),
    periods: z.array(dayPeriod),
  }),
})
export type DrawDay = z.output<typeof listDayPeriods.reply>

export const listCalendar = defineRoute({
  ...calls.listCalendar,
  price: 'report',
  access: 'console',
  needs: permissionsOfDay,
  summary: 'The periods of all markets of some days, whether they are over, open or still to come; at most 31 days',
  query: z.strictObject({ date_from: day, date_to: day }),
  reply: z.array(period),
})
