// Reports of a downline for the console, except win and loss: unsettled bets, sums by bet type and package, winners,
// and tickets changed after placing. Each report covers the downline of one user: the caller, or a user below it.

import * as z from 'zod/mini'
import * as calls from '../calls/downline-reports.ts'
import { type DataOf, defineRoute } from '../route.ts'
import {
  betTypeCode,
  day,
  instant,
  orderStatus,
  packageCode,
  pageNumber,
  pathId,
  period,
  productCodes,
  queryNumber,
  satang,
  signedSatang,
  userLevel,
} from '../wire.ts'
import { orderEvent } from './orders.ts'

const downlineQuery = {
  /** Defaults to the caller's own downline; for the office, the company's. */
  user_id: z.optional(pathId),
  /** Days of periods, both included. Defaults to the last 30 days; at most 366. */
  date_from: z.optional(day),
  date_to: z.optional(day),
  product_code: z.optional(productCodes),
}
const pageQuery = { page: z.optional(pageNumber), ipp: z.optional(queryNumber) }

/** Live tickets of periods that are neither settled nor void. */
export const outstandingSums = z.strictObject({
  ticket_count: z.int(),
  bet_satang: satang,
  received_satang: satang,
  discount_satang: satang,
  /** Received less discount: paid by members to the house. */
  net_satang: satang,
})
export type OutstandingSums = z.output<typeof outstandingSums>

export const listOutstanding = defineRoute({
  ...calls.listOutstanding,
  price: 'report',
  access: 'console',
  needs: 'reports.view',
  summary: 'What a line has in periods that are not decided, by the users directly below its subject, by name',
  query: z.strictObject({ ...downlineQuery, ...pageQuery }),
  reply: z.array(
    z.strictObject({
      user_id: z.int(),
      username: z.string(),
      display_name: z.string(),
      level: userLevel,
      sums: outstandingSums,
    }),
  ),
  top_level: z.strictObject({
    /** Number of users with a ticket. */
    row_count: z.int(),
    totals: outstandingSums,
    date_from: day,
    date_to: day,
  }),
})

/** Accepted bets of one bet type with one package in settled periods. */
export const typeSums = z.strictObject({
  received_satang: satang,
  discount_satang: satang,
  /** Winning items. */
  winning_items: z.int(),
  win_satang: satang,
  /** Win + discount − received; above 0 if the members have won. */
  total_satang: signedSatang,
})
export type TypeSums = z.output<typeof typeSums>

export const listTypeSums = defineRoute({
  ...calls.listTypeSums,
  price: 'report',
  access: 'console',
  needs: 'reports.view',
  summary: 'Win and loss of a line in settled periods by bet type and package',
  query: z.strictObject(downlineQuery),
  reply: z.array(z.strictObject({ bet_type: betTypeCode, package_code: packageCode, sums: typeSums })),
  top_level: z.strictObject({
    totals: typeSums,
    /** Number of settled periods with tickets whose exposure was not kept. They are in none of the sums. */
    uncounted_periods: z.int(),
    date_from: day,
    date_to: day,
  }),
})

export const listWinners = defineRoute({
  ...calls.listWinners,
  price: 'report',
  access: 'console',
  needs: 'reports.view',
  summary: 'Tickets of a line that have won in settled periods, the greatest win first',
  query: z.strictObject({ ...downlineQuery, ...pageQuery }),
  reply: z.array(
    z.strictObject({
      order_id: z.int(),
      username: z.string(),
      package_code: packageCode,
      period,
      created_at: instant,
      /** Winning items. */
      item_count: z.int(),
      /** For the whole ticket. */
      received_satang: satang,
      discount_satang: satang,
      win_satang: satang,
    }),
  ),
  top_level: z.strictObject({
    row_count: z.int(),
    /** Over all winners, not the page. */
    win_satang: satang,
    date_from: day,
    date_to: day,
  }),
})
export type Winner = DataOf<typeof listWinners>[number]

export const listChangedTickets = defineRoute({
  ...calls.listChangedTickets,
  price: 'report',
  access: 'console',
  needs: 'reports.view',
  summary:
    'Tickets of a line that were cancelled, deleted, voided or returned after they were placed, the latest change first',
  query: z.strictObject({
    ...downlineQuery,
    /** Only changes before this one, for the next page. */
    before: z.optional(pathId),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(
    z.strictObject({
      change_id: z.int(),
      at: instant,
      event: orderEvent.shape.event,
      /** Null for the system, and for the office if the caller is not of it. */
      actor: orderEvent.shape.actor,
      is_by_office: orderEvent.shape.is_by_office,
      reason: z.nullable(z.string()),
      order_id: z.int(),
      username: z.string(),
      status: orderStatus,
      period,
      /** Refund by this change, net of the discount. */
      given_back_satang: satang,
      /**
       * The ticket's current value, net of the discount, including later changes: 0 if it was cancelled, deleted or
       * returned in full, or its period is void.
       */
      net_left_satang: satang,
      placed_at: instant,
      /** Time from the change to the period's close; negative after the close. */
      ms_before_close: z.int(),
    }),
  ),
  top_level: z.strictObject({ next_before: z.nullable(z.int()), date_from: day, date_to: day }),
})
export type ChangedTicket = DataOf<typeof listChangedTickets>[number]
