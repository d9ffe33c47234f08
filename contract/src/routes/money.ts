// Money between people: what each user and its parent owe each other, payments, cash and clearing. On the console every
// amount is in the reader's favour if it is above 0: the other side owes the reader. A payment changes no credit limit.

import * as z from 'zod/mini'
import * as calls from '../calls/money.ts'
import { defineRoute } from '../route.ts'
import { MAX_BULK_ROWS } from '../limits.ts'
import { bulkResult } from './people.ts'
import { type ClearingMove, clearingMoves, clearingStates } from '../payments.ts'
import { STEP_UP_CREDIT_SATANG } from './downline.ts'
import {
  day,
  displayName,
  freeText,
  instant,
  pathId,
  period,
  queryNumber,
  reason,
  requestId,
  signedSatang,
  satang,
  user,
  userLevel,
} from '../wire.ts'

/** A payment may carry a balance past 0 by up to this much; beyond it, two people decide. */
export const MAX_PAST_ZERO_SATANG = 1_000_000
/** Adjustments of an edge on a day above this, together, take two people. */
export const MAX_ADJUSTED_SATANG = 1_000_000
/** The most edges in a week sheet. The reply says how many there are. */
export const MAX_SHEET_ROWS = 5_000

const userId = z.int().check(z.minimum(1), z.maximum(9_007_199_254_740_991))
export const moneyAmount = z.int().check(z.minimum(-10_000_000_000), z.maximum(10_000_000_000))
const note = freeText(1, 200)

export const paymentMethod = z.enum(['cash', 'transfer', 'offset'])
export type PaymentMethod = z.output<typeof paymentMethod>

/** When an edge between agents is due: every Monday, never by itself, or at its settle figure. */
export const clearingTerms = z.enum(['weekly', 'rolling', 'at_figure'])
export type ClearingTerms = z.output<typeof clearingTerms>

const named = z.strictObject({
  user_id: z.int(),
  username: user.shape.username,
  display_name: displayName,
  level: userLevel,
})
export type NamedUser = z.output<typeof named>

/** What a child and its parent owe each other in a week. */
export const edgeWeek = z.strictObject({
  ...named.shape,
  /** Before Monday. */
  forward_satang: signedSatang,
  /** By settled periods of each day, from Monday on. */
  days: z.array(signedSatang).check(z.minLength(7), z.maxLength(7)),
  /** The sum of the days. */
  week_satang: signedSatang,
  /** Received from the child and paid to it in the week; neither is negative unless a reversal exceeds the rest. */
  received_satang: signedSatang,
  paid_satang: signedSatang,
  adjusted_satang: signedSatang,
  /** At the end of the week; of the current week now. */
  balance_satang: signedSatang,
  /** Now, stakes of periods without a result; no part of the balance. */
  open_satang: satang,
  /** The balance, in either direction, at which the edge is due; null if none is set. */
  settle_figure_satang: z.nullable(satang),
  clearing: clearingTerms,
  /** The balance has reached the settle figure. */
  is_over_figure: z.boolean(),
})
export type EdgeWeek = z.output<typeof edgeWeek>

export const getWeekSheet = defineRoute({
  ...calls.getWeekSheet,
  access: 'console',
  needs: 'money.view',
  summary: "What the caller's children owe in a week, by balance; for the office, the company's children",
  query: z.strictObject({
    /** Another user of the caller's downline, whose children are listed. */
    user_id: z.optional(pathId),
    /** A day of the week. Defaults to today. */
    week: z.optional(day),
  }),
  reply: z.array(edgeWeek),
  top_level: z.strictObject({
    /** Whose children are listed. */
    owner: named,
    /** The Monday. */
    week: day,
    is_current: z.boolean(),
    row_count: z.int(),
    sums: z.strictObject({
      /** To collect from how many, and to pay to how many. */
      collect_satang: satang,
      collect_count: z.int(),
      pay_satang: satang,
      pay_count: z.int(),
      received_satang: signedSatang,
      paid_satang: signedSatang,
      /** Collect less pay. */
      net_satang: signedSatang,
      /** What the owner owes its parent at the end of the week, and below 0 what it is owed; null for the company. */
      pass_up_satang: z.nullable(signedSatang),
      /** The owner's own part of the week's settled periods. */
      own_satang: signedSatang,
    }),
  }),
})

export const getEdge = defineRoute({
  ...calls.getEdge,
  access: 'console',
  needs: 'money.view',
  summary: "A user's balance with its parent, from the parent's side, with its credit",
  params: z.strictObject({ user_id: pathId }),
  reply: z.strictObject({
    ...edgeWeek.shape,
    /** Null without `credit.view`. */
    credit_limit_satang: z.nullable(satang),
    credit_remain_satang: z.nullable(signedSatang),
    /** Wins in the week, for a payment of winnings only. */
    won_satang: satang,
    /** Whether the caller may record payments of this user. */
    can_record: z.boolean(),
  }),
})

