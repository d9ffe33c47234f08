// Placing a ticket for a member, from the request's body to the reply.

import { hash } from 'node:crypto'
import { DEFAULT_ON_CHANGE, type PlaceOrderBody } from '@megalot/contract'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db.ts'
import { getOrder, type PlacedReply, presentPlaced } from '../read/present-order.ts'
import type { Intake } from './queue.ts'

/**
 * Places a ticket for a member.
 * @throws Refusal why it was not accepted; nothing was written then
 */
export async function placeOrder(db: Db, intake: Intake, caller: Caller, body: PlaceOrderBody): Promise<PlacedReply> {
  const { user_id, session_id, is_cached } = caller
  const session_to_verify = is_cached ? session_id : undefined
  const { order_id, placed } = await intake.placeTicket({
    ...body,
    user_id,
    content_hash: hashContent(body),
    session_to_verify,
  })
  if (placed) return presentPlaced(placed, caller)
  const order = await getOrder(db, caller, order_id)
  return { status: order.status, confirm_deadline_at: order.confirm_deadline_at, json: JSON.stringify(order) }
}

/** SHA-256 of what the member decided, so that a request_id cannot be reused for another ticket. */
function hashContent({ period_code, package_code, note, on_change, items }: PlaceOrderBody): Buffer {
  let lines = ''
  for (const { bet_type, number, bet_satang, rate } of items)
    lines += `${lines === '' ? '["' : ',["'}${bet_type}${textOf(number)}${bet_satang},${rate}]`
  const named = JSON.stringify([period_code, package_code, note ?? ''])
  // The default choice hashes the same whether it is given or absent.
  const choice = on_change === undefined || on_change === DEFAULT_ON_CHANGE ? '' : `,"${on_change}"`
  return hash('sha256', `${named.slice(0, -1)},[${lines}]${choice}]`, 'buffer')
}

/** A number as JSON text between two others; it is not validated yet. */
function textOf(number: string): string {
  return /^\d*$/.test(number) ? `","${number}",` : `",${JSON.stringify(number)},`
}
