// Tickets (orders): placing, finding and listing them.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import {
  betTypeCode,
  freeText,
  instant,
  orderStatus,
  packageCode,
  pathId,
  period,
  periodCode,
  queryNumber,
  requestId,
  satang,
} from '../wire.ts'

export const orderItemStatus = z.enum(['awaiting_result', 'won', 'lost', 'returned', 'refunded'])

export const orderItem = z.strictObject({
  line_no: z.int(),
  bet_type: betTypeCode,
  number: z.string(),
  bet_satang: satang,
  /** What the house took of the bet. */
  received_satang: satang,
  /** Payout per stake in hundredths, as it was when the bet was accepted. */
  rate: z.int(),
  /** Discount in hundredths of a percent, as it was when the bet was accepted. */
  discount_rate: z.int(),
  discount_satang: satang,
  net_satang: satang,
  is_half_pay: z.boolean(),
  status: orderItemStatus,
  /** 0 until the period is settled. */
  win_satang: satang,
})
export type OrderItem = z.output<typeof orderItem>
export type OrderItemStatus = z.output<typeof orderItemStatus>

export const orderStep = z.strictObject({
  step: z.enum(['check_ticket', 'check_quota', 'create_ticket']),
  at: instant,
})

const orderHead = {
  order_id: z.int(),
  request_id: requestId,
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
  cancelled_by: z.nullable(z.string()),
  period,
}

/** A ticket without its items, as lists show it. */
export const orderSummary = z.strictObject(orderHead)
export type OrderSummary = z.output<typeof orderSummary>

export const order = z.strictObject({ ...orderHead, steps: z.array(orderStep), items: z.array(orderItem) })
export type Order = z.output<typeof order>

export const placeOrder = defineRoute({
  name: 'placeOrder',
  method: 'POST',
  path: '/api/order/create',
  access: 'member',
  summary:
    'Places a ticket. The same request_id with the same content answers with the same ticket, however often it is sent',
  body: z.strictObject({
    request_id: requestId,
    period_code: periodCode,
    package_code: packageCode,
    note: z.optional(freeText(0, 200)),
    // Digits and amounts are judged by the rules, which tell the member what is wrong; here only their form.
    items: z
      .array(
        z.strictObject({
          bet_type: betTypeCode,
          number: z.string().check(z.maxLength(10)),
          /** Whole Baht in satang. */
          bet_satang: z.number(),
          /** The rate the member saw: compared with what holds now, never used to pay. */
          rate: z.int().check(z.minimum(0), z.maximum(10_000_000)),
        }),
      )
      .check(z.maxLength(2_000)),
  }),
  reply: order,
})
export type PlaceOrderBody = z.output<typeof placeOrder.body>

export const getOrder = defineRoute({
  name: 'getOrder',
  method: 'GET',
  path: '/api/order/:order_id',
  access: 'signed_in',
  summary: "One ticket with its items, for its owner and the owner's uplines",
  params: z.strictObject({ order_id: pathId }),
  reply: order,
})

export const findOrderByRequestId = defineRoute({
  name: 'findOrderByRequestId',
  method: 'GET',
  path: '/api/order/request_id/:request_id',
  access: 'member',
  summary: "The caller's own ticket of that request_id: what became of a call whose reply was lost",
  params: z.strictObject({ request_id: requestId }),
  reply: order,
})

const pageQuery = { page: z.optional(queryNumber), ipp: z.optional(queryNumber) }

export const listPeriodOrders = defineRoute({
  name: 'listPeriodOrders',
  method: 'GET',
  path: '/api/order/period',
  access: 'member',
  summary: "The caller's own tickets of one period, newest first",
  query: z.strictObject({ period_code: periodCode, ...pageQuery, v: z.optional(z.literal('2')) }),
  reply: z.array(orderSummary),
})

export const listPeriodOrdersFirstForm = defineRoute({
  name: 'listPeriodOrdersFirstForm',
  method: 'GET',
  path: '/api/order',
  access: 'member',
  summary: 'The older form of the same list',
  query: z.strictObject({ period_code: periodCode, ...pageQuery }),
  reply: z.array(orderSummary),
})

export const listOrders = defineRoute({
  name: 'listOrders',
  method: 'GET',
  path: '/api/order/list',
  access: 'member',
  summary: "The caller's own tickets over all periods, newest first",
  query: z.strictObject({ with_period: z.optional(z.literal('true')), v: z.optional(z.literal('2')), ...pageQuery }),
  reply: z.array(orderSummary),
})
