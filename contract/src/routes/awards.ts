// Draw results: entering and reading them. Periods without a valid draw, which are void.

import * as z from 'zod/mini'
import * as calls from '../calls/awards.ts'
import { type DataOf, defineRoute } from '../route.ts'
import {
  betTypeCode,
  day,
  drawResult,
  instant,
  pageNumber,
  pathId,
  period,
  periodCode,
  productCode,
  productCodes,
  queryNumber,
  reason,
  satang,
  signedSatang,
} from '../wire.ts'

export const award = z.strictObject({
  period,
  result: drawResult,
  /** The result that was paid before the correction; null if there was none. */
  corrected_from: z.nullable(drawResult),
  /** Generated for a demo; not the result of a real draw. */
  is_demo: z.boolean(),
})
export type Award = z.output<typeof award>

export const enterAward = defineRoute({
  ...calls.enterAward,
  is_specified: true,
  access: 'office',
  needs: 'results.do',
  step_up: true,
  summary:
    'Enters the result of a closed period. Two different office users must enter the same; an equal second entry starts its settlement',
  query: z.strictObject({ date: day }),
  body: z.strictObject({ period_code: periodCode, result: drawResult }),
  reply: z.strictObject({
    period_code: periodCode,
    /** `entered`: needs a second office user. `agreed`: both entries are equal, and settlement has begun. */
    state: z.enum(['entered', 'agreed']),
  }),
})

export const correctAward = defineRoute({
  ...calls.correctAward,
  access: 'office',
  needs: 'results.do',
  step_up: true,
  summary:
    'Corrects the result of a settled period. Two different office users must enter the same; then what was paid wrongly is taken back, what is right is paid, and members are told',
  body: z.strictObject({ period_code: periodCode, result: drawResult, reason }),
  reply: z.strictObject({
    period_code: periodCode,
    /**
     * `entered`: needs a second office user. `agreed`: both entries are equal, and the period is being settled again.
     */
    state: z.enum(['entered', 'agreed']),
  }),
})

export const awardPreview = z.strictObject({
  period_code: periodCode,
  /** `award`: the period is not settled. `correction`: replaces a result that was paid. */
  kind: z.enum(['award', 'correction']),
  /** Tickets whose win changes, and their members. */
  tickets: z.int(),
  members: z.int(),
  /** Members who would have less than before; only for a correction. */
  members_losing: z.int(),
  /** What would be paid: the full win of each of these tickets. */
  paid_satang: satang,
  /** What would be taken back first: the full previous win of each of these tickets. */
  taken_back_satang: satang,
  /** By bet type, in the market's order: items that would win, and items that would no longer win. */
  bet_types: z.array(
    z.strictObject({
      bet_type: betTypeCode,
      won_lines: z.int(),
      won_satang: satang,
      lost_lines: z.int(),
      lost_satang: satang,
    }),
  ),
  /**
   * The payout of this result and the net stakes according to the sealed exposure. Null for a correction, and if the
   * exposure is not sealed. If the payout differs from `paid_satang`, someone has to investigate.
   */
  book: z.nullable(z.strictObject({ payout_satang: satang, net_satang: signedSatang })),
})
export type AwardPreview = z.output<typeof awardPreview>

export const previewAward = defineRoute({
  ...calls.previewAward,
  price: 'report',
  only_reads: true,
  access: 'office',
  needs: 'results.do',
  summary:
    'What a result of a drawn period would pay, or as a correction take back and pay. It says nothing about the entry of anybody else, and writes no result',
  body: z.strictObject({ period_code: periodCode, result: drawResult }),
  reply: awardPreview,
})

export const awardEntries = z.strictObject({
  period_code: periodCode,
  kind: z.enum(['award', 'correction']),
  /** `none`: no entry yet. `locked`: the two entries differ. */
  state: z.enum(['none', 'entered', 'locked', 'agreed']),
  /** Usernames; null if not entered. */
  entered_by: z.nullable(z.string()),
  repeated_by: z.nullable(z.string()),
  /** Whether the first entry is the caller's own, which it may remove. */
  is_own: z.boolean(),
  /** Whether someone else must make the second entry, because the caller or its assistant made the first. */
  needs_other: z.boolean(),
  /** Reason for a correction. */
  reason: z.nullable(z.string()),
  /** The caller's own first entry; null if another person made it or there is none. */
  own_result: z.nullable(drawResult),
  /** Both entries if they differ, otherwise null. The second person does not see the first entry. */
  entries: z.nullable(z.strictObject({ first: drawResult, repeated: drawResult })),
  /** The result that is paid; null if none. */
  paid_result: z.nullable(drawResult),
})
export type AwardEntries = z.output<typeof awardEntries>

export const getAwardEntries = defineRoute({
  ...calls.getAwardEntries,
  access: 'office',
  needs: 'results.view',
  summary:
    'Who has entered the result of a period or its correction; the numbers of both entries only once they differ, the own at any time',
  params: z.strictObject({ period_code: periodCode }),
  reply: awardEntries,
})

export const resetAward = defineRoute({
  ...calls.resetAward,
  access: 'office',
  needs: 'results.do',
  step_up: true,
  summary:
    'Removes two entries that differ, or the only entry where the caller made it as a person (an assistant counts as its principal), of a result or a correction; then two people enter it again',
  body: z.strictObject({ period_code: periodCode, reason }),
  reply: awardEntries,
})

