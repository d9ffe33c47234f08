// Placing a ticket for a member, from the request's body to the reply.

import { hash } from 'node:crypto'
import { DEFAULT_ON_CHANGE, type PlaceOrderBody } from '@megalot/contract'
import { findSlot } from '@megalot/rules'
import type { Caller } from '../../http/caller.ts'
import { addToBatch } from '../../postgres/batcher.ts'
import type { Db } from '../../postgres/db.ts'
import { getOrder, type PlacedReply, presentPlaced } from '../read/present-order.ts'
import type { NewTicket, Placement } from '../ticket.ts'
import type { Intake } from './intake.ts'
import { placeByReading } from './place-by-reading.ts'
import { placeFromCache } from './place-from-cache.ts'

/**
 * Places a ticket for a member.
 * @throws Refusal why it was not accepted; nothing was written then
 */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<PlacedReply> {
  const { order_id, placed } = await placeTicket(intake, parseTicket(bettorOf(caller), body))
  if (placed) return presentPlaced(placed, caller)
  const order = await getOrder(db, caller, order_id)
  const { status, confirm_deadline_at } = order
  return { status, confirm_deadline_at, json: JSON.stringify(order) }
}

/**
 * Places a ticket. Tickets of a period that arrive while a batch of it is in flight form the next batch. A period has two queues: a ticket for
 * which the database has to be read delays none that is decided from the cache.
 * @returns once the commit is durable
 * @throws Refusal why it was not accepted; after another error its outcome is unknown (look it up by request_id)
 */
export async function placeTicket(intake: Intake, ticket: NewTicket): Promise<Placement> {
  ticket.arrived_ms = intake.readClock()
  const { period_code } = ticket
  const placed = await addToBatch(intake.cachedQueues, period_code, ticket, (tickets) =>
    placeFromCache(intake, period_code, tickets),
  )
  if (placed) return placed
  const decided = await addToBatch(intake.readQueues, period_code, ticket, (tickets) =>
    placeByReading(intake, period_code, tickets),
  )
  return decided!
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
    content_hash: hashContent([
      ...[period_code, package_code, note ?? '', on_change ?? DEFAULT_ON_CHANGE, discount_satang ?? null],
      ...[slots, stakes, rates_seen],
    ]),
    // 0: no session is behind a ticket of a script. One that was verified with this call may end before its batch is written.
    session_to_verify: session_id === 0 ? undefined : session_id,
  }
}

/** Half of a SHA-256: that no other content has the same one is as certain as that no other ticket has the same request_id. */
const HASH_BYTES = 16

/**
 * A hash of what the member decided, so that a request_id cannot be reused for another ticket. Bets that do not exist all hash
 * the same: no ticket with one is ever stored.
 */
function hashContent(content: readonly unknown[]): Buffer {
  return hash('sha256', JSON.stringify(content), 'buffer').subarray(0, HASH_BYTES)
}
