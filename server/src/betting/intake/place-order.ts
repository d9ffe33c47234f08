// Placing a ticket for a member, from the request's body to the reply.

import { hash } from 'node:crypto'
import { DEFAULT_ON_CHANGE, type PlaceOrderBody } from '@megalot/contract'
import { findSlot } from '@megalot/rules'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { getOrder, type PlacedReply, presentPlaced } from '../read/present-order.ts'
import type { NewTicket } from '../ticket.ts'
import type { Intake } from './queue.ts'

/**
 * Places a ticket for a member.
 * @throws Refusal why it was not accepted; nothing was written then
 */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<PlacedReply> {
  const { order_id, placed } = await intake.placeTicket(parseTicket(bettorOf(caller), body))
  if (placed) return presentPlaced(placed, caller)
  const order = await getOrder(db, caller, order_id)
  const { status, confirm_deadline_at } = order
  return { status, confirm_deadline_at, json: JSON.stringify(order) }
}

/** The member of a ticket, and the session behind it. */
export interface Bettor extends Pick<Caller, 'session_id'> {
  user_id: number
}

function bettorOf({ principal_id: user_id, session_id }: Caller): Bettor {
  return { user_id, session_id }
}

/** A ticket from the body of its request: each bet by its slot. */
export function parseTicket(
  { user_id, session_id }: Bettor,
  { request_id, period_code, package_code, note, on_change, discount_satang, items }: PlaceOrderBody,
): NewTicket {
  const choice = on_change ?? DEFAULT_ON_CHANGE
  const slots: number[] = []
  const stakes: number[] = []
  const rates_seen: number[] = []
  for (const { bet_type, number, bet_satang, rate } of items) {
    slots.push(findSlot(bet_type, number))
    stakes.push(bet_satang)
    rates_seen.push(rate)
  }
  return {
    request_id,
    period_code,
    package_code,
    note,
    on_change,
    discount_satang,
    items,
    user_id,
    slots,
    stakes,
    rates_seen,
    // The default choice hashes the same whether it is given or absent.
    content_hash: hashContent(slots, stakes, rates_seen, [
      period_code,
      package_code,
      discount_satang === undefined ? choice : `${choice} ${discount_satang}`,
      note ?? '',
    ]),
    // 0: no session is behind a ticket of a script. One that was verified with this call may end before its batch is written.
    session_to_verify: session_id === 0 ? undefined : session_id,
    canBeDuplicate: false,
  }
}

/** The content of one ticket at a time, before it is hashed. */
let numbers = new Float64Array(1_024)
let content = Buffer.from(numbers.buffer)

/** Half of a SHA-256: that no other content has the same one is as certain as that no other ticket has the same request_id. */
const HASH_BYTES = 16

/**
 * A hash of what the member decided, so that a request_id cannot be reused for another ticket. Bets that do not exist all hash
 * the same: no ticket with one is ever stored. The number of lines comes first, so that no two contents have the same bytes.
 * @param texts of which only the last may contain a line break
 */
function hashContent(
  slots: readonly number[],
  stakes: readonly number[],
  rates_seen: readonly number[],
  texts: readonly string[],
): Buffer {
  const text = texts.join('\n')
  const count = 1 + 3 * slots.length
  const maxLength = 8 * count + 3 * text.length
  if (content.length < maxLength) {
    numbers = new Float64Array(Math.ceil(maxLength / 8))
    content = Buffer.from(numbers.buffer)
  }
  numbers[0] = slots.length
  for (let line = 0; line < slots.length; line++) {
    numbers[3 * line + 1] = slots[line]!
    numbers[3 * line + 2] = stakes[line]!
    numbers[3 * line + 3] = rates_seen[line]!
  }
  const end = 8 * count + content.write(text, 8 * count)
  return hash('sha256', content.subarray(0, end), 'buffer').subarray(0, HASH_BYTES)
}
