// Backup and restore of the PostgreSQL that comes along, by the commands that an operator uses.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort, launchApp, waitUntilReady } from '../../scripts/run-app.mjs'
import { openDataFolderDatabase } from '../../server/test/data-folder-database.ts'
import { countBrokenInvariants } from '../app/broken-invariants.ts'
import { type App, withApp } from '../app/with-app.ts'
import type { BenchmarkContext } from '../benchmark.ts'
import { rounded } from '../percentile.ts'
import { startBetting } from './betting.ts'
import type { Differences, TimedBook } from './timed-book.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The limit of waiting until what was committed before the target is archived, in ms. */
const ARCHIVED_MS = 30_000

/** A command of `npm run office`, without its build. @returns what it prints */
async function office(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['server/dist/office.js', ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', DATABASE_URL: '', ...env },
  })
  return stdout
}

async function waitUntilArchived(folder: string, target: Date): Promise<void> {
  const deadline = performance.now() + ARCHIVED_MS
  while (performance.now() < deadline) {
    const files = (await readdir(join(folder, 'wal'))).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    const times = await Promise.all(files.map(async (name) => (await stat(join(folder, 'wal', name))).mtime))
    if (times.some((time) => time > target)) return
    await pause(250)
  }
  throw new Error(`nothing that was written after ${target.toISOString()} is archived`)
}

/** Starts the application on a restored data folder and compares its tickets. */
async function examine(dataDir: string, book: TimedBook, target: number, report: BenchmarkContext['report']) {
  const port = await findFreePort()
  const app = launchApp({ port, dataDir, env: { LOG_LEVEL: 'error' } })
  try {
    await waitUntilReady(`http://localhost:${port}`, app.hasEnded)
    const database = await openDataFolderDatabase(dataDir)
    const { rows } = await database.pool.query<{ request_id: string }>('select request_id from orders')
    await database.close()
    const differences: Differences = book.compare(new Set(rows.map(({ request_id }) => request_id)), target)
    return { ...differences, invariants_broken: await countBrokenInvariants(dataDir, report) }
  } finally {
    app.kill('SIGTERM')
    await app.ended
  }
}

async function measureOn(app: App, folder: string, calmMs: number, { report }: BenchmarkContext) {
  const env = { DATA_DIR: app.dataDir, BACKUP_DIR: join(folder, 'backup') }
  const database = await openDataFolderDatabase(app.dataDir)
  const betting = await startBetting(app.url, database.pool)
  const startedAtMs = performance.now()
  await pause(calmMs)
  const calmedAtMs = performance.now()
  report('backing up under load …')
  report(await office(env, 'backup'))
  const backedUpAtMs = performance.now()
  await pause(calmMs)
  const target = new Date()
  await pause(calmMs)
  // The server does so by itself once a minute.
  await database.pool.query('select pg_switch_wal()')
  await waitUntilArchived(env.BACKUP_DIR, target)
  const betUntilMs = performance.now()
  const undecided = await betting.end()
  await database.close()

  // As after the loss of the machine's disk: only the backups are left.
  const atTarget = { dataDir: join(folder, 'at-target'), startedAtMs: performance.now() }
  const gone = { ...env, DATA_DIR: join(folder, 'gone') }
  report(await office(gone, 'restore', '--to', target.toISOString(), '--into', atTarget.dataDir))
  const restore_s = rounded((performance.now() - atTarget.startedAtMs) / 1_000)
  const found = await examine(atTarget.dataDir, betting.book, target.getTime(), report)

  // The data folder is left, with what is not archived yet.
  const atEnd = { dataDir: join(folder, 'at-end'), startedAtMs: performance.now() }
  report(await office(env, 'restore', '--to', 'latest', '--into', atEnd.dataDir))
  const latest_restore_s = rounded((performance.now() - atEnd.startedAtMs) / 1_000)
  const foundAtEnd = await examine(atEnd.dataDir, betting.book, Number.POSITIVE_INFINITY, report)
  return {
    lost_at_target: found.lost,
    late_at_target: found.late,
    lost_at_latest: foundAtEnd.lost,
    invariants_broken: found.invariants_broken + foundAtEnd.invariants_broken,
    undecided,
    acknowledged_before_target: found.expected,
    acknowledged_after_target: foundAtEnd.expected - found.expected,
    sent_before_acknowledged_after: found.either,
    backup_s: rounded((backedUpAtMs - calmedAtMs) / 1_000),
    restore_s,
    latest_restore_s,
    tickets_per_s: betting.perSecond(startedAtMs, betUntilMs),
    ticket_p99_ms: betting.p99Ms(startedAtMs, calmedAtMs),
    ticket_p99_during_backup_ms: betting.p99Ms(calmedAtMs, backedUpAtMs),
  }
}

/** @param calmMs how long is bet before the backup, between it and the target, and after the target */
export async function measureEmbedded(context: BenchmarkContext, calmMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'megalot-restore-'))
  try {
    const env = { BACKUP_DIR: join(folder, 'backup'), LOG_INS_PER_MINUTE: '100000' }
    return await withApp(context, env, (app) => measureOn(app, folder, calmMs, context))
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
