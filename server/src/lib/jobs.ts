// The job scheduler. A job does whatever a query finds due, so a lost, late or repeated run changes nothing: the tables
// are the only state.

import { setTimeout as pause } from 'node:timers/promises'
import { type JobHelpers, Logger, parseCronItems, run, type Runner, type RunnerOptions } from 'graphile-worker'
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
   * Schedules a run at an instant, in addition to the job's own times. Requests for the same second share one run. If
   * scheduling fails nothing is lost, because a regular run finds what is due.
   */
  runAt(name: string, at: Date): void
  stop(): Promise<void>
}

export interface JobsOptions {
  /** The owner's connections, because the scheduler keeps its own tables. */
  pool: pg.Pool
  jobs: readonly Job[]
  onError: (name: string, error: unknown) => void
  /** Called if stopping waits long for these jobs. */
  onWait?: (names: readonly string[]) => void
}

/** Pause between the end of a worker and the start of the next, in ms. */
const RESTART_MS = 1_000
/** How long stopping waits for jobs before reporting it, in ms. */
const LONG_WAIT_MS = 3_000

/** After this many consecutive failed look-ups of a next job, check whether the database replies. */
const FAILED_LOOK_UPS = 6
/** Number of replies after which the worker is stopped. A worker finds a database that has just come back by itself. */
const REPLIES_UNTIL_STOP = 2

/**
 * Stops a worker that fails although its database replies. graphile-worker 0.17 looks its tasks up once and caches a
 * failure: after one connection timeout, no job would run until the process ends.
 */
function stopWhenStuck(runner: Runner, pool: pg.Pool, onStuck: (error: unknown) => void): void {
  let [failures, replies] = [0, 0]
  const succeed = (): void => {
    failures = 0
    replies = 0
  }
  runner.events.on('worker:getJob:empty', succeed)
  runner.events.on('job:start', succeed)
  runner.events.on('worker:getJob:error', ({ error }) => {
    failures += 1
    if (failures % FAILED_LOOK_UPS !== 0) return
    pool.query('select 1').then(
      async () => {
        replies += 1
        // Once: later replies find it stopped.
        if (replies !== REPLIES_UNTIL_STOP) return
        onStuck(error)
        // It may already be stopped.
        await runner.stop().catch(() => {})
      },
      // The database is unavailable, and the worker keeps asking.
      () => {},
    )
  })
}

interface Worker {
  addJob: Runner['addJob']
  stop(): Promise<void>
}

/** Starts a worker, and replaces it if it ends because it lost its database at a critical moment. */
async function startWorker(
  pool: pg.Pool,
  work: Pick<RunnerOptions, 'taskList' | 'parsedCronItems' | 'concurrency'>,
  onError: (error: unknown) => void,
): Promise<Worker> {
  const silent = new Logger(() => () => {})
  const options: RunnerOptions = {
    pgPool: pool,
    noHandleSignals: true,
    logger: silent,
    // In batches, even of one, because only then does the worker notice if it cannot record that a job is done.
    // Otherwise that would be an unhandled rejection, which ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    ...work,
  }
  let isStopping = false
  const start = async (): Promise<Runner> => {
    // The library caches look-ups by the options object, so each worker gets its own.
    const started = await run({ ...options })
    stopWhenStuck(started, pool, onError)
    return started
  }
  let runner = await start()

  async function supervise(): Promise<void> {
    while (!isStopping) {
      await runner.promise.catch(onError)
      while (!isStopping) {
        await pause(RESTART_MS)
        const next = await start().catch(onError)
        if (!next) continue
        runner = next
        if (isStopping) await runner.stop()
        break
      }
    }
  }
  const supervision = supervise()
  return {
    addJob: (...job) => runner.addJob(...job),
    stop: async () => {
      isStopping = true
      // A worker that has already ended has nothing to stop.
      await runner.stop().catch(() => {})
      await supervision
    },
  }
}

