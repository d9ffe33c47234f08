// Notices to members about their periods: corrected results, void periods, and postponed draws.

import * as z from 'zod/mini'
import * as calls from '../calls/notices.ts'
import { defineRoute } from '../route.ts'
import { drawResult, instant, pageNumber, period, queryNumber, satang, signedSatang } from '../wire.ts'

const noticeHead = { notice_id: z.int(), at: instant, is_read: z.boolean(), period }

export const correctionNotice = z.strictObject({
  ...noticeHead,
  kind: z.literal('award_corrected'),
  old_result: drawResult,
  new_result: drawResult,
  /** Both results were generated for a demo. False once people have entered the period's result. */
  is_demo: z.boolean(),
  /** The caller's win in the period before and after the correction. */
  old_win_satang: satang,
  new_win_satang: satang,
  /** The effect on the balance. */
  change_satang: signedSatang,
})
export type CorrectionNotice = z.output<typeof correctionNotice>

/** The period is void, and all the caller's stakes were refunded. */
export const voidNotice = z.strictObject({
  ...noticeHead,
  kind: z.literal('period_voided'),
  reason: z.string(),
  ticket_count: z.int(),
  refund_satang: satang,
})
export type VoidNotice = z.output<typeof voidNotice>

/** The draw is postponed, and the period accepts bets until its new close. */
export const postponementNotice = z.strictObject({ ...noticeHead, kind: z.literal('period_postponed') })
export type PostponementNotice = z.output<typeof postponementNotice>

export const notice = z.union([correctionNotice, voidNotice, postponementNotice])
export type Notice = z.output<typeof notice>

export const listNotices = defineRoute({
  ...calls.listNotices,
  access: 'member',
  summary:
    'What happened to periods in which the caller has bet, newest first: results corrected, periods voided or postponed',
  query: z.strictObject({ page: z.optional(pageNumber), ipp: z.optional(queryNumber) }),
  reply: z.array(notice),
  top_level: z.strictObject({ unread_count: z.int() }),
})

export const readNotices = defineRoute({
  ...calls.readNotices,
  access: 'member',
  summary: 'Notes that the caller has read everything up to a notice',
  body: z.strictObject({ up_to_notice_id: z.int().check(z.minimum(1), z.maximum(2_000_000_000)) }),
  reply: z.strictObject({ unread_count: z.int() }),
})
