// What members know of their tickets with the times, to compare it with a database that was restored to a time.

import type { Order, PlaceOrderBody } from '@megalot/contract'
import { type BookEntry, TicketBook } from '../../ops/crash/ticket-book.ts'

/** Of the clock of this machine, which is the database's too, in ms. */
interface Times {
  sentAt: number
  /** Undefined: not acknowledged. */
  acknowledgedAt?: number
}

export interface Differences {
  /** Tickets that were acknowledged before the target, and are not there. */
  lost: number
  /** Tickets that were sent after the target, and are there. */
  late: number
  /** Tickets whose commit may have been before the target or after it. */
  either: number
  /** Tickets that were acknowledged before the target. */
  expected: number
}

export class TimedBook extends TicketBook {
  private readonly times = new Map<string, Times>()

  override open(username: string, body: PlaceOrderBody): BookEntry {
    this.times.set(body.request_id, { sentAt: Date.now() })
    return super.open(username, body)
  }

  override acknowledge(entry: BookEntry, order: Order): void {
    const times = this.times.get(entry.body.request_id)
    if (times) times.acknowledgedAt ??= Date.now()
    super.acknowledge(entry, order)
  }

  countAcknowledgedSince(at: number): number {
    return [...this.times.values()].filter(({ acknowledgedAt = 0 }) => acknowledgedAt > at).length
  }

  /** Compares with the request ids that a restored database has. @param target in ms; Infinity: everything */
  compare(restored: ReadonlySet<string>, target: number): Differences {
    const found: Differences = { lost: 0, late: 0, either: 0, expected: 0 }
    for (const [request_id, { sentAt, acknowledgedAt }] of this.times) {
      const isThere = restored.has(request_id)
      if (acknowledgedAt !== undefined && acknowledgedAt < target) {
        found.expected += 1
        if (!isThere) found.lost += 1
      } else if (sentAt > target) found.late += Number(isThere)
      else found.either += 1
    }
    return found
  }
}
