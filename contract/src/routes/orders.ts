// Tickets (orders): placing, finding, listing and changing them.

import { type BetTypeCode, orderStatuses } from '@megalot/rules'
import * as z from 'zod/mini'
import { placingSteps } from '../refusals.ts'
import * as calls from '../calls/orders.ts'
import { defineRoute } from '../route.ts'
import {
  betTypeCode,
  day,
  freeText,
  instant,
  orderStatus,
  packageCode,
  pageNumber,
  pathId,
  period,
  periodCode,
  productCode,
  queryNumber,
  reason,
  requestId,
  satang,
  username,
} from '../wire.ts'

export const orderItemStatus = z.enum([
  'wait_confirm',
  'awaiting_result',
  'won',
  'lost',
  'returned',
  'closed',
  'refunded',
])

export const orderItem = z.strictObject({
  line_no: z.int(),
  bet_type: betTypeCode,
  number: z.string(),
  /** What the member requested. `bet_satang` becomes 0 when the item is returned. */
  asked_satang: satang,
  bet_satang: satang,
  /** The accepted part of the bet. */
  received_satang: satang,
  /** Payout per stake in hundredths, when the bet was accepted. */
  rate: z.int(),
  /** The rate that the member saw when sending the ticket. */
  rate_seen: z.int(),
  /** Discount in hundredths of a percent, when the bet was accepted. */
  discount_rate: z.int(),
  discount_satang: satang,
  net_satang: satang,
  is_half_pay: z.boolean(),
  /** Nothing was accepted: the number was closed or full. */
  is_closed: z.boolean(),
  status: orderItemStatus,
  /** 0 until the period is settled. */
  win_satang: satang,
})
export type OrderItem = z.output<typeof orderItem>
export type OrderItemStatus = z.output<typeof orderItemStatus>

export const orderStep = z.strictObject({
  step: z.enum(placingSteps),
  at: instant,
})

/** Why a ticket has a tag beside its status: it needs or needed the member's confirmation. */
export const confirmTag = z.enum(['manually_confirm', 'exceed_30_minutes', 'period_closed'])

export const orderEvent = z.strictObject({
  at: instant,
  /** What happened to the ticket or its period. `settle`: a result was paid. `correct`: a corrected result was paid. */
  event: z.enum([
    'confirm',
    'expire',
    'return_all',
    'cancel',
    'delete',
    'void_request',
    'void',
    'period_void',
    'settle',
    'correct',
  ]),
  from_status: orderStatus,
  to_status: orderStatus,
  /** Null for the system, and for the office if the caller is not of it. */
  actor: z.nullable(z.string()),
  /** Whether an office user did it. */
  is_by_office: z.boolean(),
  reason: z.nullable(z.string()),
})
export type OrderEventRow = z.output<typeof orderEvent>

const orderHead = {
  /** The specification's name for `order_id`. */
  id: z.int(),
  order_id: z.int(),
  request_id: requestId,
  /** The specification's name for `period`. */
  period_code: periodCode,
  username: z.string(),
  package_code: packageCode,
  status: orderStatus,
  note: z.string(),
  item_count: z.int(),
  bet_satang: satang,
  received_satang: satang,
  discount_satang: satang,
  net_satang: satang,
  win_satang: satang,
  created_at: instant,
  /** Until when the member may confirm or return the accepted part; null if no confirmation was needed. */
  confirm_deadline_at: z.nullable(instant),
  tag: z.nullable(confirmTag),
  /** Who cancelled or deleted it; null if it was not, and for the office if the caller is not of it. */
  cancelled_by: z.nullable(z.string()),
  is_cancelled_by_office: z.boolean(),
  period,
}

/** A ticket without its items, as lists show it. */
export const orderSummary = z.strictObject(orderHead)
export type OrderSummary = z.output<typeof orderSummary>

/** The most items that a ticket in a list shows. */
export const SHOWN_ITEMS = 6

/** An item of a ticket in a list. */
export const shownItem = z.strictObject({
  bet_type: betTypeCode,
  number: z.string(),
  asked_satang: satang,
  received_satang: satang,
  status: orderItemStatus,
  /** 0 until the period is settled. */
  win_satang: satang,
  /** Whether the list's `search` names this bet. */
  is_found: z.boolean(),
})
export type ShownItem = z.output<typeof shownItem>

/** A ticket in a list. */
export const listedOrder = z.strictObject({
  ...orderHead,
  /** At most `SHOWN_ITEMS`: what was searched for first, then what has won, then in the ticket's order. */
  shown_items: z.array(shownItem),
})
export type ListedOrder = z.output<typeof listedOrder>

