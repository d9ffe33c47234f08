// Goal: who has a log-in of the database cannot change for good how the application works with it, and a change that it makes is reported.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { closeAtFileEnd } from '../../test/file-end.ts'
import { readConfig } from '../config.ts'
import { listChangedSettings, makeDatabaseLogIns } from './database-log-ins.ts'
import { readDatabaseMetrics } from './database-metrics.ts'
import { type Database, openIntegrityReader, openDatabase } from './db.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { metricsRegistry } from '../lib/metrics.ts'
import { runChecks } from '../oversight/readiness/index.ts'
import { migrate } from './migrate.ts'

const passwords = { owner: 'o', app: 'a', reader: 'r', auditor: 'u', checker: 'c' }

// Log-ins belong to the server: the tests of other files use theirs meanwhile.
const dataDir = await mkdtemp(join(tmpdir(), 'megalot-log-ins-'))
const postgres = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'] })
closeAtFileEnd(async () => {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const superuserUrl = postgres.url
const urls: Record<keyof typeof passwords, string> = await makeDatabaseLogIns(superuserUrl, passwords)
await migrate(urls.owner)
const owner: Database = openDatabase({ url: urls.owner, role: 'owner', maxConnections: 1 })
closeAtFileEnd(() => owner.close())

/** Statements of somebody who has a log-in. */
async function runAs(name: keyof typeof passwords, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urls[name] })
  await client.connect()
  try {
    await client.query('set default_transaction_read_only = off')
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const changed = () => listChangedSettings(owner.db)

const isReady = async (): Promise<boolean> =>
  (await runChecks(owner.db, readConfig({}))).find(({ check }) => check === 'log_in_settings')!.state === 'ok'

async function readMetric(name: string): Promise<number> {
  return Number((await metricsRegistry.getSingleMetricAsString(name)).split(' ').at(-1))
}

async function countChanged(): Promise<number> {
  await readDatabaseMetrics(owner.db)
  return readMetric('megalot_database_log_in_settings_changed')
}

test('connections of the application work as it needs, whatever its log-in has been given', async () => {
  for (const [setting, value] of [
    ['synchronous_commit', 'off'],
    ['default_transaction_isolation', "'repeatable read'"],
    ['DateStyle', "'German'"],
    ['TimeZone', "'Pacific/Kiritimati'"],
    ['client_min_messages', 'error'],
    ['standard_conforming_strings', 'off'],
  ])
    await runAs('app', `alter role megalot_login set ${setting} = ${value}`)
  const app = openDatabase({ url: urls.app, role: 'megalot_app', maxConnections: 1, maxLists: 1, maxReports: 1 })
  const auditor = openIntegrityReader({ url: urls.app })
  const read = sql<{ given: string }>`
    select concat_ws('; ', current_setting('synchronous_commit'), current_setting('default_transaction_isolation'),
      current_setting('DateStyle'), current_setting('TimeZone'), current_setting('standard_conforming_strings'),
      current_setting('client_min_messages')) as given`
  const expected = [{ given: 'on; read committed; ISO, MDY; UTC; on; notice' }]
  for (const db of [app.db, app.reports, app.lists, auditor.reader])
    expect((await read.execute(db)).rows).toEqual(expected)
  const batch = await app.batches.connect()
  expect((await batch.query(`${read.compile(app.db).sql} `)).rows).toEqual(expected)
  batch.release()
  await app.close()
  await auditor.close()
  await runAs('app', 'alter role megalot_login reset all')
})

test('the sessions of the job that checks are ended by no other log-in but a superuser', async () => {
  const checker = openIntegrityReader({ url: urls.checker })
  closeAtFileEnd(() => checker.close())
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(checker.reader)
  for (const name of ['reader', 'auditor', 'app'] as const)
    await expect(runAs(name, `select pg_terminate_backend(${rows[0]!.pid})`)).rejects.toMatchObject({ code: '42501' })
  expect((await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(checker.reader)).rows).toEqual(rows)
})

test('what a log-in has been given, or what was taken from it, is counted until server/roles.sql runs again', async () => {
  expect(await changed()).toEqual([])
  expect(await countChanged()).toBe(0)
  await runAs('app', "alter role megalot_login set work_mem = '1GB'")
  await runAs('app', 'alter role megalot_login in database postgres set jit = off')
  await runAs('reader', 'alter role megalot_reader_login reset idle_session_timeout')
  await runAs('auditor', "alter role megalot_auditor_login set idle_in_transaction_session_timeout = '0'")
  expect(await changed()).toEqual([
    'megalot_auditor_login: idle_in_transaction_session_timeout=0',
    'megalot_auditor_login: not idle_in_transaction_session_timeout=1min',
    'megalot_login: in database postgres jit=off',
    'megalot_login: work_mem=1GB',
    'megalot_reader_login: not idle_session_timeout=15min',
  ])
  expect(await countChanged()).toBe(5)
  expect(await isReady()).toBe(false)
  await makeDatabaseLogIns(superuserUrl, passwords)
  expect(await changed()).toEqual([])
  expect(await countChanged()).toBe(0)
  expect(await isReady()).toBe(true)
})

test('for how long a transaction with a number is open shows, whoever has it', async () => {
  const age = async (laterMs: number): Promise<number> => {
    await readDatabaseMetrics(owner.db, () => Date.now() + laterMs)
    return readMetric('megalot_database_oldest_transaction_seconds')
  }
  const holder = new pg.Client({ connectionString: urls.app })
  await holder.connect()
  closeAtFileEnd(() => holder.end())
  await holder.query('begin')
  // It only reads: the metric is about those with a number.
  await holder.query('select 1')
  await age(0)
  expect(await age(700_000)).toBe(0)
  await holder.query('select pg_current_xact_id()')
  // The oldest is one that is older than another: a snapshot names it once a later one has ended.
  await sql`select pg_current_xact_id()`.execute(owner.db)
  expect(await age(0)).toBe(0)
  expect(await age(700_000)).toBeGreaterThan(690)
  await holder.query('commit')
  expect(await age(1_400_000)).toBe(0)
})