/** What an agent, or the office for the company, sees first. */
export const moneyHome = z.strictObject({
  week: day,
  collect_satang: satang,
  collect_count: z.int(),
  pay_satang: satang,
  pay_count: z.int(),
  /** Above 0: owed to the parent. Null for the company. */
  pass_up_satang: z.nullable(signedSatang),
  /** The own part of this week's settled periods, and of last week's. */
  own_week_satang: signedSatang,
  own_last_week_satang: signedSatang,
  /** The next periods to close in which the downline has bet. */
  closing: z.array(z.strictObject({ period, ticket_count: z.int(), received_satang: satang })),
  /** Registered in the last seven days. */
  new_members: z.array(z.strictObject({ ...named.shape, created_at: instant })),
  over_figure: z.array(z.strictObject({ ...named.shape, balance_satang: signedSatang })),
  open_dispute_count: z.int(),
  /** Clearing statements of children that wait to be sent or answered, and own ones to be confirmed. */
  clearings_below_count: z.int(),
  clearings_above_count: z.int(),
})
export type MoneyHome = z.output<typeof moneyHome>

export const getMoneyHome = defineRoute({
  ...calls.getMoneyHome,
  price: 'report',
  access: 'console',
  needs: 'money.view',
  summary: 'To collect, to pay, to pass up, own profit, next closes, new members and what is due',
  reply: moneyHome,
})

export const paymentSide = z.optional(z.enum(['below', 'above']))
export const paymentKind = z.optional(z.enum(['received', 'paid', 'adjustment', 'reversal']))

const dayOfPayment = z.enum(['today', 'yesterday'])

export const recordPayments = defineRoute({
  ...calls.recordPayments,
  // A thousand rows with long Thai notes.
  body_bytes: 768 * 1024,
  access: 'console',
  needs: 'money.do',
  step_up: { above: { amount_satang: STEP_UP_CREDIT_SATANG } },
  summary:
    "Records money received from, or paid to, the caller's children, for the office the company's. Outcome per row; sent again with its request_id it returns the same outcome. A balance that changes its sign by more than a limit is refused with approval_needed",
  body: z.strictObject({
    request_id: requestId,
    preview: z.optional(z.boolean()),
    /** Applies to rows without a note. */
    note: z.optional(note),
    rows: z
      .array(
        z.strictObject({
          user_id: userId,
          /** Above 0: received from the user; below 0: paid to it. */
          amount_satang: moneyAmount,
          method: paymentMethod,
          /** Defaults to today. */
          day: z.optional(dayOfPayment),
          note: z.optional(note),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_BULK_ROWS)),
  }),
  reply: bulkResult,
})

export const paymentDispute = z.strictObject({
  note: z.string(),
  raised_at: instant,
  /** Null until the parent has answered. */
  answer: z.nullable(z.string()),
  answered_at: z.nullable(instant),
})

export const payment = z.strictObject({
  payment_id: z.int(),
  /** On the receipt, such as `R000123`. */
  number: z.string(),
  child: named,
  kind: z.enum(['payment', 'adjustment']),
  /** Above 0: received from the child; below 0: paid to it. An adjustment changes the balance without money. */
  amount_satang: signedSatang,
  /** After it: above 0, the child owes. */
  balance_after_satang: signedSatang,
  method: z.nullable(paymentMethod),
  day,
  note: z.nullable(z.string()),
  /** The payment that this one takes back, and the one that takes this one back. */
  reverses_id: z.nullable(z.int()),
  reversed_by_id: z.nullable(z.int()),
  /** Who has the cash, and who recorded it. Null to the child, and to agents if it is a user of the office. */
  holder: z.nullable(z.string()),
  recorded_by: z.nullable(z.string()),
  recorded_at: instant,
  has_slip: z.boolean(),
  dispute: z.nullable(paymentDispute),
})
export type Payment = z.output<typeof payment>

export const adjustBalance = defineRoute({
  ...calls.adjustBalance,
  access: 'console',
  needs: 'money.do',
  step_up: { above: { amount_satang: STEP_UP_CREDIT_SATANG } },
  summary: 'Changes what a child owes without money, with a reason; above a limit two people decide',
  body: z.strictObject({
    request_id: requestId,
    user_id: userId,
    /** Above 0: the child owes less. */
    amount_satang: moneyAmount,
    reason,
  }),
  reply: payment,
})

export const reversePayment = defineRoute({
  ...calls.reversePayment,
  access: 'console',
  needs: 'money.do',
  summary: 'Takes back a payment or adjustment by a reversal: own ones of the same day; others take two people',
  body: z.strictObject({ request_id: requestId, payment_id: userId, reason }),
  reply: payment,
})

export const listPayments = defineRoute({
  ...calls.listPayments,
  price: 'report',
  access: 'console',
  needs: 'money.view',
  summary: 'Payments, adjustments and reversals between the caller and its children or its parent, newest first',
  query: z.strictObject({
    /** Only of this child. */
    user_id: z.optional(pathId),
    /** `above`: between the caller and its parent. Defaults to `below`. */
    side: paymentSide,
    date_from: z.optional(day),
    date_to: z.optional(day),
    kind: paymentKind,
    method: z.optional(paymentMethod),
    /** Part of the child's username or name. */
    search: z.optional(freeText(1, 100)),
    /** Only with a dispute that waits for an answer. */
    is_disputed: z.optional(z.enum(['true'])),
    /** Cursor: only payments before this one. */
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(payment),
  top_level: z.strictObject({
    /** Over all pages. */
    total_count: z.int(),
    received_satang: signedSatang,
    paid_satang: signedSatang,
    adjusted_satang: signedSatang,
  }),
})

export const getPayment = defineRoute({
  ...calls.getPayment,
  access: 'signed_in',
  needs: 'money.view',
  summary: 'A payment, for its receipt: to both sides',
  params: z.strictObject({ payment_id: pathId }),
  reply: payment,
})

export const addPaymentSlip = defineRoute({
  ...calls.addPaymentSlip,
  body_bytes: 560 * 1024,
  access: 'console',
  needs: 'money.do',
  summary: 'Adds the photo of a transfer slip to a payment that the caller recorded, once',
  params: z.strictObject({ payment_id: pathId }),
  body: z.strictObject({
    content_type: z.enum(['image/jpeg', 'image/png', 'image/webp']),
    /** In base64. */
    image: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/), z.maxLength(540_000)),
  }),
  reply: z.null(),
})

export const getPaymentSlip = defineRoute({
  ...calls.getPaymentSlip,
  access: 'signed_in',
  needs: 'money.view',
  summary: 'The photo of the transfer slip, in base64; null if there is none',
  params: z.strictObject({ payment_id: pathId }),
  reply: z.nullable(z.strictObject({ content_type: z.string(), image: z.string() })),
})

export const disputePayment = defineRoute({
  ...calls.disputePayment,
  access: 'signed_in',
  needs: 'money.do',
  summary: 'The child disputes a payment of the last 60 days; its parent answers',
  params: z.strictObject({ payment_id: pathId }),
  body: z.strictObject({ note }),
  reply: payment,
})

export const answerDispute = defineRoute({
  ...calls.answerDispute,
  access: 'console',
  needs: 'money.do',
  summary: 'Answers the dispute of a child, which ends it',
  params: z.strictObject({ payment_id: pathId }),
  body: z.strictObject({ answer: note }),
  reply: payment,
})

export const setEdgeTerms = defineRoute({
  ...calls.setEdgeTerms,
  access: 'console',
  needs: 'money.do',
  summary: 'Sets the settle figure of a child, and when its balance is due',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({
    settle_figure_satang: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000_000))),
    clearing: clearingTerms,
    reason: z.optional(reason),
  }),
  reply: z.null(),
})

