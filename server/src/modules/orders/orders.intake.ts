// The queue in front of the batches. A ticket that finds no batch of its period in flight starts one at once; tickets
// that arrive meanwhile form the next. So a lone ticket waits for nobody, and under load the batches grow by themselves.

import { setImmediate } from 'node:timers/promises'
import { breaksConstraint, type Db, isDatabaseAway, MOST_BATCHES } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createBatchMemory } from './batch-memory.ts'
import { type Outcome, placeBatch } from './orders.batch.ts'
import type { Ticket } from './orders.decide.ts'
import { placeOnTrust } from './orders.trust.ts'
import type { Placed } from './orders.write.ts'
import { createRecentRequests } from './recent-requests.ts'

const LARGEST_BATCH = 128
/** How many batches of one period may be in flight: while one is written, the next is being read. */
const MOST_OF_A_PERIOD = 2
/** Fewer tickets than this wait for the batch in flight to end: a batch costs something however small it is. */
const SECOND_BATCH = 96
/** How many replies are written in one go. */
const TOLD_AT_ONCE = 32

interface Waiting {
  ticket: Ticket
  /** Whether memory did not say enough to place it. */
  mustBeRead: boolean
  resolve: (placed: Placed) => void
  reject: (error: unknown) => void
}

export interface Intake {
  /**
   * Places a ticket.
   * @returns once the commit is durable
   * @throws Refusal why it was not accepted; another error where its fate is unknown to us (ask by request_id)
   */
  placeTicket(ticket: Ticket): Promise<Placed>
}

/** The tickets of a period that wait, how many of its batches are in flight, and whose tickets those hold. */
interface Queue {
  waiting: Waiting[]
  running: number
  inFlight: Set<number>
}

export function createIntake(db: Db): Intake {
  const queues = new Map<string, Queue>()
  const turns = createTurns(MOST_BATCHES)
  const requests = createRecentRequests()
  const memory = createBatchMemory()
  const ways: Ways = {
    onTrust: (period_code, tickets) => placeOnTrust(db, memory, period_code, tickets),
    byReading: (period_code, tickets) => placeBatch(db, memory, period_code, tickets),
  }

  async function runBatches(period_code: string, queue: Queue): Promise<void> {
    queue.running += 1
    while (
      queue.waiting.length >= (queue.running > 1 ? SECOND_BATCH : 1) &&
      (await turns.take(() => runBatch(period_code, queue)))
    ) {
      // Until nobody waits, or everybody who does has a ticket in the other batch, whose run goes on.
    }
    queue.running -= 1
    if (queue.running > 0) return
    // Where both runs ended in the same moment, what came in between is still there.
    if (queue.waiting.length > 0) void runBatches(period_code, queue)
    else queues.delete(period_code)
  }

  /** @returns false where there was nothing to take */
  async function runBatch(period_code: string, queue: Queue): Promise<boolean> {
    const batch = takeBatch(queue)
    if (batch.length === 0) return false
    const user_ids = batch.map(({ ticket }) => ticket.user_id)
    for (const user_id of user_ids) queue.inFlight.add(user_id)
    const left = await settleBatch(ways, period_code, batch)
    queue.waiting.unshift(...left)
    for (const user_id of user_ids) queue.inFlight.delete(user_id)
    return true
  }

  return {
    placeTicket: (ticket) =>
      new Promise((resolve, reject) => {
        const { period_code } = ticket
        const queue = queues.get(period_code) ?? { waiting: [], running: 0, inFlight: new Set() }
        queues.set(period_code, queue)
        queue.waiting.push({
          ticket: { ...ticket, isNew: !requests.mayHaveCome(ticket.request_id) },
          mustBeRead: false,
          resolve,
          reject,
        })
        // The first starts at once. A second sets out when there is enough for it, and waits at the first one's locks.
        if (queue.running === 0 || (queue.running < MOST_OF_A_PERIOD && queue.waiting.length >= SECOND_BATCH))
          void runBatches(period_code, queue)
      }),
  }
}

