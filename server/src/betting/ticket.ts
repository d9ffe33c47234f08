// A ticket's types, in the order of its life cycle: as received, as decided, and as written. A bet is its slot
// (`rules/src/bet-slot.ts`); an item is an index into arrays. Names are used only on the wire and on screens.

import type { DiscountChange, PlaceOrderBody } from '@megalot/contract'
import type { Acceptance, LineMoney, TermsTable } from '@megalot/rules'

/** A ticket as received. */
export interface NewTicket extends PlaceOrderBody {
  user_id: number
  /** The bet of each item; -1 if it does not exist. */
  slots: readonly number[]
  /** The stake of each item, in satang. */
  stakes: readonly number[]
  /** The rate that the member saw, per item, in hundredths. */
  rates_seen: readonly number[]
  /** The first 16 bytes of the SHA-256 of the member's choices. The same request_id with another hash is refused. */
  content_hash: Buffer
  // Set by intake:
  /** The cached caller's session, which the placing transaction verifies. */
  session_to_verify?: number | undefined
  /** Whether a batch that included it was refused because of cached data about members, possibly about this one. */
  isFromFailedBatch?: boolean
  /** When it arrived at intake, in ms of the node's monotonic clock. Absent if it has not waited. */
  arrived_ms?: number
}

/** A decided ticket, ready to be written. */
export interface AcceptedTicket {
  ticket: NewTicket
  package_id: number
  terms: TermsTable
  /** WAIT_CONFIRM if the member must confirm; credit and quota are held until then. */
  status: 'CONFIRMED' | 'WAIT_CONFIRM'
  /** What was accepted of each item; null if all of it, at the rate that the member saw. */
  differences: readonly Acceptance[] | null
  /** Null if the terms give the discount that the member saw for the requested items. */
  discountChange: DiscountChange | null
  /** The discount of each item, in satang. */
  discounts: readonly number[]
  total: LineMoney
}

/** Common data of a batch's written tickets. */
export interface BatchReply {
  close_at: Date
  placed_at: Date
  /** The common part of their replies, as JSON text without braces. */
  text: string
}

/** A ticket that was just written. */
export interface PlacedTicket extends AcceptedTicket {
  order_id: number
  batch: BatchReply
}

/** The outcome of placing a ticket. */
export interface Placement {
  order_id: number
  /** Absent if the ticket already existed: an idempotent replay. */
  placed?: PlacedTicket
}
