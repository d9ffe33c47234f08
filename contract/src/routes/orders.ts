// Tickets (orders): placing, finding and listing them, and changes after placing.

import { type BetTypeCode, orderStatuses } from '@megalot/rules'
import * as z from 'zod/mini'
import { placingSteps } from '../refusals.ts'
import { type DataOf, defineRoute } from '../route.ts'
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
  voidRequestId,
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
  /** What the member requested; `bet_satang` becomes 0 when the item is returned. */
  asked_satang: satang,
  bet_satang: satang,
  /** What the house accepted of the bet. */
  received_satang: satang,
  /** Payout per stake in hundredths, as it was when the bet was accepted. */
  rate: z.int(),
  /** The rate the member saw when the ticket was sent. */
  rate_seen: z.int(),
  /** Discount in hundredths of a percent, as it was when the bet was accepted. */
  discount_rate: z.int(),
  discount_satang: satang,
  net_satang: satang,
  is_half_pay: z.boolean(),
  /** The house accepted nothing of it: the number was closed or full. */
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

/** Why a ticket shows a mark beside its status: it waits or waited for the member's confirmation. */
export const confirmTag = z.enum(['manually_confirm', 'exceed_30_minutes', 'period_closed'])

export const orderEvent = z.strictObject({
  at: instant,
  /** What was done to the ticket, or to its period: `settle` and `correct` are its result and a corrected one, once they are paid. */
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
  /** Who did it; null: the system itself, or the office for whoever is not of it. */
  actor: z.nullable(z.string()),
  /** Whether the office did it. */
  is_by_office: z.boolean(),
  reason: z.nullable(z.string()),
})
export type OrderEventRow = z.output<typeof orderEvent>

const orderHead = {
  /** `order_id` under the name of the specification. */
  id: z.int(),
  order_id: z.int(),
  request_id: requestId,
  /** `period` under the name of the specification. */
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
  /**
   * Until when the member may still confirm or return what the house accepted; null where no confirmation was needed.
   */
  confirm_deadline_at: z.nullable(instant),
  tag: z.nullable(confirmTag),
  /** Who cancelled or deleted it; null: nobody, or the office for whoever is not of it. */
  cancelled_by: z.nullable(z.string()),
  is_cancelled_by_office: z.boolean(),
  period,
}

/** A ticket without its items, as lists show it. */
export const orderSummary = z.strictObject(orderHead)
export type OrderSummary = z.output<typeof orderSummary>

export const order = z.strictObject({
  ...orderHead,
  steps: z.array(orderStep),
  events: z.array(orderEvent),
  items: z.array(orderItem),
  /**
   * The discount that the member saw, where the terms gave another one for the lines as they were asked; else null, also
   * where the request named none.
   */
  discount_seen_satang: z.nullable(satang),
  /**
   * The items of a waiting ticket that need the member's answer: less was received than requested, or at a lower rate
   * than the member saw; all of them where the ticket has less discount than the member saw. Empty otherwise.
   */
  confirmList: z.array(orderItem),
})
export type Order = z.output<typeof order>

/**
 * - `ask`: the ticket waits for the member at any difference, a better rate or more discount too
 * - `accept_if_not_worse`: it waits where less is accepted, the rate is lower or there is less discount
 * - `accept`: it is confirmed, whatever the house accepts
 */
export const onChange = z.enum(['ask', 'accept', 'accept_if_not_worse'])
export type OnChange = z.output<typeof onChange>
/** The default where a ticket names no choice. */
export const DEFAULT_ON_CHANGE: OnChange = 'accept_if_not_worse'

