// Intake: tickets of a period that arrive while a batch of it is in flight form the next batch.

import type pg from 'pg'
import { MAX_CACHED_BATCHES, MAX_READ_BATCHES } from '../../postgres/db.ts'
import { type Batcher, createBatcher } from '../../postgres/batcher.ts'
import { batchSeconds, batchTickets, queuedTickets } from '../../lib/metrics.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { NewTicket, Placement } from '../ticket.ts'
import { createUseCache, type UseCache } from '../play-limits/index.ts'
import { type AttemptName, createIntakeState, type IntakeState, placeBatch } from './attempts.ts'
import { createRecentRequests } from './recent-requests.ts'

const MAX_BATCH_SIZE = 256

export interface Intake {
  /**
   * Places a ticket.
   * @returns once the commit is durable
   * @throws Refusal why it was not accepted; after another error its outcome is unknown (look it up by request_id)
   */
  placeTicket(ticket: NewTicket): Promise<Placement>
}

/**
 * Two queues a period: one for the cached attempt, which decides most tickets, and one for the attempts that read. A ticket that must be
 * read, for example one that is refused, delays no ticket that need not.
 * @param playUses what this node knows of members with limits of their own
 */
export function createIntake(batches: pg.Pool, playUses: UseCache = createUseCache()): Intake {
  const state = createIntakeState(batches, playUses)
  const requests = createRecentRequests()
  const cachedQueue = createQueue(state, 'cached', ['cached'], MAX_CACHED_BATCHES)
  const readQueue = createQueue(state, 'read', ['read', 'readLocked', 'single'], MAX_READ_BATCHES)
  queuedTickets.addSource({}, () => cachedQueue.countWaiting() + readQueue.countWaiting())
  const place = async (ticket: NewTicket): Promise<Placement> =>
    // The last attempt decides every ticket.
    (await cachedQueue.add(ticket.period_code, ticket)) ?? (await readQueue.add(ticket.period_code, ticket))!
  return {
    placeTicket: (ticket) => {
      ticket.canBeDuplicate = requests.hasSeen(ticket.request_id)
      ticket.arrived_ms = state.readClock()
      return place(ticket)
    },
  }
}

/** @returns a queue whose result is undefined for a ticket that these attempts leave undecided */
function createQueue(
  state: IntakeState,
  queue: 'cached' | 'read',
  names: readonly AttemptName[],
  maxBatches: number,
): Batcher<NewTicket, Placement | undefined> {
  return createBatcher({
    maxBatchSize: MAX_BATCH_SIZE,
    semaphore: createSemaphore(maxBatches),
    runBatch: async (period_code, tickets) => {
      batchTickets.observe({ queue }, tickets.length)
      const endTimer = batchSeconds.startTimer({ queue })
      const outcomes = await placeBatch(state, period_code, tickets, names)
      endTimer()
      return outcomes.map((outcome) => outcome ?? { value: undefined })
    },
  })
}
