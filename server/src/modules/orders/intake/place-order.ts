// Placing a ticket for a member, from the request's body to the reply.

import { hash } from 'node:crypto'
import { DEFAULT_ON_CHANGE, type PlaceOrderBody } from '@megalot/contract'
import { findSlot } from '@megalot/rules'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db.ts'
import { getOrder, type PlacedReply, presentPlaced } from '../read/present-order.ts'
import type { NewTicket } from '../ticket.ts'
import type { Intake } from './queue.ts'

/**
 * Places a ticket for a member.
 * @throws Refusal why it was not accepted; nothing was written then
 */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<PlacedReply> {
  const { order_id, placed } = await intake.placeTicket(readTicket(bettorOf(caller), body))
  if (placed) return presentPlaced(placed, caller)
  const order = await getOrder(db, caller, order_id)
  return { status: order.status, confirm_deadline_at: order.confirm_deadline_at, json: JSON.stringify(order) }
}

/** The member of a ticket, and the session behind it. */
export interface Bettor extends Pick<Caller, 'session_id' | 'is_cached'> {
  user_id: number
}

function bettorOf({ principal_id: user_id, session_id, is_cached }: Caller): Bettor {
  return is_cached ? { user_id, session_id, is_cached } : { user_id, session_id }
}

/** A ticket from the body of its request: each bet by its slot. */
export function readTicket({ user_id, session_id, is_cached }: Bettor, body: PlaceOrderBody): NewTicket {
  const { items } = body
  // One buffer for all, so that its bytes can be hashed in one go.
  const numbers = new Float64Array(Math.ceil(2.25 * items.length))
  const slots = new Int16Array(numbers.buffer, 16 * items.length, items.length)
  for (let line = 0; line < items.length; line++) {
    const { bet_type, number, bet_satang, rate } = items[line]!
    slots[line] = findSlot(bet_type, number)
    numbers[line] = bet_satang
    numbers[items.length + line] = rate
  }
  return {
    ...body,
    user_id,
    slots,
    bets: numbers.subarray(0, items.length),
    rates_seen: numbers.subarray(items.length, 2 * items.length),
    content_hash: hashContent(body, numbers),
    session_to_verify: is_cached ? session_id : undefined,
  }
}

/**
 * SHA-256 of what the member decided, so that a request_id cannot be reused for another ticket. Bets that do not exist all hash
 * the same: no ticket with one is ever stored.
 */
function hashContent(
  { period_code, package_code, note, on_change, items }: PlaceOrderBody,
  numbers: Float64Array,
): Buffer {
  // The default choice hashes the same whether it is given or absent.
  const decided = JSON.stringify([period_code, package_code, note ?? '', on_change ?? DEFAULT_ON_CHANGE, items.length])
  const lines = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('latin1')
  // Latin-1 shows each byte as one letter; the numbers follow a text whose end they cannot imitate.
  return hash('sha256', decided + lines, 'buffer')
}