/** Cash of a holder on a day: the principal, or who collects for it. */
export const cashDay = z.strictObject({
  holder: z.strictObject({
    user_id: z.int(),
    username: z.string(),
    display_name: z.string(),
    is_principal: z.boolean(),
  }),
  forward_satang: signedSatang,
  received_satang: signedSatang,
  received_count: z.int(),
  paid_satang: signedSatang,
  paid_count: z.int(),
  /** Paid to the parent, less what came from it; only for the principal. */
  passed_up_satang: signedSatang,
  /** From other holders, less what was handed to them. */
  handed_in_satang: signedSatang,
  /** Found too much, or missing, when the cash was counted. */
  difference_satang: signedSatang,
  on_hand_satang: signedSatang,
  /** Transfers of the day, which are no cash. */
  transferred_in_satang: signedSatang,
  transferred_out_satang: signedSatang,
  /** The last count of the day. */
  counted: z.nullable(
    z.strictObject({
      expected_satang: signedSatang,
      counted_satang: satang,
      note: z.nullable(z.string()),
      at: instant,
    }),
  ),
})
export type CashDay = z.output<typeof cashDay>

export const getCashBook = defineRoute({
  ...calls.getCashBook,
  access: 'console',
  needs: 'money.view',
  summary: "The cash of a day, by holder: the caller's own and its collectors'; a collector sees its own",
  query: z.strictObject({ day: z.optional(day) }),
  reply: z.array(cashDay),
  top_level: z.strictObject({ day }),
})

