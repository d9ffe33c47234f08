// A member who bets without pause through a faulty connection, and follows each ticket until its outcome is known. As
// in the web, a sent ticket is looked up by its request_id, or sent again with the same id and content.

import {
  cancelOrder,
  confirmOrder,
  findOrderByRequestId,
  type Order,
  placeOrder,
  type PlaceOrderBody,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attempt, Client } from '../../bench/client.ts'
import type { BookEntry, TicketBook } from './ticket-book.ts'

/** The timeout of a member's calls. */
export const patienceMs = 2_500
/** After this time a sent call has reached the application or never will, so a refusal of the second try is final. */
const SURELY_ENDED_MS = 20_000
const LONGEST_THOUGHT_MS = 150
const LONGEST_WAIT_MS = 600

/** Shared by all betting members. */
export interface Betting {
  book: TicketBook
  /** If false, no new tickets are sent; those in flight are finished. */
  isOpen: boolean
  /** If true, nothing is waited for any more. */
  isOver: boolean
  /** Called with the sending time when a ticket is acknowledged. */
  onPlaced: (sentAtMs: number) => void
  makeTicket: () => Omit<PlaceOrderBody, 'request_id'>
}

export async function keepBetting(client: Client, username: string, betting: Betting): Promise<void> {
  while (betting.isOpen) {
    const entry = betting.book.open(username, { request_id: randomUUID(), ...betting.makeTicket() })
    await placeUntilDefinite(client, entry, betting)
    if (entry.last !== null) await decideTicket(client, entry, entry.last, betting)
    await pause(Math.random() * LONGEST_THOUGHT_MS)
  }
}

async function placeUntilDefinite(client: Client, entry: BookEntry, betting: Betting): Promise<void> {
  let isUnsure = false
  let sentAtMs = 0
  while (!betting.isOver) {
    // After a lost reply, some look up the ticket first, others send it again.
    const isAsking = isUnsure && Math.random() < 0.6
    if (!isAsking) sentAtMs = performance.now()
    const answer = isAsking
      ? await findByRequestId(client, entry)
      : await client.attempt(placeOrder, placeOrder.path, entry.body, patienceMs)
    if (answer.kind === 'answered') {
      if (!isAsking) betting.onPlaced(answer.sentAtMs)
      return betting.book.acknowledge(entry, answer.data)
    }
    if (answer.kind === 'refused' && !isAsking) {
      if (!isUnsure) return betting.book.refuse(entry, answer.code)
      return refuseWhenSure(client, entry, answer.code, sentAtMs + SURELY_ENDED_MS, betting)
    }
    if (answer.kind === 'unknown' && !isUnsure) {
      isUnsure = true
      betting.book.unknownOutcomes += 1
    }
    await pause(50 + Math.random() * LONGEST_WAIT_MS)
  }
}

/** A second try was refused. The first may still be in flight and succeed. */
async function refuseWhenSure(
  client: Client,
  entry: BookEntry,
  code: string,
  sureAtMs: number,
  betting: Betting,
): Promise<void> {
  while (!betting.isOver) {
    const answer = await findByRequestId(client, entry)
    if (answer.kind === 'answered') return betting.book.acknowledge(entry, answer.data)
    if (answer.kind === 'refused' && performance.now() >= sureAtMs) return betting.book.refuse(entry, code)
    await pause(LONGEST_WAIT_MS)
  }
}

function findByRequestId(client: Client, entry: BookEntry): Promise<Attempt<typeof findOrderByRequestId>> {
  const path = findOrderByRequestId.path.replace(':request_id', entry.body.request_id)
  return client.attempt(findOrderByRequestId, path, undefined, patienceMs)
}

type Decision = 'confirm' | 'return_one' | 'cancel' | null

function chooseDecision({ status }: Order): Decision {
  const drawn = Math.random()
  if (status === 'CONFIRMED') return drawn < 0.01 ? 'cancel' : null
  if (status !== 'WAIT_CONFIRM') return null
  if (drawn < 0.4) return 'confirm'
  if (drawn < 0.65) return 'return_one'
  return drawn < 0.9 ? 'cancel' : null
}

function sendDecision(
  client: Client,
  decision: Decision,
  order: Order,
): Promise<Attempt<typeof confirmOrder | typeof cancelOrder>> {
  const pathOf = (path: string): string => path.replace(':order_id', String(order.order_id))
  if (decision === 'cancel') return client.attempt(cancelOrder, pathOf(cancelOrder.path), order, patienceMs)
  const returned = decision === 'return_one' ? order.items.filter((item) => item.received_satang > 0).slice(0, 1) : []
  const items = returned.map(({ line_no }) => ({ line_no, bet_satang: 0 }))
  return client.attempt(confirmOrder, pathOf(confirmOrder.path), { items }, patienceMs)
}

/** Decides on a waiting ticket, and sometimes cancels a confirmed one. */
async function decideTicket(client: Client, entry: BookEntry, order: Order, betting: Betting): Promise<void> {
  const decision = chooseDecision(order)
  if (decision === null) return
  entry.isChanging = true
  let isUnsure = false
  let sentAtMs = 0
  while (!betting.isOver) {
    const answer = await sendDecision(client, decision, order)
    if (answer.kind === 'answered') {
      betting.book.changes += 1
      betting.book.acknowledge(entry, answer.data)
      break
    }
    // The ticket is unchanged, and no reply was lost.
    if (answer.kind === 'refused' && !isUnsure) {
      betting.book.noteRefusal(answer.code)
      break
    }
    isUnsure = true
    if (answer.kind === 'unknown') sentAtMs = performance.now()
    const found = await findByRequestId(client, entry)
    if (found.kind === 'answered' && found.data.status !== order.status) {
      betting.book.changes += 1
      betting.book.acknowledge(entry, found.data)
      break
    }
    // Refused, and no earlier try can arrive any more, so the ticket is unchanged.
    if (answer.kind === 'refused' && found.kind === 'answered' && performance.now() >= sentAtMs + SURELY_ENDED_MS) {
      betting.book.noteRefusal(answer.code)
      break
    }
    await pause(50 + Math.random() * LONGEST_WAIT_MS)
  }
  // Calls that ended without a reply stay open.
  entry.isChanging = betting.isOver && entry.last === order
}
