// The types of a ticket, in the order of its life cycle: as received, as decided, with its id, and as written.

import type { PlaceOrderBody } from '@megalot/contract'
import type { BetTypeCode, LineMoney } from '@megalot/rules'

/** A ticket as received. */
export interface NewTicket extends PlaceOrderBody {
  user_id: number
  /** SHA-256 of what the member decided: the same request_id must not come with other content. */
  content_hash: Buffer
  /** The session of a caller from the cache: it is verified in the transaction that places the ticket. */
  session_to_verify?: number | undefined
  /** Whether it may have been sent before. False is only a hint: the unique key of member and request_id decides. */
  maybeDuplicate?: boolean
}

/** An accepted line; amounts in satang, rates in hundredths, discounts in hundredths of a percent. */
export interface AcceptedLine extends LineMoney {
  bet_type: BetTypeCode
  number: string
  rate: number
  rate_seen: number
  discount_rate: number
  is_half_pay: boolean
}

/** A ticket that was decided and can be written. */
export interface AcceptedTicket {
  ticket: NewTicket
  package_id: number
  /** WAIT_CONFIRM where the member must confirm: credit and quota are held until then. */
  status: 'CONFIRMED' | 'WAIT_CONFIRM'
  lines: AcceptedLine[]
  total: LineMoney
}

/** With the id under which it is written. */
export interface NumberedTicket extends AcceptedTicket {
  order_id: number
}

/** The common data of a batch's tickets once they are written. */
export interface BatchReply {
  close_at: Date
  placed_at: Date
  /** The common part of their replies, as JSON text without its braces. */
  text: string
}

/** A ticket that was written a moment ago. */
export interface PlacedTicket extends NumberedTicket {
  batch: BatchReply
}

/** The outcome of placing a ticket. */
export interface Placement {
  order_id: number
  /** Absent where the ticket existed already: an idempotent replay. */
  placed?: PlacedTicket
}
