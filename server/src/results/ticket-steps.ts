// A job over the tickets of a period: paying wins, refunding stakes. It runs in steps of some hundred tickets, ordered
// by id. Each step is one transaction that processes its tickets and saves the progress. The job can be interrupted
// anywhere, resumes from there, and may run on any node: the lock on its progress row admits one step at a time.

import type { Db, Tx } from '../postgres/db.ts'
import { getPeriodById } from '../markets/index.ts'
import { confirmWaitingOrders } from '../betting/index.ts'

const TICKETS_PER_STEP = 500

export interface Progress {
  /** The columns name what was done: `paid_up_to_order_id`, `refunded_up_to_order_id`. */
  done_up_to_order_id: number
  isFinished: boolean
  /** The settlement round; a job that runs again for the same period has the next one. */
  round: number
}

/** Computed once per run of a job and reused for all its steps. */
export interface Plan {
  /** The tickets to process, ordered by id. */
  order_ids: readonly number[]
}

export interface TicketJob<OwnPlan extends Plan> {
  /** Prepares what the plan needs, in separate transactions, which take locks before that of the progress. */
  prepare?(db: Db): Promise<void>
  /** Reads the progress and locks it until the transaction ends. */
  lockProgress(tx: Tx): Promise<Progress>
  makePlan(tx: Tx, progress: Progress): Promise<OwnPlan>
  /** Processes the next tickets and saves the progress. */
  processTickets(tx: Tx, plan: OwnPlan, order_ids: readonly number[]): Promise<void>
  finish(tx: Tx): Promise<void>
}

/** What a run keeps between the steps of a job. */
export interface JobRun<OwnPlan extends Plan> {
  plan?: OwnPlan & { round: number; processed: number }
}

/**
 * Runs a period's job to its end.
 * @param ticketsPerStep smaller steps release the locks more often
 */
export async function runTicketJob<OwnPlan extends Plan>(
  db: Db,
  period_id: number,
  job: TicketJob<OwnPlan>,
  ticketsPerStep = TICKETS_PER_STEP,
): Promise<void> {
  const run: JobRun<OwnPlan> = {}
  while (!(await runTicketStep(db, period_id, job, ticketsPerStep, run)));
}

/**
 * Processes the next tickets.
 * @returns whether the job is finished
 */
export async function runTicketStep<OwnPlan extends Plan>(
  db: Db,
  period_id: number,
  job: TicketJob<OwnPlan>,
  ticketsPerStep: number,
  run: JobRun<OwnPlan> = {},
): Promise<boolean> {
  if (!run.plan) {
    // Before the preparation, which counts all tickets, so that it runs once however many have waited.
    while ((await db.transaction().execute((tx) => confirmNext(tx, period_id))) > 0);
    await job.prepare?.(db)
  }
  return db.transaction().execute(async (tx) => {
    const progress = await job.lockProgress(tx)
    if (progress.isFinished) return true
    if (run.plan?.round !== progress.round) {
      // Tickets of a batch that was in flight, after which the preparation is repeated. A separate step, because it
      // locks members' cash, and processing locks others'. Both in one transaction could deadlock with a batch of
      // another period.
      if ((await confirmNext(tx, period_id)) > 0) return false
      run.plan = { ...(await job.makePlan(tx, progress)), round: progress.round, processed: 0 }
    }
    const { plan } = run
    // Another run may have processed some of them meanwhile.
    const { order_ids } = plan
    while (plan.processed < order_ids.length && order_ids[plan.processed]! <= progress.done_up_to_order_id)
      plan.processed += 1
    const next = order_ids.slice(plan.processed, plan.processed + ticketsPerStep)
    if (next.length === 0) {
      await job.finish(tx)
      return true
    }
    await job.processTickets(tx, plan, next)
    return false
  })
}

/** @returns how many waited; 0 if none waits any more */
async function confirmNext(tx: Tx, period_id: number): Promise<number> {
  return confirmWaitingOrders(tx, await getPeriodById(tx, period_id))
}