export const placeOrder = defineRoute({
  name: 'placeOrder',
  is_specified: true,
  body_bytes: 512 * 1024,
  method: 'POST',
  path: '/api/order/create',
  // Whoever has spent its reads still bets.
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
     * What to do where the house accepts less, or at another rate or discount, than the member saw. Absent:
     * `DEFAULT_ON_CHANGE`.
     */
    on_change: z.optional(onChange),
    /**
     * The discount that the member saw for all lines as they are asked: compared with that of the terms in force, never
     * used to pay. Absent: discounts are not compared.
     */
    discount_satang: z.optional(satang),
    // Digits and amounts are checked by the rules, which report what is wrong; the schema checks only their form.
    items: z
      .array(
        z.strictObject({
          bet_type: betTypeCode,
          number: z.string().check(z.maxLength(10)),
          /** In satang; the rules accept whole Baht only. */
          bet_satang: z.number(),
          /** The rate that the member saw: compared with the rate in force, never used to pay. */
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
  /** The rate of the request; the package never offered it in this period. */
  rate_seen: number
  /** The rate in force. */
  rate: number
}

/** An entry of `problems` in the details of `numbers_closed`. */
export interface ClosedLine {
  code: 'number_closed'
  /** The index of the line in the items of the request. */
  lines: readonly [number]
}

/** The discount that a member saw and the one in force, of all lines as they are asked. In the details of `rate_changed` as `discount`. */
export interface DiscountChange {
  /** The discount of the request. */
  discount_seen_satang: number
  /** The discount in force. */
  discount_satang: number
}

export const getOrder = defineRoute({
  name: 'getOrder',
  is_specified: true,
  method: 'GET',
  path: '/api/order/:order_id',
  access: 'signed_in',
  needs: 'tickets.view',
  summary: "One ticket with its items, for its owner and the owner's uplines",
  params: z.strictObject({ order_id: pathId }),
  reply: order,
})

export const findOrderByRequestId = defineRoute({
  name: 'findOrderByRequestId',
  is_specified: true,
  method: 'GET',
  path: '/api/order/request_id/:request_id',
  access: 'member',
  summary: "The caller's own ticket of that request_id: what became of a call whose reply was lost",
  params: z.strictObject({ request_id: requestId }),
  reply: order,
})

const pageQuery = { page: z.optional(pageNumber), ipp: z.optional(queryNumber) }
/** Names of the specification: every ticket comes with its period, and in the newest form. */
const noEffect = { with_period: z.optional(z.string()), v: z.optional(z.string()) }

export const listPeriodOrders = defineRoute({
  name: 'listPeriodOrders',
  is_specified: true,
  method: 'GET',
  path: '/api/order/period',
  access: 'signed_in',
  needs: 'tickets.view',
  summary:
    "Tickets of one period or of all, newest first: a member's own, an upline's downline's, all for the office. The pages reach 10,000 tickets, and 1,000 of several members; `listOrders` goes on",
  query: z.strictObject({ period_code: z.optional(periodCode), ...pageQuery, ...noEffect }),
  reply: z.array(orderSummary),
})

export const listPeriodOrdersFirstForm = defineRoute({
  name: 'listPeriodOrdersFirstForm',
  is_specified: true,
  method: 'GET',
  path: '/api/order',
  access: 'signed_in',
  needs: 'tickets.view',
  summary: 'The older form of the same list',
  query: z.strictObject({ period_code: z.optional(periodCode), ...pageQuery }),
  reply: z.array(orderSummary),
})

/**
 * For an endless list: only tickets before this one. `page` is ignored then; with `page` a full page is returned, as far as the pages
 * reach: 10,000 tickets, and 1,000 of several members.
 */
const cursorQuery = { before: z.optional(pathId), ...pageQuery }
const listEnd = z.strictObject({
  /**
   * `before` of the next part; null: there are no more. A part may hold fewer tickets than requested, or none, where
   * matching tickets are rare: the next part continues where it ended.
   */
  next_before: z.nullable(z.int()),
})

const queryInstant = z.iso.datetime().check(z.regex(/^(19|2\d)/))
const queryAmount = z.string().check(z.regex(/^\d{1,15}$/))
const statusPattern = orderStatuses.join('|')

export const listOrders = defineRoute({
  name: 'listOrders',
  is_specified: true,
  method: 'GET',
  path: '/api/order/list',
  access: 'signed_in',
  needs: 'tickets.view',
  summary:
    "Tickets, newest first: a member's own, an upline's downline's, all for the office; every part of the query narrows the list",
  query: z.strictObject({
    period_code: z.optional(periodCode),
    product_code: z.optional(productCode),
    /** One status, or several with commas between. */
    status: z.optional(
      z.string().check(z.regex(new RegExp(`^(${statusPattern})(,(${statusPattern}))*$`)), z.maxLength(200)),
    ),
    /** The days on which tickets were placed, in Asia/Bangkok, both included. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    order_id: z.optional(pathId),
    /** The owner of the tickets, for callers who see more than their own. */
    username: z.optional(username),
    /** Instants: placed at or after the first, before the second. */
    placed_from: z.optional(queryInstant),
    placed_to: z.optional(queryInstant),
    /** The amount that was bet, both included. */
    bet_from_satang: z.optional(queryAmount),
    bet_to_satang: z.optional(queryAmount),
    /** The network address from which the owner was logged in when the ticket was placed. In the console with `people.view`. */
    address: z.optional(z.string().check(z.regex(/^[\dA-Fa-f.:]{2,60}$/))),
    /**
     * A ticket id (alone also with `#` before it), a part of a note, or a number that was bet on (1 to 3 digits; rolls
     * in any order of them). For callers who see more than their own also the whole username of a member or the whole
     * code of a period, unless the query names these.
     */
    search: z.optional(freeText(1, 200)),
    ...noEffect,
    ...cursorQuery,
  }),
  reply: z.array(orderSummary),
  top_level: listEnd,
})
export type OrderQuery = z.output<typeof listOrders.query>

export const listDeletedOrders = defineRoute({
  name: 'listDeletedOrders',
  is_specified: true,
  method: 'GET',
  path: '/api/bill/listDeletedBills',
  access: 'signed_in',
  needs: 'tickets.view',
  summary: 'Deleted tickets of the caller and its downline, newest first',
  query: z.strictObject({
    product_code: z.optional(productCode),
    /** The days on which tickets were placed, in Asia/Bangkok, both included. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    order_id: z.optional(pathId),
    username: z.optional(username),
    search: z.optional(freeText(1, 200)),
    ...cursorQuery,
  }),
  reply: z.array(orderSummary),
  top_level: listEnd,
})

export const getOrderStatus = defineRoute({
  name: 'getOrderStatus',
  is_specified: true,
  method: 'GET',
  path: '/api/order/status/:order_id',
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
  name: 'confirmOrder',
  is_specified: true,
  // The items of the ticket with the most items allowed, as it shows them.
  body_bytes: 768 * 1024,
  method: 'POST',
  path: '/api/order/:order_id/confirm',
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
          /** Compared with the amount that was received, never used. */
          received_satang: z.optional(satang),
        }),
      )
      .check(z.maxLength(2_000)),
  }),
  reply: order,
})

export const cancelOrder = defineRoute({
  name: 'cancelOrder',
  is_specified: true,
  method: 'POST',
  path: '/api/order/:order_id/cancel',
  price: 'free',
  access: 'member',
  summary:
    "Cancels the caller's own ticket and refunds it; the body is the ticket as the member saw it, of which id and status are compared",
  // The size of a ticket with the most items allowed, as it is shown: while it waits, with those twice that need an answer.
  body_bytes: 1536 * 1024,
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ id: z.optional(z.int()), order_id: z.optional(z.int()), status: orderStatus }),
  reply: order,
})

