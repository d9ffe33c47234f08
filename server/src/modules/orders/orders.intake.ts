// The queue in front of the batches. A ticket that finds no batch of its period in flight starts one at once; tickets
// that arrive meanwhile form the next. So a lone ticket waits for nobody, and under load the batches grow by themselves.

import { breaksConstraint, type Db, isDatabaseAway } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Outcome, placeBatch } from './orders.batch.ts'
import type { Ticket } from './orders.decide.ts'

const LARGEST_BATCH = 128
/** Each batch holds a connection: the rest of the pool stays free for everybody else's calls. */
const MOST_BATCHES_AT_ONCE = 6

interface Waiting {
  ticket: Ticket
  resolve: (order_id: number) => void
  reject: (error: unknown) => void
}

export interface Intake {
  /**
   * Places a ticket.
   * @returns its number, once the commit is durable
   * @throws Refusal why it was not accepted; another error where its fate is unknown to us (ask by request_id)
   */
  placeTicket(ticket: Ticket): Promise<number>
}

export function createIntake(db: Db): Intake {
  /** Tickets that wait, by period; a period is here while a batch of it is in flight or about to be. */
  const queues = new Map<string, Waiting[]>()
  const turns = createTurns(MOST_BATCHES_AT_ONCE)

  async function runBatches(period_code: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await turns.take(() => settleBatch(db, period_code, queue.splice(0, LARGEST_BATCH)))
    queues.delete(period_code)
  }

  return {
    placeTicket: (ticket) =>
      new Promise((resolve, reject) => {
        const waiting = { ticket, resolve, reject }
        const queue = queues.get(ticket.period_code)
        if (queue) {
          queue.push(waiting)
          return
        }
        const started = [waiting]
        queues.set(ticket.period_code, started)
        void runBatches(ticket.period_code, started)
      }),
  }
}

/** Runs a batch and tells each ticket its outcome; never throws. */
async function settleBatch(db: Db, period_code: string, batch: readonly Waiting[]): Promise<void> {
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
  if ('order_id' in outcome) waiting.resolve(outcome.order_id)
  else waiting.reject(outcome.refusal)
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
