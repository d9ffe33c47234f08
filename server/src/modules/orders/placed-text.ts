// A ticket that has just been placed, as text: of all replies it is said most often, and from memory.

import type { Order, OrderItem } from '@megalot/contract'
import { type BetTypeCode, confirmDeadlineMs, confirmTag, needsConfirm } from '@megalot/rules'
import type { Caller } from '../../platform/caller.ts'
import type { PlacedNow } from './orders.write.ts'
import type { AcceptedLine } from './orders.decide.ts'

/** A ticket that was placed, as its reply shows it. */
export interface PlacedReply extends Pick<Order, 'status' | 'confirm_deadline_at'> {
  /** The `Order` as JSON text. */
  json: string
}

/**
 * A ticket that was written a moment ago, as reading it would show it: an `Order`, said from memory and put together as
 * text, because it is said most often.
 */
export function showPlaced(
  { order_id, ticket, status, total, lines, batch }: PlacedNow,
  { username }: Caller,
): PlacedReply {
  const { bet_satang, received_satang, discount_satang, net_satang } = total
  const { placed_at, close_at } = batch
  const placedMs = placed_at.getTime()
  const isWaiting = status === 'WAIT_CONFIRM'
  const deadlineMs = confirmDeadlineMs(placedMs, close_at.getTime())
  const confirm_deadline_at = isWaiting ? new Date(deadlineMs).toISOString() : null
  const tag = isWaiting ? confirmTag(placedMs, placedMs, close_at.getTime()) : null
  let items = ''
  let confirmList = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const item = placedItemText(line, index + 1, isWaiting)
    items += index === 0 ? item : `,${item}`
    if (isWaiting && needsConfirm(line)) confirmList += confirmList === '' ? item : `,${item}`
  }
  const json =
    `{"id":${order_id},"order_id":${order_id},"request_id":"${ticket.request_id}","username":${JSON.stringify(username)},` +
    `"package_code":"${ticket.package_code}","status":"${status}","note":${JSON.stringify(ticket.note ?? '')},` +
    `"item_count":${lines.length},"bet_satang":${bet_satang},"received_satang":${received_satang},` +
    `"discount_satang":${discount_satang},"net_satang":${net_satang},"win_satang":0,` +
    `"confirm_deadline_at":${JSON.stringify(confirm_deadline_at)},"tag":${JSON.stringify(tag)},` +
    `${batch.text},"items":[${items}],"confirmList":[${confirmList}]}`
  return { status, confirm_deadline_at, json }
}

/**
 * An `OrderItem` as JSON text. The rules have let its words and numbers through: nothing in them has to be escaped. Of few
 * pieces: they are put together for every line, and what they cost is their number.
 */
function placedItemText(line: AcceptedLine, line_no: number, isWaiting: boolean): string {
  const { bet_type, number, bet_satang, received_satang, discount_satang, net_satang } = line
  const bet = String(bet_satang)
  const received = received_satang === bet_satang ? bet : String(received_satang)
  const tail = endingText(received_satang === 0 ? 'closed' : isWaiting ? 'wait_confirm' : 'awaiting_result', line)
  return `{"line_no":${line_no},"bet_type":"${bet_type}","number":"${number}","asked_satang":${bet},"bet_satang":${bet},"received_satang":${received},"discount_satang":${discount_satang},"net_satang":${net_satang},${tail}`
}

interface EndingText extends Pick<AcceptedLine, 'rate' | 'rate_seen' | 'discount_rate' | 'is_half_pay'> {
  text: string
}

/** The last ending that was said, by status and bet type: most lines of a bet type have the same rates. */
const knownEndings: Record<string, Map<BetTypeCode, EndingText>> = {
  closed: new Map(),
  wait_confirm: new Map(),
  awaiting_result: new Map(),
}

/** What an item says behind its amounts. */
function endingText(status: 'closed' | 'wait_confirm' | 'awaiting_result', line: AcceptedLine): string {
  const { bet_type, rate, rate_seen, discount_rate, is_half_pay } = line
  const known = knownEndings[status]!.get(bet_type)
  if (
    known?.rate === rate &&
    known.rate_seen === rate_seen &&
    known.discount_rate === discount_rate &&
    known.is_half_pay === is_half_pay
  )
    return known.text
  const said: Omit<OrderItem, 'line_no' | 'bet_type' | 'number' | `${string}_satang`> & Pick<OrderItem, 'win_satang'> =
    {
      rate,
      rate_seen,
      discount_rate,
      is_half_pay,
      is_closed: status === 'closed',
      status,
      win_satang: 0,
    }
  const text = JSON.stringify(said).slice(1)
  knownEndings[status]!.set(bet_type, { rate, rate_seen, discount_rate, is_half_pay, text })
  return text
}
