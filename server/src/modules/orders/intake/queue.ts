// Intake: tickets of a period that arrive while a batch of it is in flight form the next batch.

import type pg from 'pg'
import { MAX_BATCHES } from '../../../platform/db.ts'
import { createBatcher } from '../../../platform/batcher.ts'
import { batchSeconds, batchTickets, queuedTickets } from '../../../platform/metrics.ts'
import { createSemaphore } from '../../../platform/semaphore.ts'
import type { NewTicket, Placement } from '../ticket.ts'
import { createIntakeState, placeBatch } from './attempts.ts'
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

export function createIntake(batches: pg.Pool): Intake {
  const state = createIntakeState(batches)
  const requests = createRecentRequests()
  const batcher = createBatcher<NewTicket, Placement>({
    maxBatchSize: MAX_BATCH_SIZE,
    semaphore: createSemaphore(MAX_BATCHES),
    runBatch: async (period_code, tickets) => {
      batchTickets.observe(tickets.length)
      const endTimer = batchSeconds.startTimer()
      const outcomes = await placeBatch(state, period_code, tickets)
      endTimer()
      return outcomes
    },
  })
  queuedTickets.addSource({}, () => batcher.countWaiting())
  return {
    placeTicket: (ticket) =>
      batcher.add(ticket.period_code, { ...ticket, maybeDuplicate: requests.hasSeen(ticket.request_id) }),
  }
}