export const countCash = defineRoute({
  ...calls.countCash,
  access: 'console',
  needs: 'money.do',
  summary: "Records the counted cash of the caller, or of an agent's collector; a difference is kept, with today's day",
  body: z.strictObject({
    request_id: requestId,
    holder_id: userId,
    counted_satang: z.int().check(z.minimum(0), z.maximum(1_000_000_000_000)),
    /** What the screen showed; refused with cash_changed if it is another amount by now. */
    expected_satang: z.int(),
    note: z.optional(note),
  }),
  reply: cashDay,
})

export const handOverCash = defineRoute({
  ...calls.handOverCash,
  access: 'console',
  needs: 'money.do',
  summary:
    'Records cash that the caller has taken over from another holder, or that holders of its line have handed over. Not more than the giver has on hand',
  body: z.strictObject({
    request_id: requestId,
    from_id: userId,
    to_id: userId,
    amount_satang: z.int().check(z.minimum(1), z.maximum(1_000_000_000_000)),
    note: z.optional(note),
  }),
  reply: cashDay,
})

const clearingState = z.enum(clearingStates)

const clearingShape = {
  clearing_id: z.int(),
  child: named,
  /** Null to the child. */
  parent_username: z.nullable(z.string()),
  /** The reader is the parent, or the child. */
  side: z.enum(['below', 'above']),
  week: day,
  state: clearingState,
  forward_satang: signedSatang,
  /** Sums of the lines: the parts passed up. */
  received_satang: signedSatang,
  /** In proportion to the part of the stakes that was passed up; exact together with the commission. */
  discount_satang: signedSatang,
  commission_satang: signedSatang,
  win_satang: signedSatang,
  /** Received less discount, commission and wins, in the reader's favour. */
  due_satang: signedSatang,
  corrected_satang: signedSatang,
  /** Payments and adjustments, in the reader's favour. */
  payments_satang: signedSatang,
  adjusted_satang: signedSatang,
  carried_satang: signedSatang,
  /** Whether the carried amount is to be paid now, by the clearing terms of the edge; otherwise it is carried forward. */
  is_due: z.boolean(),
  made_at: instant,
  changed_at: instant,
  disputed_line: z.nullable(z.int()),
  dispute_note: z.nullable(z.string()),
}
export const clearing = z.strictObject(clearingShape)
export type Clearing = z.output<typeof clearing>

export const listClearings = defineRoute({
  ...calls.listClearings,
  access: 'console',
  needs: 'money.view',
  summary: "Clearing statements with the caller's children, or with its parent, newest week first",
  query: z.strictObject({
    side: z.optional(z.enum(['below', 'above'])),
    user_id: z.optional(pathId),
    week: z.optional(day),
    state: z.optional(clearingState),
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(clearing),
  top_level: z.strictObject({ total_count: z.int() }),
})

export const getClearing = defineRoute({
  ...calls.getClearing,
  access: 'console',
  needs: 'money.view',
  summary: 'A clearing statement with its lines, to both sides',
  params: z.strictObject({ clearing_id: pathId }),
  reply: z.strictObject({
    ...clearingShape,
    lines: z.array(
      z.strictObject({
        line_no: z.int(),
        kind: z.enum(['period', 'correction', 'payment', 'adjustment']),
        period: z.nullable(period),
        payment_number: z.nullable(z.string()),
        day,
        method: z.nullable(paymentMethod),
        received_satang: signedSatang,
        discount_satang: signedSatang,
        commission_satang: signedSatang,
        win_satang: signedSatang,
        /** In the reader's favour. */
        change_satang: signedSatang,
      }),
    ),
  }),
})
export type ClearingWithLines = z.output<typeof getClearing.reply>

export const changeClearing = defineRoute({
  ...calls.changeClearing,
  access: 'console',
  needs: 'money.do',
  summary:
    'Moves a clearing statement on: the parent sends, marks paid and closes it; the child confirms or disputes it, naming a line',
  params: z.strictObject({ clearing_id: pathId }),
  body: z.strictObject({
    to: z.enum(Object.keys(clearingMoves) as [ClearingMove, ...ClearingMove[]]),
    /** Of a dispute. */
    line_no: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
    note: z.optional(note),
  }),
  reply: clearing,
})

/** What a member and its agent owe each other. Amounts are in the member's favour if above 0. */
export const ownMoney = z.strictObject({
  week: day,
  forward_satang: signedSatang,
  week_satang: signedSatang,
  /** Paid by the member, and paid out to it, this week. */
  given_satang: signedSatang,
  got_satang: signedSatang,
  adjusted_satang: signedSatang,
  /** Above 0: the agent owes the member. */
  balance_satang: signedSatang,
  open_satang: satang,
  /** The last 50, newest first; amounts above 0 were paid by the member. */
  payments: z.array(payment),
})
export type OwnMoney = z.output<typeof ownMoney>

export const getOwnMoney = defineRoute({
  ...calls.getOwnMoney,
  access: 'member',
  summary: "The caller's balance with its agent, this week and the payments",
  reply: ownMoney,
})
