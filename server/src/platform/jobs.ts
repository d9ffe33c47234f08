// The alarm clock. A job does what a query of the database says is due, so that a ring that is lost, late or double
// changes nothing: the truth is in the tables.

import { setTimeout as pause } from 'node:timers/promises'
import { type JobHelpers, Logger, parseCronItems, run, type RunnerOptions } from 'graphile-worker'
import type pg from 'pg'
import { jobFailuresTotal, jobLagSeconds, jobSeconds, jobSuccessTimestamp } from './metrics.ts'

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

/** Between the end of a worker and the start of the next, in ms. */
const RESTART_MS = 1_000

/** Starts ringing. Every node may: a ring goes to one of them. */
export async function startJobs({ pool, jobs, onError }: JobsOptions): Promise<Jobs> {
  const reportFailure = (name: string, error: unknown): void => {
    jobFailuresTotal.inc({ job: name })
    onError(name, error)
  }
  const taskList = Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (_payload: unknown, { job: ring }: JobHelpers) => {
        // Both by the database's clock.
        if (ring.locked_at)
          jobLagSeconds.observe({ job: job.name }, (ring.locked_at.getTime() - ring.run_at.getTime()) / 1_000)
        const endTimer = jobSeconds.startTimer({ job: job.name })
        // The next ring is the next try; the worker's own retries would only pile up beside it.
        await job.run().then(
          () => jobSuccessTimestamp.setToCurrentTime({ job: job.name }),
          (error: unknown) => reportFailure(job.name, error),
        )
        endTimer()
      },
    ]),
  )
  for (const { name } of jobs) jobFailuresTotal.inc({ job: name }, 0)
  const parsedCronItems = parseCronItems(
    jobs.map((job) => ({ task: job.name, match: job.when, options: { maxAttempts: 1, backfillPeriod: 0 } })),
  )
  const silent = new Logger(() => () => {})
  const options: RunnerOptions = {
    pgPool: pool,
    taskList,
    parsedCronItems,
    concurrency: 2,
    noHandleSignals: true,
    logger: silent,
    // In batches, even of one: only then does the worker hear of it when it cannot write down that a job is done. Otherwise
    // that would be an unhandled rejection, and the end of this process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  let runner = await run(options)
  let isStopping = false

  /** A worker that loses its database at the wrong moment ends: then there is another. */
  async function keepRunning(): Promise<void> {
    while (!isStopping) {
      await runner.promise.catch((error: unknown) => reportFailure('worker', error))
      while (!isStopping) {
        await pause(RESTART_MS)
        const next = await run(options).catch((error: unknown) => reportFailure('worker', error))
        if (!next) continue
        runner = next
        if (isStopping) await runner.stop()
        break
      }
    }
  }
  const kept = keepRunning()
  return {
    ringAt: (name, at) => {
      // Rounded up: the instant itself must have passed when the job looks.
      const second = new Date(Math.ceil((at.getTime() + 1) / 1_000) * 1_000)
      const jobKey = `${name}:${second.toISOString()}`
      runner
        .addJob(name, {}, { runAt: second, jobKey, jobKeyMode: 'preserve_run_at', maxAttempts: 1 })
        .catch((error: unknown) => onError(name, error))
    },
    stop: async () => {
      isStopping = true
      // One that has ended already has nothing to stop.
      await runner.stop().catch(() => {})
      await kept
    },
  }
}
