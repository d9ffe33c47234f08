import type { Order, PlaceOrderBody } from '@megalot/contract'
import { toRefusal } from '../../lib/refusal.ts'
import type { CallRefused } from '../../lib/refusal.ts'

// Sending a ticket so that it is placed once or not at all, whatever happens to the replies on their way.

export type Outcome =
  | { kind: 'placed'; order: Order }
  /** A definite no: nothing was debited. */
  | { kind: 'refused'; refusal: CallRefused }
  /** The log-in ended before the answer was known; the pending ticket waits for the next log-in. */
  | { kind: 'left' }

export interface SubmissionPorts {
  place: (body: PlaceOrderBody) => Promise<Order>
  findByRequestId: (request_id: string) => Promise<Order>
  wait: (milliseconds: number) => Promise<void>
  /** A reply was lost: the page says that it is looking for the ticket. */
  onLost: () => void
}

const WAITS_MS = [1_000, 2_000, 3_000, 5_000]

function waitMs(attempt: number): number {
  return WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]!
}

type Answer = Outcome | 'unsure' | 'absent'

async function ask(call: () => Promise<Order>): Promise<Answer> {
  try {
    return { kind: 'placed', order: await call() }
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.http === 401) return { kind: 'left' }
    if (refusal.isUnsure || refusal.code === 'too_many_requests') return 'unsure'
    return refusal.http === 404 && refusal.code === 'not_found' ? 'absent' : { kind: 'refused', refusal }
  }
}

/**
 * Sends a ticket and stays with it until its fate is known. A lost reply is looked for by `request_id`; only where the
 * server has no such ticket is the very same body sent again, under the same id, which the server places at most once.
 */
export async function submitTicket(body: PlaceOrderBody, ports: SubmissionPorts): Promise<Outcome> {
  const first = await ask(() => ports.place(body))
  if (typeof first === 'object') return first
  ports.onLost()
  for (let attempt = 0; ; attempt += 1) {
    await ports.wait(waitMs(attempt))
    const found = await ask(() => ports.findByRequestId(body.request_id))
    if (typeof found === 'object') return found
    if (found === 'unsure') continue
    const again = await ask(() => ports.place(body))
    if (again === 'unsure' || again === 'absent') continue
    if (again.kind !== 'refused') return again
    // The first call may have been taken a moment before the second was refused: look once more before saying no.
    await ports.wait(waitMs(1))
    const last = await ask(() => ports.findByRequestId(body.request_id))
    if (typeof last === 'object' && last.kind !== 'refused') return last
    if (last !== 'unsure') return again
  }
}

/**
 * What became of a ticket that was being sent when the page went away. It is not sent again by itself: `null` says that
 * the server does not have it, and the member decides.
 */
export async function recallTicket(request_id: string, ports: SubmissionPorts): Promise<Outcome | null> {
  let timesAbsent = 0
  for (let attempt = 0; ; attempt += 1) {
    const found = await ask(() => ports.findByRequestId(request_id))
    if (typeof found === 'object') return found
    if (found === 'absent') timesAbsent += 1
    // Asked twice, because the call itself may still have been on its way the first time.
    if (timesAbsent === 2) return null
    await ports.wait(waitMs(attempt + 1))
  }
}
