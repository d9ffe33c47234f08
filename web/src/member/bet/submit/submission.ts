import type { Order, PlaceOrderBody } from '@megalot/contract'
import { TICKET_ENDED_MS } from '@megalot/contract/browser'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import type { CallRefused } from '../../../lib/errors/refusal.ts'

// Sending a ticket so that it is placed once or not at all, whatever happens to the replies on their way. While the service is
// away the ticket is queued and sent again under its request_id, by which the server knows it; everything after that only asks.

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
  /** Notes that the ticket is about to be sent again; false where it must not be, because another tab has shown its outcome. */
  keepSentAgain: () => boolean
  wait: (milliseconds: number) => Promise<void>
  /** The service is away: the ticket waits to be sent again. */
  onQueued: () => void
  /** The ticket is being looked for; `isReachable` is false while the server does not answer. */
  onLooking: (isReachable: boolean) => void
}

const WAITS_MS = [1_000, 2_000, 3_000, 5_000]
/** For how long a ticket is sent again by itself, from the first time on. */
const REPEATING_MS = 30_000
/** Asked so many times, because the call itself may still have been on its way the first time. */
const TIMES_ABSENT = 3

function waitMs(attempt: number): number {
  return WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]!
}

/**
 * What a call said. An outcome and `failed` take the envelope of the server; a reply can be not the server's in four ways:
 * - nothing came, or nothing that is JSON: `silent`, so it is sent again
 * - the status 503, as of a proxy that reaches no node: `away`, as if the server had said it, so it is sent again
 * - any other status of a failure, such as 401, 403, 404, 408, 429, 499, 502 or 504: `unsure`, so it is looked up
 * - the status of a success: `unsure` too
 *
 * `failed`: the server has answered, so the call has ended, but not whether the ticket is there. After the others it may go on.
 */
type Answer = Outcome | 'failed' | 'unsure' | 'away' | 'silent'

async function ask(call: () => Promise<Order>): Promise<Answer> {
  try {
    return { kind: 'placed', order: await call() }
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.http === null) return 'silent'
    // Maintenance is a refusal despite its status 503.
    if (refusal.code === 'maintenance') return { kind: 'refused', refusal }
    if (refusal.http === 503) return 'away'
    if (refusal.code === 'no_reply') return 'unsure'
    if (refusal.http === 401) return { kind: 'left' }
    if (refusal.code === 'server_error' || refusal.code === 'too_many_requests') return 'failed'
    return refusal.code === 'not_found' ? { kind: 'absent' } : { kind: 'refused', refusal }
  }
}

/**
 * Sends a ticket, and returns when its outcome is known. Without a reply, or while the service is away, it is sent again under the
 * same `request_id` for `REPEATING_MS`; after that, or where the server's answer does not say, it is looked up.
 */
export async function submitTicket(body: PlaceOrderBody, ports: SubmissionPorts): Promise<Outcome> {
  const repeatUntilMs = Date.now() + REPEATING_MS
  // When the last try whose outcome is unknown has surely ended, in ms since 1970.
  let surelyEndedMs = 0
  const lookUp = async (isReachable: boolean): Promise<Outcome> => {
    ports.onLooking(isReachable)
    await ports.wait(waitMs(0))
    return findTicketFor(body.request_id, ports, () => surelyEndedMs)
  }
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask(() => ports.place(body))
    if (typeof answer === 'object')
      return attempt === 0 ? outcomeOfFirst(answer) : outcomeOfRepeat(answer, body, ports, surelyEndedMs)
    if (attempt > 0 || answer !== 'failed') surelyEndedMs = Date.now() + TICKET_ENDED_MS
    if (answer === 'failed' || answer === 'unsure' || Date.now() + waitMs(attempt) > repeatUntilMs)
      return lookUp(answer !== 'silent')
    ports.onQueued()
    await ports.wait(waitMs(attempt))
    // The device may have slept meanwhile, and another tab may have shown the member that there is no ticket.
    if (Date.now() > repeatUntilMs || !ports.keepSentAgain()) return lookUp(answer !== 'silent')
  }
}

/** The server verifies the caller first: without a log-in it has not placed the ticket, and there is nothing to look up. */
function outcomeOfFirst(answer: Outcome): Outcome {
  return answer.kind === 'left' ? { kind: 'absent' } : answer
}

/** A refusal concerns this try alone. An earlier try may still arrive and be accepted. */
async function outcomeOfRepeat(
  answer: Outcome,
  { request_id }: PlaceOrderBody,
  ports: SubmissionPorts,
  surelyEndedMs: number,
): Promise<Outcome> {
  if (answer.kind === 'placed' || answer.kind === 'left') return answer
  ports.onLooking(true)
  const found = await findTicketFor(request_id, ports, () => surelyEndedMs)
  return found.kind === 'absent' ? answer : found
}

/**
 * Looks up the outcome of a ticket that was sent. That the server does not have it counts from `absentFromMs` on, in ms since 1970:
 * until then the call itself may not have arrived. It is asked for each time, because another tab may send the ticket again.
 */
export async function findTicketFor(
  request_id: string,
  ports: SubmissionPorts,
  absentFromMs: () => number,
): Promise<Outcome> {
  let timesAbsent = 0
  for (let attempt = 1; ; attempt += 1) {
    const found = await ask(() => ports.findByRequestId(request_id))
    if (typeof found === 'object' && (found.kind === 'placed' || found.kind === 'left')) return found
    ports.onLooking(found !== 'silent')
    // A look-up that was itself refused says nothing about the ticket.
    if (typeof found === 'object' && found.kind === 'absent') {
      timesAbsent += 1
      if (timesAbsent >= TIMES_ABSENT && Date.now() >= absentFromMs()) return found
    }
    await ports.wait(waitMs(attempt))
  }
}
