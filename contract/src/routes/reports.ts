// Money reports: the statement, win and loss by period, sums over days and people. Figures come from rollups updated
// when tickets are accepted and settled. A win appears only once its period is settled.

import * as z from 'zod/mini'
import * as calls from '../calls/reports.ts'
import { defineRoute } from '../route.ts'
import {
  betTypeCode,
  day,
  instant,
  packageCode,
  pageNumber,
  pathId,
  period,
  periodCode,
  productCode,
  productCodes,
  queryNumber,
  satang,
  signedSatang,
  textFile,
  userLevel,
} from '../wire.ts'
import { orderItem } from './orders.ts'
import { shownCredit } from './sessions.ts'

// ---- the statement ----

export const entryKind = z.enum([
  'bet_hold',
  'bet',
  'bet_release',
  'win',
  'refund',
  'reversal',
  'credit_change',
  'transfer',
  'adjustment',
  'commission',
  'result',
])
export type EntryKind = z.output<typeof entryKind>

export const transaction = z.strictObject({
  entry_id: z.int(),
  at: instant,
  kind: entryKind,
  order_id: z.nullable(z.int()),
  /** The ticket's market; null if the entry has no ticket. */
  product_code: z.nullable(productCode),
  period_code: z.nullable(periodCode),
  /** Change of the balance; 0 if money only moved into or out of a waiting ticket. */
  amount_satang: signedSatang,
  /** The balance after the entry, over all markets. */
  balance_satang: signedSatang,
  /** Change of the credit on hold for tickets that wait for confirmation. */
  held_satang: signedSatang,
  /** The credit on hold after the entry. */
  held_balance_satang: signedSatang,
})
export type Transaction = z.output<typeof transaction>

const statementSpan = {
  /** Days in Asia/Bangkok, both included. */
  date_from: z.optional(day),
  date_to: z.optional(day),
  /** Only entries of tickets of these markets. */
  product_code: z.optional(productCodes),
}

const statementQuery = z.strictObject({
  ...statementSpan,
  /** Cursor: only entries before this one. `page` is then ignored. */
  before: z.optional(pathId),
  page: z.optional(pageNumber),
  ipp: z.optional(queryNumber),
})

const statementEnd = z.strictObject({
  /**
   * `before` of the next page; null if there are no more. A page may hold fewer rows than requested, or none, if the
   * market's rows are rare.
   */
  next_before: z.nullable(z.int()),
  /** The balances before the first and after the last day. Without days: 0 and the current balance. */
  opening_balance_satang: signedSatang,
  closing_balance_satang: signedSatang,
})

export const listTransactions = defineRoute({
  ...calls.listTransactions,
  is_specified: true,
  access: 'signed_in',
  needs: 'reports.view',
  summary: "The caller's statement with a running balance, newest first",
  query: statementQuery,
  reply: z.array(transaction),
  top_level: statementEnd,
})

export const listUserTransactions = defineRoute({
  ...calls.listUserTransactions,
  is_specified: true,
  access: 'signed_in',
  needs: 'reports.view',
  summary: 'The statement of a user below the caller; for the office, of any user',
  params: z.strictObject({ user_id: pathId }),
  query: statementQuery,
  reply: z.array(transaction),
  top_level: statementEnd,
})

export const exportTransactions = defineRoute({
  ...calls.exportTransactions,
  price: 'export',
  access: 'signed_in',
  needs: 'reports.view',
  summary: 'The statement as CSV, newest first, at most 10,000 rows; headings in the language of the call',
  query: z.strictObject({ ...statementSpan, user_id: z.optional(pathId) }),
  reply: textFile,
})

// ---- win and loss ----

/** Sums over live tickets. Cancelled, deleted and voided tickets and returned items are excluded. */
export const winLoss = z.strictObject({
  ticket_count: z.int(),
  bet_satang: satang,
  /** The accepted part of the bets. */
  received_satang: satang,
  discount_satang: satang,
  win_satang: satang,
  /** Win + discount − received; above 0 if the member has won. */
  total_satang: signedSatang,
})
export type WinLoss = z.output<typeof winLoss>

/** Refunds of void periods. They are neither win nor loss, and in no other sum. */
export const refundedSums = z.strictObject({
  ticket_count: z.int(),
  bet_satang: satang,
  /** What the tickets had cost. */
  refund_satang: satang,
})
export type RefundedSums = z.output<typeof refundedSums>

/**
 * What a report of one member's periods includes.
 * - `all`: every live ticket
 * - `win_tickets`: tickets that have won, in full
 * - `win_only`: winning items alone
 * - `loss_only`: items that have not won, including items of which nothing was accepted
 * The last three cover settled periods only.
 */
export const winLossFilter = z.enum(['all', 'win_tickets', 'win_only', 'loss_only'])
export type WinLossFilter = z.output<typeof winLossFilter>

export const listPeriodWinLoss = defineRoute({
  ...calls.listPeriodWinLoss,
  price: 'report',
  access: 'signed_in',
  needs: 'reports.view',
  summary:
    'Win and loss by period, newest first: of a member itself, or of all members under an upline; `user_id` names somebody under the caller',
  query: z.strictObject({
    user_id: z.optional(pathId),
    filter: z.optional(winLossFilter),
    /** Days of periods, both included. Defaults to the last 30 days; at most 366. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    product_code: z.optional(productCodes),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(z.strictObject({ period, ...winLoss.shape })),
  top_level: z.strictObject({
    date_from: day,
    date_to: day,
    /** Over the whole span, not the page. Unsettled periods count only in `pending`. */
    totals: winLoss,
    pending: winLoss,
    refunded: refundedSums,
  }),
})

