import type { Order, PlaceOrderBody } from '@megalot/contract'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import type { CallRefused } from '../../../lib/errors/refusal.ts'

// Sending a ticket so that it is placed once or not at all, whatever happens to the replies on their way. One press
// sends one call; everything after it only asks.

export type Outcome =
  | { kind: 'placed'; order: Order }
  /** Refused for good: nothing was debited. */
  | { kind: 'refused'; refusal: CallRefused }
  /** The server does not have the ticket: nothing was debited. The member decides whether it is sent again. */
  | { kind: 'absent' }
  /** The log-in ended before the answer was known; the pending ticket waits for the next log-in. */
  | { kind: 'left' }

export interface SubmissionPorts {
  place: (body: PlaceOrderBody) => Promise<Order>
  findByRequestId: (request_id: string) => Promise<Order>
  wait: (milliseconds: number) => Promise<void>
  /** The ticket is being looked for; `isReachable` is false while the server does not answer. */
  onLooking: (isReachable: boolean) => void
}

const WAITS_MS = [1_000, 2_000, 3_000, 5_000]
/** Asked so many times, because the call itself may still have been on its way the first time. */
const TIMES_ABSENT = 3

function waitMs(attempt: number): number {
  return WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]!
}

type Answer = Outcome | 'unsure' | 'no_reply'

async function ask(call: () => Promise<Order>): Promise<Answer> {
  try {
    return { kind: 'placed', order: await call() }
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.http === 401) return { kind: 'left' }
    if (refusal.http === null) return 'no_reply'
    // Maintenance is a refusal, although its status 503 is that of a failure.
    if (refusal.code === 'maintenance') return { kind: 'refused', refusal }
    if (refusal.isUnsure || refusal.code === 'too_many_requests') return 'unsure'
    return refusal.http === 404 && refusal.code === 'not_found' ? { kind: 'absent' } : { kind: 'refused', refusal }
  }
}

/** Sends a ticket once, and returns when its outcome is known: after a lost reply it is looked up by `request_id`. */
export async function submitTicket(body: PlaceOrderBody, ports: SubmissionPorts): Promise<Outcome> {
  const first = await ask(() => ports.place(body))
  // The server verifies the caller first: without a log-in it has not placed the ticket, and there is nothing to look up.
  if (typeof first === 'object') return first.kind === 'left' ? { kind: 'absent' } : first
  ports.onLooking(first !== 'no_reply')
  await ports.wait(waitMs(0))
  return findTicketFor(body.request_id, ports)
}

/**
 * Looks up the outcome of a ticket that was sent. That the server does not have it counts from `absentFromMs` on: until
 * then the call itself may not have arrived.
 */
export async function findTicketFor(request_id: string, ports: SubmissionPorts, absentFromMs = 0): Promise<Outcome> {
  let timesAbsent = 0
  for (let attempt = 1; ; attempt += 1) {
    const found = await ask(() => ports.findByRequestId(request_id))
    if (typeof found === 'object' && (found.kind === 'placed' || found.kind === 'left')) return found
    ports.onLooking(found !== 'no_reply')
    // A look-up that was itself refused says nothing about the ticket.
    if (typeof found === 'object' && found.kind === 'absent') {
      timesAbsent += 1
      if (timesAbsent >= TIMES_ABSENT && Date.now() >= absentFromMs) return found
    }
    await ports.wait(waitMs(attempt))
  }
}