export const order = z.strictObject({
  ...orderHead,
  steps: z.array(orderStep),
  events: z.array(orderEvent),
  items: z.array(orderItem),
  /**
   * The discount that the member saw, if it differed from the terms' discount for the requested items. Otherwise null,
   * also if the request named none.
   */
  discount_seen_satang: z.nullable(satang),
  /**
   * Items of a waiting ticket that need the member's confirmation: less was accepted than requested, or at a lower rate
   * than the member saw. All items, if the ticket has less discount than the member saw. Otherwise empty.
   */
  confirmList: z.array(orderItem),
})
export type Order = z.output<typeof order>

/**
 * - `ask`: the ticket needs confirmation after any change, even a better rate or a higher discount
 * - `accept_if_not_worse`: it needs confirmation if less is accepted, or the rate or the discount is lower
 * - `accept`: it is confirmed whatever is accepted
 */
export const onChange = z.enum(['ask', 'accept', 'accept_if_not_worse'])
export type OnChange = z.output<typeof onChange>

export const placeOrder = defineRoute({
  ...calls.placeOrder,
  is_specified: true,
  body_bytes: 512 * 1024,
  // A caller who has spent its reads can still bet.
  price: 'free',
  access: 'member',
  verifies_session_in_transaction: true,
  summary:
    'Places a ticket. The same request_id with the same content answers with the same ticket, however often it is sent',
  body: z.strictObject({
    request_id: requestId,
    period_code: periodCode,
    package_code: packageCode,
    note: z.optional(freeText(0, 200)),
    /**
     * What to do if the accepted amount, rate or discount differs from what the member saw. Defaults to
     * `DEFAULT_ON_CHANGE`.
     */
    on_change: z.optional(onChange),
    /**
     * The discount that the member saw for all requested items. Only compared with the terms in force, never used for
     * payment. Omit to skip the comparison.
     */
    discount_satang: z.optional(satang),
    // The schema checks only the form of digits and amounts; the rules validate them and report what is wrong.
    items: z
      .array(
        z.strictObject({
          bet_type: betTypeCode,
          number: z.string().check(z.maxLength(10)),
          /** In satang; the rules accept whole Baht only. */
          bet_satang: z.number(),
          /** The rate that the member saw. Only compared with the rate in force, never used for payment. */
          rate: z.int().check(z.minimum(0), z.maximum(10_000_000)),
        }),
      )
      .check(z.maxLength(2_000)),
  }),
  reply: order,
})
export type PlaceOrderBody = z.output<typeof placeOrder.body>

/** An entry of `rates` in the details of `rate_changed`, in hundredths. */
export interface RateChange {
  bet_type: BetTypeCode
  /** The rate in the request, which the package never offered in this period. */
  rate_seen: number
  /** The rate in force. */
  rate: number
}

/** An entry of `problems` in the details of `numbers_closed`. */
export interface ClosedLine {
  code: 'number_closed'
  /** Index of the item in the request. */
  lines: readonly [number]
}

/**
 * `discount` in the details of `rate_changed`: the discount that the member saw and the one in force, for all requested
 * items.
 */
export interface DiscountChange {
  /** The discount in the request. */
  discount_seen_satang: number
  /** The discount in force. */
  discount_satang: number
}

export const getOrder = defineRoute({
  ...calls.getOrder,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary: "One ticket with its items, for its owner and the owner's uplines",
  params: z.strictObject({ order_id: pathId }),
  reply: order,
})

export const findOrderByRequestId = defineRoute({
  ...calls.findOrderByRequestId,
  is_specified: true,
  access: 'member',
  summary: "The caller's own ticket with that request_id, to look up a lost reply",
  params: z.strictObject({ request_id: requestId }),
  reply: order,
})

const pageQuery = { page: z.optional(pageNumber), ipp: z.optional(queryNumber) }
/** Fields of the specification without effect here: tickets always include their period, in the newest form. */
const noEffect = { with_period: z.optional(z.string()), v: z.optional(z.string()) }

export const listPeriodOrders = defineRoute({
  ...calls.listPeriodOrders,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary:
    "Tickets of one period or of all, newest first: a member's own, an upline's downline's, all for the office. The pages reach 10,000 tickets, and 1,000 of several members; `listOrders` goes on",
  query: z.strictObject({ period_code: z.optional(periodCode), ...pageQuery, ...noEffect }),
  reply: z.array(listedOrder),
})

export const listPeriodOrdersFirstForm = defineRoute({
  ...calls.listPeriodOrdersFirstForm,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary: 'The older form of the same list',
  query: z.strictObject({ period_code: z.optional(periodCode), ...pageQuery }),
  reply: z.array(listedOrder),
})

/**
 * Cursor: only tickets before this one. `page` is then ignored. Pages reach up to 10,000 tickets, or 1,000 for several
 * members.
 */
