// Web vitals of real visits: how soon a page shows its content, reacts and holds still.

import * as z from 'zod/mini'
import * as calls from '../calls/vitals.ts'
import { defineRoute } from '../route.ts'

/** The patterns of all pages, as in the routers of the web: no code, name or id. */
export const pagePatterns = `
  / /account/data /account/email /account/limits /account/password /account/sessions /announcements
  /auth/forgot-password /auth/login /auth/register /auth/reset-password /auth/steps /auth/verify-email /awards
  /awards/statistics /balance /bet/$product_code /bills /bills/$order_id /bills/deleted /error/404 /help /maintenance /manual
  /manual/import /offline /print/ /print/bills/$order_id /print/reports/$kind /reports /reports/balance
  /reports/summary /reports/win-loss/$period_code
  /console/$ /console/account/data /console/account/password /console/account/security
  /console/account/sessions /console/announcements /console/approvals /console/audit /console/awards
  /console/awards/statistics /console/bills/$order_id /console/calendar
  /console/downline /console/guide /console/home /console/maintenance /console/manual /console/manual/import
  /console/markets/$product_code /console/members /console/messages /console/money /console/money/cash
  /console/money/clearings /console/money/clearings/$clearing_id /console/money/history
  /console/numbers /console/numbers/open /console/print/clearings/$clearing_id
  /console/numbers/quotas /console/numbers/rules /console/numbers/standing /console/people /console/people/$user_id
  /console/people/codes /console/people/new /console/periods /console/print/ /console/print/bills/$order_id /console/print/downline
  /console/print/reports/$kind /console/readiness /console/refused /console/reports /console/reports/balance
  /console/reports/summary /console/reports/win-loss/$period_code /console/results /console/risk /console/setup
  /console/signals /console/staff /console/terms /console/tickets /console/today
`
  .trim()
  .split(/\s+/)

/** A value and the page on which the visit measured it. */
const measured = (max: number) =>
  z.optional(z.strictObject({ page: z.enum(pagePatterns), value: z.number().check(z.minimum(0), z.maximum(max)) }))

export const reportVitals = defineRoute({
  ...calls.reportVitals,
  access: 'anyone',
  // Only metrics in memory change.
  only_reads: true,
  body_bytes: 2_048,
  summary: 'Adds the web vitals of one visit to the metrics: LCP and INP in ms, CLS without a unit',
  body: z.strictObject({ lcp: measured(60_000), inp: measured(60_000), cls: measured(100) }),
  reply: z.null(),
})
