// What the members know about their tickets, recorded before anything is sent; and whether the application finally
// agrees.

import { findOrderByRequestId, type Order, type PlaceOrderBody } from '@megalot/contract'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Attempt, Client } from '../../bench/client.ts'

/** How often to ask an unresponsive application for a ticket at the end, and the interval in ms. */
const ASKING_TRIES = 20
const ASKING_PAUSE_MS = 500

export interface BookEntry {
  username: string
  body: PlaceOrderBody
  state: 'undecided' | 'placed' | 'refused'
  /** Every id under which it was acknowledged. More than one means it was placed twice. */
  order_ids: Set<number>
  /** The ticket as the application last acknowledged it. */
  last: Order | null
  /** A confirmation or cancellation with an unknown outcome is in flight. */
  isChanging: boolean
}

export interface WrittenTicket {
  order_id: number
  username: string
  request_id: string
}

export class TicketBook {
  readonly entries = new Map<string, BookEntry>()
  /** Tickets with at least one lost try. */
  unknownOutcomes = 0
  /** Acknowledged confirmations and cancellations. */
  changes = 0
  /** How often each refusal was received. */
  readonly refusals = new Map<string, number>()

  open(username: string, body: PlaceOrderBody): BookEntry {
    const entry: BookEntry = { username, body, state: 'undecided', order_ids: new Set(), last: null, isChanging: false }
    this.entries.set(body.request_id, entry)
    return entry
  }

  acknowledge(entry: BookEntry, order: Order): void {
    entry.state = 'placed'
    entry.order_ids.add(order.order_id)
    entry.last = order
  }

  refuse(entry: BookEntry, code: string): void {
    entry.state = 'refused'
    this.noteRefusal(code)
  }

  noteRefusal(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }

  count(state: BookEntry['state']): number {
    return [...this.entries.values()].filter((entry) => entry.state === state).length
  }

  countUndecided(): number {
    return [...this.entries.values()].filter((entry) => entry.state === 'undecided' || entry.isChanging).length
  }
}

export interface Verdict {
  acknowledged_lost: number
  duplicated: number
  refused_but_placed: number
}

/**
 * Compares the records with the database and with the application's replies about each ticket.
 * @param clients each member's own connection to the application
 * @param report called with the first few differences
 */
export async function checkBook(
  book: TicketBook,
  written: readonly WrittenTicket[],
  clients: ReadonlyMap<string, Client>,
  report: (line: string) => void,
): Promise<Verdict> {
  const byName = new Map<string, WrittenTicket[]>()
  for (const ticket of written) byName.set(nameOf(ticket), [...(byName.get(nameOf(ticket)) ?? []), ticket])
  const verdict: Verdict = { acknowledged_lost: 0, duplicated: 0, refused_but_placed: 0 }
  const record = (figure: keyof Verdict, what: string): void => {
    verdict[figure] += 1
    if (verdict[figure] <= 5) report(`${figure}: ${what}`)
  }
  const sent = new Set<string>()
  for (const entry of book.entries.values()) {
    const { request_id } = entry.body
    const name = nameOf({ username: entry.username, request_id })
    sent.add(name)
    const tickets = byName.get(name) ?? []
    if (tickets.length > 1 || entry.order_ids.size > 1) record('duplicated', `${name} has several tickets`)
    if (entry.state === 'refused' && tickets.length > 0) record('refused_but_placed', name)
    if (entry.state === 'placed' && !(tickets.length === 1 && entry.order_ids.has(tickets[0]!.order_id)))
      record('acknowledged_lost', `${name}, acknowledged as ${[...entry.order_ids].join()}, is not written once`)
  }
  for (const name of byName.keys()) if (!sent.has(name)) record('duplicated', `nobody has sent ${name}`)

  const checks = [...clients].map(async ([username, client]) => {
    for (const entry of book.entries.values()) {
      if (entry.username !== username || entry.last === null || entry.isChanging) continue
      const path = findOrderByRequestId.path.replace(':request_id', entry.body.request_id)
      const answer = await askUntilDefinite(client, path)
      const found = 'data' in answer ? answer.data : answer
      if (isDeepStrictEqual(found, entry.last)) continue
      // A missing ticket was counted above.
      const name = nameOf({ username, request_id: entry.body.request_id })
      if (byName.has(name))
        record('acknowledged_lost', `${name} was\n${JSON.stringify(entry.last)} and is\n${JSON.stringify(found)}`)
    }
  })
  await Promise.all(checks)
  return verdict
}

/** Repeats a call until it gets a reply, because a call without one says nothing about the ticket. */
async function askUntilDefinite(client: Client, path: string): Promise<Attempt<typeof findOrderByRequestId>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.attempt(findOrderByRequestId, path, undefined, 30_000)
    if (answer.kind !== 'unknown' || tries === ASKING_TRIES) return answer
    await pause(ASKING_PAUSE_MS)
  }
}

function nameOf({ username, request_id }: { username: string; request_id: string }): string {
  return `${username}/${request_id}`
}