const cursorQuery = { before: z.optional(pathId), ...pageQuery }
const listEnd = z.strictObject({
  /**
   * `before` of the next page; null if there are no more. A page may hold fewer tickets than requested, or none, if
   * matches are rare.
   */
  next_before: z.nullable(z.int()),
})

const queryInstant = z.iso.datetime().check(z.regex(/^(19|2\d)/))
const queryAmount = z.string().check(z.regex(/^\d{1,15}$/))
// Pure, so that the web's build leaves it out with the schemas.
const statusPattern = /* @__PURE__ */ (() => orderStatuses.join('|'))()

export const listOrders = defineRoute({
  ...calls.listOrders,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary:
    "Tickets, newest first: a member's own, an upline's downline's, all for the office; every part of the query narrows the list",
  query: z.strictObject({
    period_code: z.optional(periodCode),
    product_code: z.optional(productCode),
    /** One or more statuses, separated by commas. */
    status: z.optional(
      z.string().check(z.regex(new RegExp(`^(${statusPattern})(,(${statusPattern}))*$`)), z.maxLength(200)),
    ),
    /** Days of placing, in Asia/Bangkok, both included. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    order_id: z.optional(pathId),
    /** The owner of the tickets, for callers who see more than their own. */
    username: z.optional(username),
    /** Instants of placing: the first included, the second excluded. */
    placed_from: z.optional(queryInstant),
    placed_to: z.optional(queryInstant),
    /** Bet amount, both included. */
    bet_from_satang: z.optional(queryAmount),
    bet_to_satang: z.optional(queryAmount),
    /** The owner's network address when the ticket was placed. Console only, with `people.view`. */
    address: z.optional(z.string().check(z.regex(/^[\dA-Fa-f.:]{2,60}$/))),
    /**
     * A ticket id (a `#` before it is allowed), part of a note, or a number (1 to 3 digits; rolls in any order). For
     * callers who see more than their own tickets also a member's full username or a period's full code, unless the
     * query already filters by it.
     */
    search: z.optional(freeText(1, 200)),
    ...noEffect,
    ...cursorQuery,
  }),
  reply: z.array(listedOrder),
  top_level: listEnd,
})
export type OrderQuery = z.output<typeof listOrders.query>

export const listDeletedOrders = defineRoute({
  ...calls.listDeletedOrders,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary: 'Deleted tickets of the caller and its downline, newest first',
  query: z.strictObject({
    product_code: z.optional(productCode),
    /** Days of placing, in Asia/Bangkok, both included. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    order_id: z.optional(pathId),
    username: z.optional(username),
    search: z.optional(freeText(1, 200)),
    ...cursorQuery,
  }),
  reply: z.array(listedOrder),
  top_level: listEnd,
})

export const getOrderStatus = defineRoute({
  ...calls.getOrderStatus,
  is_specified: true,
  access: 'signed_in',
  needs: 'tickets.view',
  summary: 'The state of a ticket: its status, the three steps with their times, and later events',
  params: z.strictObject({ order_id: pathId }),
  reply: z.strictObject({
    order_id: z.int(),
    status: orderStatus,
    steps: z.array(orderStep),
    confirm_deadline_at: z.nullable(instant),
    tag: z.nullable(confirmTag),
    events: z.array(orderEvent),
  }),
})

export const confirmOrder = defineRoute({
  ...calls.confirmOrder,
  is_specified: true,
  // Room for the largest allowed ticket, as it is shown.
  body_bytes: 768 * 1024,
  price: 'free',
  access: 'member',
  summary:
    "The member's answer on a waiting ticket. An item with bet 0 is returned; one with its bet or its received amount is confirmed, as are items not named. Items of the ticket may be sent as it shows them. All returned cancels the ticket",
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({
    items: z
      .array(
        z.strictObject({
          line_no: z.int().check(z.minimum(1)),
          bet_satang: satang,
          /** Compared with the received amount, never used for payment. */
          received_satang: z.optional(satang),
        }),
      )
      .check(z.maxLength(2_000)),
  }),
  reply: order,
})

export const cancelOrder = defineRoute({
  ...calls.cancelOrder,
  is_specified: true,
  price: 'free',
  access: 'member',
  summary:
    "Cancels the caller's own ticket and refunds it; the body is the ticket as the member saw it, of which id and status are compared",
  // Room for the largest allowed ticket. While waiting it lists the items that need confirmation twice.
  body_bytes: 1536 * 1024,
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ id: z.optional(z.int()), order_id: z.optional(z.int()), status: orderStatus }),
  reply: order,
})

export const deleteOrder = defineRoute({
  ...calls.deleteOrder,
  // Requires the console: the stake is refunded and the record is kept for ever.
  access: 'console',
  needs: 'tickets.do',
  summary: 'Deletes and refunds a ticket before the close, by an upline of its owner or the office; it stays visible',
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ reason }),
  reply: order,
})
