// Goal: the clock rings on time, survives a job that fails, and is only an alarm: nothing is kept in it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/test-database.ts'
import { openDatabase } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { jobFailuresTotal, jobLagSeconds, jobSuccessTimestamp } from './metrics.ts'

let database: TestDatabase
let jobs: Jobs
const rung: string[] = []
const errors: string[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  const owner = openDatabase({ url: database.url, role: 'owner', maxConnections: 4 })
  jobs = await startJobs({
    pool: owner.pool,
    jobs: [
      { name: 'ring', when: '0 0 1 1 *', run: () => Promise.resolve(rung.push('ring')) },
      { name: 'fail', when: '0 0 1 1 *', run: () => Promise.reject(new Error('broken')) },
    ],
    onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
  })
  afterAll(async () => {
    await jobs.stop()
    await owner.close()
  })
})

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isDone(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a ring is not before its instant, and once however often it is asked for', async () => {
  const at = new Date(Date.now() + 300)
  for (let each = 0; each < 5; each += 1) jobs.ringAt('ring', at)
  await waitFor(() => rung.length > 0)
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime())
  expect(rung).toEqual(['ring'])
})

test('a job that fails is told, and the clock goes on', async () => {
  jobs.ringAt('fail', new Date())
  await waitFor(() => errors.length > 0)
  expect(errors).toEqual(['fail: broken'])
  jobs.ringAt('ring', new Date(Date.now() + 1_500))
  await waitFor(() => rung.length > 1)
  expect(rung).toHaveLength(2)
})

test('the metrics say how late jobs began, which succeeded and which failed', async () => {
  const lags = (await jobLagSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'))
  const countOf = (job: string) => lags.find(({ labels }) => labels.job === job)?.value
  expect([countOf('ring'), countOf('fail')]).toEqual([2, 1])
  const read = async (metric: typeof jobFailuresTotal | typeof jobSuccessTimestamp) =>
    Object.fromEntries((await metric.get()).values.map(({ labels, value }) => [String(labels.job), value]))
  expect(await read(jobFailuresTotal)).toEqual({ ring: 0, fail: 1 })
  expect(Object.keys(await read(jobSuccessTimestamp))).toEqual(['ring'])
})

test('a database that goes down while a job runs ends neither this process nor the clock', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'megalot-jobs-'))
  const postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
  const owner = openDatabase({ url: postgres.url, role: 'owner', maxConnections: 4, onError: () => {} })
  let finish = (): void => {}
  let begun = 0
  let rungAfter = 0
  const clock = await startJobs({
    pool: owner.pool,
    jobs: [
      {
        name: 'last_long',
        when: '0 0 1 1 *',
        run: () => {
          begun += 1
          return new Promise<void>((resolve) => (finish = resolve))
        },
      },
      { name: 'ring', when: '0 0 1 1 *', run: () => Promise.resolve((rungAfter += 1)) },
    ],
    onError: () => {},
  })
  clock.ringAt('last_long', new Date())
  await waitFor(() => begun > 0)
  const killed = postgres.pid()!
  process.kill(killed, 'SIGKILL')
  await waitFor(() => postgres.pid() !== killed)
  // Nobody is there to be told that it is done.
  finish()
  await waitFor(() => postgres.pid() !== undefined && postgres.pid() !== killed)
  await waitFor(() => {
    clock.ringAt('ring', new Date())
    return rungAfter > 0
  })
  expect(rungAfter).toBeGreaterThan(0)
  await clock.stop()
  await owner.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})