/**
 * Takes the next tickets in order of arrival, but none of a member who has one in flight: the batch would wait at that
 * member's account for the other to end, and of many members two batches nearly always share one.
 */
function takeBatch(queue: Queue): Waiting[] {
  const taken: Waiting[] = []
  const left: Waiting[] = []
  for (const waiting of queue.waiting) {
    const isTaken = taken.length < LARGEST_BATCH && !queue.inFlight.has(waiting.ticket.user_id)
    ;(isTaken ? taken : left).push(waiting)
  }
  queue.waiting = left
  return taken
}

/** The two ways in which the tickets of a batch are placed. */
interface Ways {
  /** Gives those that were placed. */
  onTrust: (period_code: string, tickets: readonly Ticket[]) => Promise<Map<Ticket, Placed>>
  byReading: (period_code: string, tickets: readonly Ticket[]) => Promise<Outcome[]>
}

/**
 * Runs a batch and tells each ticket its outcome; never throws.
 * @returns tickets that memory did not say enough to place: they come first in the next batch, and all of that one reads
 */
async function settleBatch(ways: Ways, period_code: string, batch: readonly Waiting[]): Promise<Waiting[]> {
  if (batch.some(({ mustBeRead }) => mustBeRead)) {
    await settleByReading(ways, period_code, batch)
    return []
  }
  try {
    const placed = await ways.onTrust(period_code, listTickets(batch))
    const told = batch.filter(({ ticket }) => placed.has(ticket))
    void tellAll(
      told,
      told.map(({ ticket }) => placed.get(ticket)!),
    )
    const left = batch.filter(({ ticket }) => !placed.has(ticket))
    if (placed.size === 0) await settleByReading(ways, period_code, left)
    return placed.size === 0 ? [] : left.map((waiting) => ({ ...waiting, mustBeRead: true }))
  } catch (error) {
    // Whether they were written is not known, and cannot be found out now.
    for (const waiting of batch) waiting.reject(error)
    return []
  }
}

async function settleByReading(ways: Ways, period_code: string, batch: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await ways.byReading(period_code, listTickets(batch))
    void tellAll(batch, outcomes)
  } catch (error) {
    // Nothing was written. If the database said no, one ticket must not take the others with it: each goes again alone.
    if (batch.length === 1 || isDatabaseAway(error)) for (const waiting of batch) waiting.reject(toRefusal(error))
    else for (const waiting of batch) await settleByReading(ways, period_code, [waiting])
  }
}

function listTickets(batch: readonly Waiting[]): Ticket[] {
  return batch.map(({ ticket }) => ticket)
}

/** The database's own last word, where it is one that a member can be told. */
function toRefusal(error: unknown): unknown {
  // The ticket was overtaken by the close between the decision and the writing.
  if (breaksConstraint(error, 'orders_in_time')) return new Refusal('period_closed', { status: 'INVALID' })
  return error
}

/**
 * Tells a few at a time and looks at the database's answers in between: a batch in flight waits for us with all its tickets,
 * and the next one sets out before this one's replies are written.
 */
async function tellAll(batch: readonly Waiting[], outcomes: readonly Outcome[]): Promise<void> {
  for (const [index, waiting] of batch.entries()) {
    if (index % TOLD_AT_ONCE === 0) await setImmediate()
    tell(waiting, outcomes[index]!)
  }
}

function tell(waiting: Waiting, outcome: Outcome): void {
  if ('refusal' in outcome) waiting.reject(outcome.refusal)
  else waiting.resolve(outcome)
}

interface Turns {
  /** Runs when it is its turn, in order of asking. */
  take<Result>(run: () => Promise<Result>): Promise<Result>
}

/** Lets a number of runs go at once; the others wait in line. */
function createTurns(most: number): Turns {
  let running = 0
  const line: (() => void)[] = []
  return {
    take: async (run) => {
      if (running >= most) await new Promise<void>((resolve) => line.push(resolve))
      else running += 1
      try {
        return await run()
      } finally {
        // The turn goes straight to the next in line, so that nobody slips in between.
        const next = line.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