export const periodVoidPreview = z.strictObject({
  period_code: periodCode,
  /** Live tickets, including waiting ones, and their members. */
  tickets: z.int(),
  members: z.int(),
  /** The refund to members: received less discounts. */
  refund_satang: satang,
  /** Whether the period still accepts bets, which its approval would end. */
  is_open: z.boolean(),
})
export type PeriodVoidPreview = z.output<typeof periodVoidPreview>

export const previewPeriodVoid = defineRoute({
  ...calls.previewPeriodVoid,
  access: 'office',
  needs: 'periods.do',
  summary: 'What a void of a period would refund, as its tickets are now',
  params: z.strictObject({ period_code: periodCode }),
  reply: periodVoidPreview,
})

export const listPeriodVoids = defineRoute({
  ...calls.listPeriodVoids,
  access: 'office',
  needs: 'periods.view',
  summary: 'Periods that are void, and those whose stakes are being refunded; newest first',
  query: z.strictObject({ page: z.optional(pageNumber), ipp: z.optional(queryNumber) }),
  reply: z.array(
    z.strictObject({
      period,
      state: z.enum(['voiding', 'void']),
      requested_by: z.string(),
      requested_at: instant,
      approved_by: z.string(),
      approved_at: instant,
      reason: z.string(),
      refunded_orders: z.int(),
      refunded_satang: satang,
    }),
  ),
})
export type PeriodVoid = DataOf<typeof listPeriodVoids>[number]

export const listProductAwards = defineRoute({
  ...calls.listProductAwards,
  is_specified: true,
  access: 'signed_in',
  summary: 'The last five results of one market or of each, newest first',
  query: z.strictObject({ product_code: z.optional(productCode) }),
  reply: z.array(award),
})

export const listLatestAwards = defineRoute({
  ...calls.listLatestAwards,
  access: 'signed_in',
  summary: 'The last result of each market that has one, however old; the newest first',
  reply: z.array(award),
})

/** Without `page`, returns the first results, up to the maximum page size. */
const pageQuery = { page: z.optional(pageNumber), ipp: z.optional(queryNumber) }

export const getProductAwards = defineRoute({
  ...calls.getProductAwards,
  is_specified: true,
  access: 'signed_in',
  price: 'report',
  summary: 'Results of a market, newest first, at most 1,000; pages reach earlier ones',
  params: z.strictObject({ product_code: productCode }),
  query: z.strictObject(pageQuery),
  reply: z.array(award),
})

export const listAwardsFrom = defineRoute({
  ...calls.listAwardsFrom,
  is_specified: true,
  access: 'signed_in',
  price: 'report',
  summary:
    'Results from a day on, newest first, of all markets by default; at most 500, with a page also those before them',
  params: z.strictObject({ date_from: day }),
  query: z.strictObject({
    /** The last day. The same as the first day for the results of one day. */
    date_to: z.optional(day),
    product_code: z.optional(productCodes),
    ...pageQuery,
  }),
  reply: z.array(award),
})

export const listOwnWins = defineRoute({
  ...calls.listOwnWins,
  access: 'member',
  summary:
    "The caller's winning items of settled periods, newest ticket first: to be marked beside results. A part holds at most 500, or one ticket",
  query: z.strictObject({
    /** One or more periods, separated by commas; at most 100. */
    period_code: z.string().check(z.regex(/^[a-z0-9-]+(,[a-z0-9-]+){0,99}$/), z.maxLength(6_100)),
    /** Only tickets before this one, for the next page. */
    before: z.optional(pathId),
  }),
  reply: z.array(
    z.strictObject({
      period_code: periodCode,
      order_id: z.int(),
      line_no: z.int(),
      bet_type: betTypeCode,
      number: z.string(),
      received_satang: satang,
      /** Payout per stake in hundredths, when the bet was accepted. */
      rate: z.int(),
      win_satang: satang,
    }),
  ),
  top_level: z.strictObject({
    /** `before` of the next page; null if there are no more. After a correction a page may be short or empty. */
    next_before: z.nullable(z.int()),
  }),
})

/** How often each of the ten digits was drawn, 0 to 9. */
const digitCounts = z.array(z.int())

export const getAwardStatistics = defineRoute({
  ...calls.getAwardStatistics,
  access: 'signed_in',
  price: 'report',
  summary:
    'How often digits and numbers came in the past results of a market. Draws are independent: it predicts nothing',
  params: z.strictObject({ product_code: productCode }),
  query: z.strictObject({
    date_from: z.optional(day),
    date_to: z.optional(day),
    /** Maximum number of draws, newest first; 1,000 by default. */
    draws: z.optional(queryNumber),
  }),
  reply: z.strictObject({
    draws: z.int(),
    /** How many of them were generated for a demo. */
    demo_draws: z.int(),
    /** Days of the first and the last draw; null if there is none. */
    date_from: z.nullable(day),
    date_to: z.nullable(day),
    digits: z.strictObject({
      /** By position, starting with the hundreds. */
      top3: z.array(digitCounts),
      /** By position, starting with the tens. */
      bottom2: z.array(digitCounts),
    }),
    /** By number, 00 to 99. */
    top2: z.array(z.int()),
    bottom2: z.array(z.int()),
    /** Drawn numbers, most frequent first, at most 100. */
    top3: z.array(z.strictObject({ number: z.string(), count: z.int() })),
  }),
})
export type AwardStatistics = z.output<typeof getAwardStatistics.reply>