export interface QueueOptions {
  /** The owner's connections, because the queue's tables are the scheduler's. */
  pool: pg.Pool
  /** The name of the queued tasks, snake_case, verb and noun. */
  name: string
  concurrency: number
  /** @throws Error if the task certainly did nothing and is to be tried again */
  run: (payload: unknown, queuedAt: Date) => Promise<unknown>
  onError: (name: string, error: unknown) => void
}

const failureOf = (attempt: number): string => `attempt ${attempt} failed`

/**
 * Works off a queue whose tasks must not run twice. A task that failed is tried again, ever later. A task whose node
 * died while it ran is not: nobody knows how far it came.
 */
export async function startQueue({ pool, name, concurrency, run, onError }: QueueOptions): Promise<Pick<Jobs, 'stop'>> {
  const work = async (payload: unknown, { job }: JobHelpers): Promise<void> => {
    const { attempts, max_attempts, last_error, created_at } = job
    if (attempts > 1 && last_error !== failureOf(attempts - 1)) return
    try {
      await run(payload, created_at)
    } catch (error) {
      onError(name, error)
      // After the last attempt the task is removed as if done.
      if (attempts < max_attempts) throw new Error(failureOf(attempts), { cause: error })
    }
  }
  return startWorker(pool, { taskList: { [name]: work }, parsedCronItems: [], concurrency }, (error) =>
    onError(name, error),
  )
}

/** Starts the scheduler. Every node may run one; each run goes to one of them. */
export async function startJobs({ pool, jobs, onError, onWait = () => {} }: JobsOptions): Promise<Jobs> {
  const reportFailure = (name: string, error: unknown): void => {
    jobFailuresTotal.inc({ job_name: name })
    onError(name, error)
  }
  /** Jobs running on this node, and whether another run was requested since. */
  const running = new Map<string, { isAskedAgain: boolean }>()
  let isStopping = false

  async function runJob({ name, ...job }: Job): Promise<void> {
    const endTimer = jobSeconds.startTimer({ job_name: name })
    try {
      await job.run()
      jobSuccessTimestamp.setToCurrentTime({ job_name: name })
    } catch (error) {
      // The next run is the retry; the worker's own retries would only pile up.
      reportFailure(name, error)
    }
    endTimer()
  }

  /**
   * A run requested while the job runs on this node ends at once, so that it takes no slot from other jobs. The job
   * then runs once more, because its current run may have missed what became due since.
   */
  async function runOrAskAgain(job: Job): Promise<void> {
    const present = running.get(job.name)
    if (present) {
      present.isAskedAgain = true
      return
    }
    const state = { isAskedAgain: true }
    running.set(job.name, state)
    try {
      while (state.isAskedAgain && !isStopping) {
        state.isAskedAgain = false
        await runJob(job)
      }
    } finally {
      running.delete(job.name)
    }
  }

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
        await runOrAskAgain(job)
      },
    ]),
  )
  for (const { name } of jobs) jobFailuresTotal.inc({ job_name: name }, 0)
  const parsedCronItems = parseCronItems(
    jobs.map((job) => ({ task: job.name, match: job.when, options: { maxAttempts: 1, backfillPeriod: 0 } })),
  )
  // One may run a full integrity check, another settle a large period.
  const worker = await startWorker(pool, { taskList, parsedCronItems, concurrency: 3 }, (error) =>
    reportFailure('worker', error),
  )
  return {
    runAt: (name, at) => {
      // Rounded up, because the instant must have passed when the job reads the clock.
      const second = new Date(Math.ceil((at.getTime() + 1) / 1_000) * 1_000)
      const jobKey = `${name}:${second.toISOString()}`
      worker
        .addJob(name, {}, { runAt: second, jobKey, jobKeyMode: 'preserve_run_at', maxAttempts: 1 })
        .catch((error: unknown) => onError(name, error))
    },
    stop: async () => {
      isStopping = true
      const timer = setTimeout(() => onWait([...running.keys()]), LONG_WAIT_MS)
      await worker.stop()
      clearTimeout(timer)
    },
  }
}