export const listPeriodWinLossTickets = defineRoute({
  ...calls.listPeriodWinLossTickets,
  access: 'signed_in',
  needs: 'reports.view',
  summary:
    "A member's tickets of one period as the filter shows them, newest first, with the items it leaves; none for those who do not bet",
  params: z.strictObject({ period_code: periodCode }),
  query: z.strictObject({
    user_id: z.optional(pathId),
    filter: z.optional(winLossFilter),
    /** Only tickets before this one, for the next page. */
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(
    z.strictObject({
      order_id: z.int(),
      created_at: instant,
      package_code: packageCode,
      note: z.string(),
      /** Of the items below. */
      bet_satang: satang,
      received_satang: satang,
      discount_satang: satang,
      win_satang: satang,
      total_satang: signedSatang,
      items: z.array(orderItem),
    }),
  ),
  top_level: z.strictObject({
    period,
    /** Over all tickets of the period, not the page. */
    totals: winLoss,
    /** `before` of the next page; null if there are no more. A page holds at most a thousand items, or one ticket. */
    next_before: z.nullable(z.int()),
  }),
})

/**
 * One level's part of its downline's bets, from its own point of view. `share_satang` is its part of the stakes,
 * `win_satang` its part of the wins. `commission_satang` is what it earns from above on stakes it passes on, less the
 * discounts on its own share. total = share − win + commission.
 */
export const levelPart = z.strictObject({
  share_satang: satang,
  win_satang: satang,
  commission_satang: signedSatang,
  total_satang: signedSatang,
})
export type LevelPart = z.output<typeof levelPart>

const summaryRow = z.strictObject({
  /** The report's grouping is set; the others are null. */
  user: z.nullable(
    z.strictObject({
      user_id: z.int(),
      username: z.string(),
      display_name: z.string(),
      level: userLevel,
      /** A member's own credit. */
      credit: shownCredit,
    }),
  ),
  product_code: z.nullable(productCode),
  /** A day yyyy-mm-dd or a month yyyy-mm. */
  day: z.nullable(z.string()),
  period: z.nullable(period),
  /** The members' sums, from their point of view. */
  member: winLoss,
  /** Levels between the members and this one; all 0 if the members are directly below. */
  between: levelPart,
  /** The reported level. All 0 for a member, who has no share. */
  level: levelPart,
  /** All levels above. The totals of member, between, level and upline sum to 0. Its total is what the level passes up. */
  upline: levelPart,
  /**
   * What the users directly below pass up to the level; below 0 if the level owes them. Equals the upline total in the
   * child's own summary. Payments are excluded.
   */
  due_satang: signedSatang,
})
export type SummaryRow = z.output<typeof summaryRow>

/** - `user`: direct downline; a member's report has one row, the member */
export const summaryGroup = z.enum(['user', 'product', 'day', 'month', 'period'])
export type SummaryGroup = z.output<typeof summaryGroup>

const summarySpan = {
  date_from: day,
  /** Included; at most 366 days after the first. */
  date_to: day,
  /** Omit or leave empty for all markets. */
  product_codes: z.optional(z.array(productCode).check(z.maxLength(100))),
  group_by: z.optional(summaryGroup),
  /** A user below the caller. Defaults to the caller; for the office, the company. */
  user_id: z.optional(z.int().check(z.minimum(1))),
}

export const getWinLossSummary = defineRoute({
  ...calls.getWinLossSummary,
  is_specified: true,
  only_reads: true,
  price: 'report',
  access: 'signed_in',
  needs: 'reports.view',
  summary:
    'Win and loss of settled periods by member and by upline columns, grouped by user, market, day, month or period; also what charts are drawn from',
  body: z.strictObject({
    ...summarySpan,
    page: z.optional(z.int().check(z.minimum(0), z.maximum(9_999))),
    /** 15 by default. */
    ipp: z.optional(z.int().check(z.minimum(1), z.maximum(400))),
  }),
  reply: z.strictObject({
    /** The reported user. */
    subject: z.strictObject({ user_id: z.int(), username: z.string(), level: userLevel }),
    /**
     * Users by name, markets in their order, days and periods newest first. Rows without a bet are omitted, except for
     * users.
     */
    rows: z.array(summaryRow),
    row_count: z.int(),
    totals: z.strictObject({
      member: winLoss,
      between: levelPart,
      level: levelPart,
      upline: levelPart,
      due_satang: signedSatang,
    }),
    /** Live tickets of unsettled periods of the same span and markets. */
    pending: winLoss,
    refunded: refundedSums,
  }),
})
export type SummaryBody = z.output<typeof getWinLossSummary.body>
export type WinLossSummary = z.output<typeof getWinLossSummary.reply>

export const exportWinLossSummary = defineRoute({
  ...calls.exportWinLossSummary,
  only_reads: true,
  price: 'export',
  access: 'signed_in',
  needs: 'reports.view',
  summary: 'The same summary as CSV, at most 10,000 rows and the totals; headings in the language of the call',
  body: z.strictObject(summarySpan),
  reply: textFile,
})

// ---- a member's own numbers ----

export const listLuckiestNumbers = defineRoute({
  ...calls.listLuckiestNumbers,
  access: 'member',
  summary: 'The numbers that have won most for the caller so far; they predict nothing',
  query: z.strictObject({ product_code: z.optional(productCodes), ipp: z.optional(queryNumber) }),
  reply: z.array(
    z.strictObject({
      bet_type: betTypeCode,
      number: z.string(),
      /** Winning items with this number. */
      win_count: z.int(),
      win_satang: satang,
    }),
  ),
})
