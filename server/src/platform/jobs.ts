// The alarm clock. A job does what a query of the database says is due, so that a ring that is lost, late or double
// changes nothing: the truth is in the tables.

import { Logger, parseCronItems, run, type Runner } from 'graphile-worker'
import type pg from 'pg'

export interface Job {
  /** snake_case, verb and noun */
  name: string
  /** Crontab line of five fields, UTC. */
  when: string
  run(): Promise<unknown>
}

export interface Jobs {
  /**
   * Rings a job at an instant beside its own times, once for all who ask for the same second. A ring that cannot be set is
   * not missed: the job's own times find what is due.
   */
  ringAt(name: string, at: Date): void
  stop(): Promise<void>
}

export interface JobsOptions {
  /** Connections of the owner: the clock keeps its own tables. */
  pool: pg.Pool
  jobs: readonly Job[]
  onError: (name: string, error: unknown) => void
}

/** Starts ringing. Every node may: a ring goes to one of them. */
export async function startJobs({ pool, jobs, onError }: JobsOptions): Promise<Jobs> {
  const taskList = Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async () => {
        // The next ring is the next try; the worker's own retries would only pile up beside it.
        await job.run().catch((error: unknown) => onError(job.name, error))
      },
    ]),
  )
  const parsedCronItems = parseCronItems(
    jobs.map((job) => ({ task: job.name, match: job.when, options: { maxAttempts: 1, backfillPeriod: 0 } })),
  )
  const silent = new Logger(() => () => {})
  const runner: Runner = await run({
    pgPool: pool,
    taskList,
    parsedCronItems,
    concurrency: 2,
    noHandleSignals: true,
    logger: silent,
  })
  // A worker that loses its database ends; without a listener that would be an unhandled rejection.
  runner.promise.catch((error: unknown) => onError('worker', error))
  return {
    ringAt: (name, at) => {
      // Rounded up: the instant itself must have passed when the job looks.
      const second = new Date(Math.ceil((at.getTime() + 1) / 1_000) * 1_000)
      const jobKey = `${name}:${second.toISOString()}`
      runner
        .addJob(name, {}, { runAt: second, jobKey, jobKeyMode: 'preserve_run_at', maxAttempts: 1 })
        .catch((error: unknown) => onError(name, error))
    },
    stop: () => runner.stop(),
  }
}
