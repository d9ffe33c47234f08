// The job scheduler. A job does what a query of the database finds due, so a run that is lost, late or doubled changes
// nothing: the tables are the only state.

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
   * Schedules a run at an instant, in addition to the job's own times; requests for the same second share one run. A
   * run that cannot be scheduled is not lost: the job's own times find what is due.
   */
  runAt(name: string, at: Date): void
  stop(): Promise<void>
}

export interface JobsOptions {
  /** Connections of the owner: the scheduler keeps its own tables. */
  pool: pg.Pool
  jobs: readonly Job[]
  onError: (name: string, error: unknown) => void
  /** A stop waits for these jobs for longer than usual. */
  onWait?: (names: readonly string[]) => void
}

/** The pause between the end of a worker and the start of the next, in ms. */
const RESTART_MS = 1_000
/** How long a stop waits for jobs before it says so, in ms. */
const LONG_WAIT_MS = 3_000

/** Starts the scheduler. Every node may run one: each run goes to one of them. */
export async function startJobs({ pool, jobs, onError, onWait = () => {} }: JobsOptions): Promise<Jobs> {
  const reportFailure = (name: string, error: unknown): void => {
    jobFailuresTotal.inc({ job_name: name })
    onError(name, error)
  }
  const running: string[] = []
  const taskList = Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (_payload: unknown, { job: scheduled }: JobHelpers) => {
        // Both by the database's clock.
        if (scheduled.locked_at)
          jobLagSeconds.observe(
            { job_name: job.name },
            (scheduled.locked_at.getTime() - scheduled.run_at.getTime()) / 1_000,
          )
        const endTimer = jobSeconds.startTimer({ job_name: job.name })
        running.push(job.name)
        // The next run is the retry; the worker's own retries would only pile up.
        await job.run().then(
          () => jobSuccessTimestamp.setToCurrentTime({ job_name: job.name }),
          (error: unknown) => reportFailure(job.name, error),
        )
        running.splice(running.indexOf(job.name), 1)
        endTimer()
      },
    ]),
  )
  for (const { name } of jobs) jobFailuresTotal.inc({ job_name: name }, 0)
  const parsedCronItems = parseCronItems(
    jobs.map((job) => ({ task: job.name, match: job.when, options: { maxAttempts: 1, backfillPeriod: 0 } })),
  )
  const silent = new Logger(() => () => {})
  const options: RunnerOptions = {
    pgPool: pool,
    taskList,
    parsedCronItems,
    // One of them may check the invariants of everything for a while, another settle a large period.
    concurrency: 3,
    noHandleSignals: true,
    logger: silent,
    // In batches, even of one: only then does the worker notice when it cannot record that a job is done. Otherwise
    // that would be an unhandled rejection, and the process would end.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  let runner = await run(options)
  let isStopping = false

  /** A worker that loses its database at a critical moment ends; this starts another one. */
  async function superviseWorker(): Promise<void> {
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
  const supervision = superviseWorker()
  return {
    runAt: (name, at) => {
      // Rounded up: the instant itself must have passed when the job reads the clock.
      const second = new Date(Math.ceil((at.getTime() + 1) / 1_000) * 1_000)
      const jobKey = `${name}:${second.toISOString()}`
      runner
        .addJob(name, {}, { runAt: second, jobKey, jobKeyMode: 'preserve_run_at', maxAttempts: 1 })
        .catch((error: unknown) => onError(name, error))
    },
    stop: async () => {
      isStopping = true
      const timer = setTimeout(() => onWait([...running]), LONG_WAIT_MS)
      // A worker that has ended already has nothing to stop.
      await runner.stop().catch(() => {})
      await supervision
      clearTimeout(timer)
    },
  }
}
