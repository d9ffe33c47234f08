// Jobs run on time, a failing job does not stop the scheduler, and runs carry no state.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/test-database.ts'
import { openDatabase } from '../postgres/db.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { jobFailuresTotal, jobLagSeconds, jobSuccessTimestamp } from './metrics.ts'

const runs: string[] = []
const errors: string[] = []

const database = await cloneDatabase()
const owner = openDatabase({ url: database.url, role: 'owner', maxConnections: 4 })
const jobs: Jobs = await startJobs({
  pool: owner.pool,
  jobs: [
    { name: 'run', when: '0 0 1 1 *', run: () => Promise.resolve(runs.push('run')) },
    { name: 'fail', when: '0 0 1 1 *', run: () => Promise.reject(new Error('broken')) },
  ],
  onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
})
afterAll(async () => {
  await jobs.stop()
  await owner.close()
})

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isDone(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a run happens at or after its instant, and once for several requests', async () => {
  const at = new Date(Date.now() + 300)
  for (let each = 0; each < 5; each += 1) jobs.runAt('run', at)
  await waitFor(() => runs.length > 0)
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime())
  expect(runs).toEqual(['run'])
})

test('a failing job is reported, and the scheduler continues', async () => {
  jobs.runAt('fail', new Date())
  await waitFor(() => errors.length > 0)
  expect(errors).toEqual(['fail: broken'])
  jobs.runAt('run', new Date(Date.now() + 1_500))
  await waitFor(() => runs.length > 1)
  expect(runs).toHaveLength(2)
})

test('the metrics show the lag, the successes and the failures of jobs', async () => {
  const lags = (await jobLagSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'))
  const countOf = (job_name: string) => lags.find(({ labels }) => labels.job_name === job_name)?.value
  expect([countOf('run'), countOf('fail')]).toEqual([2, 1])
  const read = async (metric: typeof jobFailuresTotal | typeof jobSuccessTimestamp) =>
    Object.fromEntries((await metric.get()).values.map(({ labels, value }) => [String(labels.job_name), value]))
  expect(await read(jobFailuresTotal)).toEqual({ run: 0, fail: 1 })
  expect(Object.keys(await read(jobSuccessTimestamp))).toEqual(['run'])
})

/** Schedules a run immediately, and waits until that is written. */
const schedule = ({ pool }: { pool: pg.Pool }, name: string) =>
  pool.query('select graphile_worker.add_job($1, max_attempts := 1)', [name])

/** Unfinished runs, including the current one. */
async function countScheduled({ pool }: { pool: pg.Pool }): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from graphile_worker.jobs')
  return rows[0]!.count
}

// Defect: a long settlement and its runs of each minute took all slots, and the integrity check did not run.
test('runs of a job that still runs take no slot from other jobs, and become one further run after it', async () => {
  const other = await cloneDatabase()
  const owner = openDatabase({ url: other.url, role: 'owner', maxConnections: 4 })
  const ends: (() => void)[] = []
  let runsOfOther = 0
  const clock = await startJobs({
    pool: owner.pool,
    jobs: [
      { name: 'run_long', when: '0 0 1 1 *', run: () => new Promise<void>((resolve) => ends.push(resolve)) },
      { name: 'run_other', when: '0 0 1 1 *', run: () => Promise.resolve((runsOfOther += 1)) },
    ],
    onError: () => {},
  })
  await schedule(owner, 'run_long')
  await waitFor(() => ends.length === 1)
  for (let each = 0; each < 3; each += 1) await schedule(owner, 'run_long')
  await schedule(owner, 'run_other')
  await waitFor(() => runsOfOther === 1)
  expect(runsOfOther).toBe(1)
  while ((await countScheduled(owner)) > 1);
  expect(ends).toHaveLength(1)
  ends[0]!()
  await waitFor(() => ends.length === 2)
  expect(ends).toHaveLength(2)
  ends[1]!()
  while ((await countScheduled(owner)) > 0);
  expect(ends).toHaveLength(2)
  await clock.stop()
  await owner.close()
})

test('a job that fails runs again if requested meanwhile, and later', async () => {
  const other = await cloneDatabase()
  const owner = openDatabase({ url: other.url, role: 'owner', maxConnections: 4 })
  const fails: (() => void)[] = []
  const problems: string[] = []
  const fail = (): never => {
    throw new Error('at once')
  }
  const failLater = () => new Promise((_resolve, reject) => fails.push(() => reject(new Error('later'))))
  const clock = await startJobs({
    pool: owner.pool,
    jobs: [{ name: 'run_long', when: '0 0 1 1 *', run: () => (fails.length < 2 ? failLater() : fail()) }],
    onError: (name, error) => problems.push(`${name}: ${(error as Error).message}`),
  })
  await schedule(owner, 'run_long')
  await waitFor(() => fails.length === 1)
  await schedule(owner, 'run_long')
  while ((await countScheduled(owner)) > 1);
  fails[0]!()
  await waitFor(() => fails.length === 2)
  fails[1]!()
  for (const count of [3, 4]) {
    await schedule(owner, 'run_long')
    await waitFor(() => problems.length === count)
  }
  expect(problems).toEqual(['later', 'later', 'at once', 'at once'].map((message) => `run_long: ${message}`))
  await clock.stop()
  await owner.close()
})

test('a database that stops during a job ends neither this process nor the scheduler', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'megalot-jobs-'))
  let postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
  const owner = openDatabase({ url: postgres.url, role: 'owner', maxConnections: 4, onError: () => {} })
  let finish = (): void => {}
  let started = 0
  let runsAfter = 0
  const clock = await startJobs({
    pool: owner.pool,
    jobs: [
      {
        name: 'last_long',
        when: '0 0 1 1 *',
        run: () => {
          started += 1
          return new Promise<void>((resolve) => (finish = resolve))
        },
      },
      { name: 'run', when: '0 0 1 1 *', run: () => Promise.resolve((runsAfter += 1)) },
    ],
    onError: () => {},
  })
  clock.runAt('last_long', new Date())
  await waitFor(() => started > 0)
  process.kill(postgres.pid, 'SIGKILL')
  await postgres.ended
  // The worker cannot record that the job is done.
  finish()
  postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
  await waitFor(() => {
    clock.runAt('run', new Date())
    return runsAfter > 0
  })
  expect(runsAfter).toBeGreaterThan(0)
  await clock.stop()
  await owner.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a first look-up that fails does not stop all jobs for good', async () => {
  const other = await cloneDatabase()
  const owner = openDatabase({ url: other.url, role: 'owner', maxConnections: 4 })
  const { pool } = owner
  let failed = 0
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const failOnce = (...given: unknown[]): unknown => {
      const [first] = given
      const text = typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : String(first)
      if (failed > 0 || !text.includes('select unnest($1::text[]) on conflict do nothing')) return query(...given)
      failed += 1
      return Promise.reject(new Error('timeout exceeded when trying to connect'))
    }
    client.query = failOnce as typeof client.query
  })
  const problems: string[] = []
  let runsOfOther = 0
  const stuck = await startJobs({
    pool,
    jobs: [{ name: 'run_other', when: '0 0 1 1 *', run: () => Promise.resolve((runsOfOther += 1)) }],
    onError: (name, error) => problems.push(`${name}: ${(error as Error).message}`),
  })
  stuck.runAt('run_other', new Date())
  await waitFor(() => runsOfOther > 0)
  expect([failed, problems]).toEqual([1, ['worker: timeout exceeded when trying to connect']])
  await stuck.stop()
  await owner.close()
})