export const deleteOrder = defineRoute({
  name: 'deleteOrder',
  method: 'POST',
  path: '/api/order/:order_id/delete',
  // Its money goes back, and what it leaves is kept for ever.
  access: 'console',
  needs: 'tickets.do',
  summary: 'Deletes and refunds a ticket before the close, by an upline of its owner or the office; it stays visible',
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ reason }),
  reply: order,
})

export const voidOrder = defineRoute({
  name: 'voidOrder',
  method: 'POST',
  path: '/api/order/:order_id/void',
  access: 'office',
  needs: 'tickets.do',
  step_up: true,
  summary:
    'Voids and refunds a ticket after the close: the first office user asks, a different one approves within 24 hours. `approves` is the void_request_id of what was seen: with it the call asks for nothing, and is refused with no_void_request unless that request waits; without it, where somebody else has asked, with void_requested',
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ reason, approves: z.optional(voidRequestId) }),
  reply: z.strictObject({
    order_id: z.int(),
    state: z.enum(['requested', 'voided']),
    /** Of the request that was made or approved. */
    void_request_id: voidRequestId,
  }),
})

export const endVoidRequest = defineRoute({
  name: 'endVoidRequest',
  method: 'POST',
  path: '/api/order/:order_id/void/end',
  access: 'office',
  needs: 'tickets.do',
  step_up: true,
  summary:
    'Ends a request to void a ticket, which stays as it is: whoever asked withdraws it, another office user rejects it. Unless the request that was seen waits: no_void_request',
  params: z.strictObject({ order_id: pathId }),
  body: z.strictObject({ reason, void_request_id: voidRequestId }),
  reply: z.strictObject({ order_id: z.int(), state: z.enum(['rejected', 'withdrawn']) }),
})

export const listVoidRequests = defineRoute({
  name: 'listVoidRequests',
  method: 'GET',
  path: '/api/order/void_requests',
  access: 'office',
  needs: 'tickets.view',
  summary:
    'Open void requests for tickets: one office user has asked, a second one has not approved yet. Oldest first; at most 500',
  reply: z.array(
    z.strictObject({
      void_request_id: voidRequestId,
      order: orderSummary,
      /** Username of the user who requested it; another user has to approve the void. */
      requested_by: username,
      requested_at: instant,
      reason: z.string(),
    }),
  ),
})
export type VoidRequest = DataOf<typeof listVoidRequests>[number]
