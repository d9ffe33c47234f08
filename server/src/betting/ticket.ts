// The types of a ticket, in the order of its life cycle: as received, as decided, and as written. A bet is its slot
// (`rules/src/bet-slot.ts`); a line is an index into arrays. Names stand on the wire and on screens only.

import type { DiscountChange, PlaceOrderBody } from '@megalot/contract'
import type { Acceptance, LineMoney, TermsTable } from '@megalot/rules'

/** A ticket as received. */
export interface NewTicket extends PlaceOrderBody {
  user_id: number
  /** The bet of each line; -1 where there is no such bet. */
  slots: readonly number[]
  /** The stake of each line, in satang. */
  stakes: readonly number[]
  /** The rate that the member saw, by line, in hundredths. */
  rates_seen: readonly number[]
  /** The first 16 bytes of the SHA-256 of what the member decided: the same request_id must not come with other content. */
  content_hash: Buffer
  // Set by intake:
  /** The session of a caller from the cache: it is verified in the transaction that places the ticket. */
  session_to_verify?: number | undefined
  /** Whether it may have been sent before. False is only a hint: the unique key of member and request_id decides. */
  canBeDuplicate: boolean
  /** Whether a batch with it was decided from the cache and refused because of what the cache said of members, perhaps of this one. */
  isFromFailedBatch?: boolean
  /** When it arrived at intake, in ms of the node's monotonic clock. Absent: it has not waited. */
  arrived_ms?: number
}

/** A ticket that was decided and can be written. */
export interface AcceptedTicket {
  ticket: NewTicket
  package_id: number
  terms: TermsTable
  /** WAIT_CONFIRM where the member must confirm: credit and quota are held until then. */
  status: 'CONFIRMED' | 'WAIT_CONFIRM'
  /** What was received of each line; null: all of it in full, at the rate that the member saw. */
  differences: readonly Acceptance[] | null
  /** Null where the terms give the discount that the member saw for the lines as they are asked. */
  discountChange: DiscountChange | null
  /** The discount of each line, in satang. */
  discounts: readonly number[]
  total: LineMoney
}

/** The common data of a batch's tickets once they are written. */
export interface BatchReply {
  close_at: Date
  placed_at: Date
  /** The common part of their replies, as JSON text without its braces. */
  text: string
}

/** A ticket that was written a moment ago. */
export interface PlacedTicket extends AcceptedTicket {
  order_id: number
  batch: BatchReply
}

/** The outcome of placing a ticket. */
export interface Placement {
  order_id: number
  /** Absent where the ticket existed already: an idempotent replay. */
  placed?: PlacedTicket
}
