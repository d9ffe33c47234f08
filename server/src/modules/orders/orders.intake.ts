// The queue in front of the batches. A ticket that finds no batch of its period in flight starts one at once; tickets
// that arrive meanwhile form the next. So a lone ticket waits for nobody, and under load the batches grow by themselves.

import { breaksConstraint, type Db, isDatabaseAway } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Outcome, type Placed, placeBatch } from './orders.batch.ts'
import type { Ticket } from './orders.decide.ts'

const LARGEST_BATCH = 128
/** How many batches of one period may be in flight: while one is written, the next is being read. */
const MOST_OF_A_PERIOD = 2
/** Fewer tickets than this wait for the batch in flight to end: a batch costs something however small it is. */
const SECOND_BATCH = 32
/** Each batch holds a connection: the rest of the pool stays free for everybody else's calls. */
const MOST_BATCHES_AT_ONCE = 6

interface Waiting {
  ticket: Ticket
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

/** The tickets of a period that wait, and how many of its batches are in flight. */
interface Queue {
  waiting: Waiting[]
  running: number
}

export function createIntake(db: Db): Intake {
  const queues = new Map<string, Queue>()
  const turns = createTurns(MOST_BATCHES_AT_ONCE)

  async function runBatches(period_code: string, queue: Queue): Promise<void> {
    queue.running += 1
    while (queue.waiting.length > 0)
      await turns.take(() => settleBatch(db, period_code, queue.waiting.splice(0, LARGEST_BATCH)))
    queue.running -= 1
    if (queue.running === 0) queues.delete(period_code)
  }

  return {
    placeTicket: (ticket) =>
      new Promise((resolve, reject) => {
        const { period_code } = ticket
        const queue = queues.get(period_code) ?? { waiting: [], running: 0 }
        queues.set(period_code, queue)
        queue.waiting.push({ ticket, resolve, reject })
        // The first starts at once. A second sets out when there is enough for it, and waits at the first one's locks.
        if (queue.running === 0 || (queue.running < MOST_OF_A_PERIOD && queue.waiting.length >= SECOND_BATCH))
          void runBatches(period_code, queue)
      }),
  }
}

/** Runs a batch and tells each ticket its outcome; never throws. */
async function settleBatch(db: Db, period_code: string, batch: readonly Waiting[]): Promise<void> {
  // The other batch of the period may have taken what waited.
  if (batch.length === 0) return
  try {
    const outcomes = await placeBatch(
      db,
      period_code,
      batch.map((waiting) => waiting.ticket),
    )
    batch.forEach((waiting, index) => tell(waiting, outcomes[index]!))
  } catch (error) {
    // Nothing was written. If the database said no, one ticket must not take the others with it: each goes again alone.
    if (batch.length === 1 || isDatabaseAway(error)) for (const waiting of batch) waiting.reject(toRefusal(error))
    else for (const waiting of batch) await settleBatch(db, period_code, [waiting])
  }
}

/** The database's own last word, where it is one that a member can be told. */
function toRefusal(error: unknown): unknown {
  // The ticket was overtaken by the close between the decision and the writing.
  if (breaksConstraint(error, 'orders_in_time')) return new Refusal('period_closed', { status: 'INVALID' })
  return error
}

function tell(waiting: Waiting, outcome: Outcome): void {
  if ('refusal' in outcome) waiting.reject(outcome.refusal)
  else waiting.resolve(outcome)
}

interface Turns {
  /** Runs when it is its turn, in order of asking. */
  take(run: () => Promise<void>): Promise<void>
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
        await run()
      } finally {
        // The turn goes straight to the next in line, so that nobody slips in between.
        const next = line.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
