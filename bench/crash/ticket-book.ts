// What the members know of their tickets, recorded before anything is sent; and whether the application finally agrees
// with it.

import { findOrderByRequestId, type Order, type PlaceOrderBody } from '@megalot/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client.ts'

export interface Fate {
  username: string
  body: PlaceOrderBody
  state: 'undecided' | 'placed' | 'refused'
  /** Every id under which it was acknowledged: more than one would be a ticket placed twice. */
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
  readonly fates = new Map<string, Fate>()
  /** Tickets with at least one lost try. */
  unknownOutcomes = 0
  /** Confirmations and cancellations that were acknowledged. */
  changes = 0
  /** How often each refusal was received. */
  readonly refusals = new Map<string, number>()

  open(username: string, body: PlaceOrderBody): Fate {
    const fate: Fate = { username, body, state: 'undecided', order_ids: new Set(), last: null, isChanging: false }
    this.fates.set(body.request_id, fate)
    return fate
  }

  acknowledge(fate: Fate, order: Order): void {
    fate.state = 'placed'
    fate.order_ids.add(order.order_id)
    fate.last = order
  }

  refuse(fate: Fate, code: string): void {
    fate.state = 'refused'
    this.noteRefusal(code)
  }

  noteRefusal(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }

  count(state: Fate['state']): number {
    return [...this.fates.values()].filter((fate) => fate.state === state).length
  }

  countUndecided(): number {
    return [...this.fates.values()].filter((fate) => fate.state === 'undecided' || fate.isChanging).length
  }
}

export interface Verdict {
  acknowledged_lost: number
  duplicated: number
  refused_but_placed: number
}

/**
 * Compares the book with the database and with the application's replies about each ticket.
 * @param clients each member's own connection to the application
 * @param report called with the first few differences
 */
export async function judgeBook(
  book: TicketBook,
  written: readonly WrittenTicket[],
  clients: ReadonlyMap<string, Client>,
  tell: (line: string) => void,
): Promise<Verdict> {
  const byName = new Map<string, WrittenTicket[]>()
  for (const ticket of written) byName.set(nameOf(ticket), [...(byName.get(nameOf(ticket)) ?? []), ticket])
  const verdict: Verdict = { acknowledged_lost: 0, duplicated: 0, refused_but_placed: 0 }
  const note = (figure: keyof Verdict, what: string): void => {
    verdict[figure] += 1
    if (verdict[figure] <= 5) tell(`${figure}: ${what}`)
  }
  const known = new Set<string>()
  for (const fate of book.fates.values()) {
    const { request_id } = fate.body
    const name = nameOf({ username: fate.username, request_id })
    known.add(name)
    const tickets = byName.get(name) ?? []
    if (tickets.length > 1 || fate.order_ids.size > 1) note('duplicated', `${name} has several tickets`)
    if (fate.state === 'refused' && tickets.length > 0) note('refused_but_placed', name)
    if (fate.state === 'placed' && !(tickets.length === 1 && fate.order_ids.has(tickets[0]!.order_id)))
      note('acknowledged_lost', `${name}, acknowledged as ${[...fate.order_ids].join()}, is not written once`)
  }
  for (const name of byName.keys()) if (!known.has(name)) note('duplicated', `nobody has sent ${name}`)

  const asking = [...clients].map(async ([username, client]) => {
    for (const fate of book.fates.values()) {
      if (fate.username !== username || fate.last === null || fate.isChanging) continue
      const path = findOrderByRequestId.path.replace(':request_id', fate.body.request_id)
      const { kind, ...answer } = await client.attempt(findOrderByRequestId, path, undefined, 30_000)
      const found = 'data' in answer ? answer.data : { kind, ...answer }
      if (isDeepStrictEqual(found, fate.last)) continue
      // A ticket that does not exist was counted above.
      const name = nameOf({ username, request_id: fate.body.request_id })
      if (byName.has(name))
        note('acknowledged_lost', `${name} was\n${JSON.stringify(fate.last)} and is\n${JSON.stringify(found)}`)
    }
  })
  await Promise.all(asking)
  return verdict
}

function nameOf({ username, request_id }: { username: string; request_id: string }): string {
  return `${username}/${request_id}`
}
