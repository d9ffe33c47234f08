// Reports of a downline as spreadsheet files. A file is written in the background: a short one is ready in the reply, a
// long one reports its progress. It is kept for a day, for the user who requested it.

import * as z from 'zod/mini'
import * as calls from '../calls/report-files.ts'
import { type BodyOf, type DataOf, defineRoute } from '../route.ts'
import { paymentKind, paymentMethod, paymentSide } from './money.ts'
import { day, freeText, instant, pathId, periodCode, productCode, requestId } from '../wire.ts'

/**
 * - `win_loss_users`: win and loss by direct downline
 * - `win_loss_periods`: win and loss by period
 * - `win_loss_tickets`: the tickets of a member in a period
 * - `outstanding`, `types`, `winners`, `changed_tickets`: as listed by their routes, in full
 * - `daily_close`: win and loss by period with the shares of the levels
 * - `payments`: payments of the caller's own edges; needs `money.view` too
 * - `clearing`: a clearing statement with its lines; needs `money.view` too
 */
export const fileReport = z.enum([
  'win_loss_users',
  'win_loss_periods',
  'win_loss_tickets',
  'outstanding',
  'types',
  'winners',
  'changed_tickets',
  'daily_close',
  'payments',
  'clearing',
])
export type FileReport = z.output<typeof fileReport>

export const fileFormat = z.enum(['xlsx', 'csv'])
export type FileFormat = z.output<typeof fileFormat>

/** How long the reply waits for a file, in ms. A file that takes longer is written in the background. */
export const REPORT_FILE_WAIT_MS = 2_000

const reportFile = z.strictObject({
  file_id: z.int(),
  report: fileReport,
  format: fileFormat,
  filename: z.string(),
  state: z.enum(['waiting', 'writing', 'ready', 'failed']),
  /** Null until the rows are read. */
  row_count: z.nullable(z.int()),
  rows_done: z.int(),
  byte_count: z.int(),
  created_at: instant,
  /** When the file is deleted. */
  expires_at: instant,
})

export const createReportFile = defineRoute({
  ...calls.createReportFile,
  price: 'report',
  access: 'console',
  needs: 'reports.view',
  summary:
    'Writes a whole report as a file, with headings in the language of the call. The reply waits for up to 2 seconds; the same request_id answers with the same file',
  body: z.strictObject({
    request_id: requestId,
    report: fileReport,
    format: fileFormat,
    /** Defaults to the caller's own downline; for the office, the company's. */
    user_id: z.optional(z.int().check(z.minimum(1))),
    /** Days of periods, both included. Defaults to the last 30 days; at most 366. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    product_codes: z.optional(z.array(productCode).check(z.maxLength(100))),
    /** Required by `win_loss_tickets`, and only used there. */
    period_code: z.optional(periodCode),
    /** Only used by `payments`, with `user_id` and the days. Without days it covers all. */
    payments: z.optional(
      z.strictObject({
        side: paymentSide,
        kind: paymentKind,
        method: z.optional(paymentMethod),
        search: z.optional(freeText(1, 100)),
        is_disputed: z.optional(z.enum(['true'])),
      }),
    ),
    /** Required by `clearing`, and only used there. */
    clearing_id: z.optional(z.int().check(z.minimum(1))),
  }),
  reply: reportFile,
})
export type ReportFile = DataOf<typeof createReportFile>
export type ReportFileBody = BodyOf<typeof createReportFile>

export const listReportFiles = defineRoute({
  ...calls.listReportFiles,
  access: 'console',
  needs: 'reports.view',
  summary: "The caller's report files, newest first, including unfinished ones",
  reply: z.array(reportFile),
})

export const getReportFile = defineRoute({
  ...calls.getReportFile,
  access: 'console',
  needs: 'reports.view',
  is_file: true,
  summary: 'A file of a report as it is saved: XLSX or CSV, not the envelope',
  params: z.strictObject({ file_id: pathId }),
  reply: z.null(),
})
