// Keeps the backups of one server: a full one each week, a differential one each day, and after each full one a drill, which restores
// the newest state beside the running house and proves it. What it found is in STATUS/backup.json, for `office doctor` and the console,
// and in STATUS/megalot_backup.prom for node_exporter. `node keeper.mjs` runs for ever; `full`, `diff`, `drill` and `restore` do one thing.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const STATUS = '/status'
const DRILL = '/drill'
const OFFICE = '/app/server/dist/office.js'
const DRILL_PORT = '5433'
/** Held while one of these processes works: two drills would share a folder. */
const LOCK_PORT = 5434
const BACKUP_COMMAND = 'megalot-pgbackrest'
const { PGDATA, BACKUP_TO } = process.env
const HOUR_MS = 3_600_000
/** The quiet hour of the house, UTC: 03:00 in Bangkok. */
const HOUR = 20

/** Runs pgBackRest and returns its output. @throws Error with what it says */
function pgbackrest(...args) {
  const { status, stdout, stderr } = spawnSync(BACKUP_COMMAND, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`pgBackRest ${args.at(-1)} failed: ${`${stderr}${stdout}`.trim()}`)
  return stdout
}

/** Complete backups, oldest first. */
function listBackups() {
  const [stanza] = JSON.parse(pgbackrest('--output=json', 'info'))
  return (stanza?.backup ?? []).map(({ type, timestamp }) => ({ type, at_ms: timestamp.stop * 1_000 }))
}

const statusFile = `${STATUS}/backup.json`

function readStatus() {
  try {
    return JSON.parse(readFileSync(statusFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Never read half-written. */
function write(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

const iso = (ms) => (ms === undefined ? null : new Date(ms).toISOString())

function saveStatus(change) {
  const backups = listBackups()
  write(
    statusFile,
    JSON.stringify({
      ...readStatus(),
      checked_at: new Date().toISOString(),
      backup_at: iso(backups.at(-1)?.at_ms),
      full_at: iso(backups.findLast(({ type }) => type === 'full')?.at_ms),
      free: { database: freeShare(PGDATA), ...(BACKUP_TO !== 's3' && { backups: freeShare('/backups') }) },
      ...change,
    }),
  )
  const { status, stderr } = spawnSync('megalot-backup-metrics', [STATUS, BACKUP_COMMAND], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the metrics of the backups were not written: ${stderr.trim()}`)
}

/** The share of a disk that is free. */
function freeShare(folder) {
  const { bavail, blocks } = statfsSync(folder)
  return bavail / blocks
}

function backup(type) {
  pgbackrest(`--type=${type}`, 'backup')
  saveStatus({ error: null })
  console.info(`${type} backup made`)
}

/** What is due now: 'full', 'diff' or nothing. In the quiet hour, or at any hour if that was missed. */
export function dueBackup(backups, now = new Date()) {
  const age = (type) => {
    const last = backups.findLast((each) => type === undefined || each.type === type)
    return last === undefined ? Infinity : now.getTime() - last.at_ms
  }
  const isQuiet = now.getUTCHours() === HOUR
  const isDue = (ms, hours) => ms > (isQuiet ? hours - 4 : hours + 2) * HOUR_MS
  if (isDue(age('full'), 7 * 24)) return 'full'
  if (isDue(age(), 24)) return 'diff'
  return undefined
}

/**
 * Restores the newest state into DRILL, starts it, and proves its money and its audit log.
 * @throws Error with what is wrong
 */
async function drill() {
  const startedAtMs = Date.now()
  const data = `${DRILL}/data`
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const get = `${BACKUP_COMMAND} --pg1-path=${data} archive-get %f "%p"`
  pgbackrest(`--pg1-path=${data}`, '--archive-mode=off', `--recovery-option=restore_command=${get}`, 'restore')
  // Only this process reaches it, by any log-in.
  writeFileSync(`${DRILL}/hba.conf`, 'host all all 127.0.0.1/32 trust\nlocal all all trust\n')
  const settings = { port: DRILL_PORT, unix_socket_directories: DRILL, listen_addresses: '127.0.0.1' }
  // Without hot_standby it accepts nobody before all is replayed, and needs no setting as large as on the house's server.
  const own = { hba_file: `${DRILL}/hba.conf`, archive_mode: 'off', hot_standby: 'off', shared_buffers: '256MB' }
  const args = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn('postgres', ['-D', data, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  // Told only if it fails: it names each try of waitForPromotion as fatal.
  let log = ''
  server.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4_000)))
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    const url = `postgresql://megalot_owner@127.0.0.1:${DRILL_PORT}/megalot`
    const upTo = await Promise.race([
      waitForPromotion(),
      ended.then(() => fail(`the restored database does not start: ${log}`)),
    ])
    const restoredAtMs = Date.now()
    for (const command of ['sums', 'audit-verify']) prove(command, url)
    const proof = {
      at: new Date().toISOString(),
      restored_up_to: upTo,
      restore_s: Math.round((restoredAtMs - startedAtMs) / 1_000),
      proof_s: Math.round((Date.now() - restoredAtMs) / 1_000),
    }
    saveStatus({ proven: proof, error: null })
    console.info('restored and proven', proof)
  } finally {
    server.kill('SIGINT')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

/**
 * Restores the house itself, while its server is stopped. The server replays the log when it starts.
 * @param to `latest`, or an instant with its offset
 */
function restore(to = '') {
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(to)
  if (to !== 'latest' && !(isInstant && !Number.isNaN(Date.parse(to))))
    fail('restore needs latest, or a time as 2026-12-01T15:20:00+07:00')
  if (spawnSync('pg_isready').status !== 2) fail('PostgreSQL runs: stop it before (docker compose stop)')
  mkdirSync(PGDATA, { recursive: true, mode: 0o700 })
  // Of a server that was killed.
  rmSync(`${PGDATA}/postmaster.pid`, { force: true })
  const get = `${BACKUP_COMMAND} archive-get %f "%p"`
  const target = to === 'latest' ? [] : ['--type=time', `--target=${toTarget(new Date(to))}`, '--target-action=promote']
  pgbackrest('--delta', ...target, `--recovery-option=restore_command=${get}`, 'restore')
  console.info(`restored to ${to}: end the sessions and check the money before members come in`)
}

/** An instant in the form of pgBackRest. */
const toTarget = (instant) => instant.toISOString().replace('T', ' ').replace('Z', '+00')

function fail(message) {
  throw new Error(message)
}

/** @returns when the last transaction of the replayed log was committed */
async function waitForPromotion() {
  const query =
    "select case when pg_is_in_recovery() then '' else coalesce(pg_last_xact_replay_timestamp()::text, 'the base backup') end"
  for (let left = 24 * 3_600; left > 0; left -= 1) {
    const psql = ['-h', '127.0.0.1', '-p', DRILL_PORT, '-U', 'postgres', '-d', 'megalot', '-Atc', query]
    const { status, stdout } = spawnSync('psql', psql, { encoding: 'utf8' })
    if (status === 0 && stdout.trim()) return stdout.trim()
    await pause(1_000)
  }
  throw new Error('the restored database did not start within a day')
}

function prove(command, url) {
  const ofTheHouse = { NODE_ENV: 'production', TRUST_PROXY: '0', PUBLIC_URL: 'https://restored.invalid' }
  const env = { ...process.env, DATABASE_URL: url, OWNER_DATABASE_URL: url, ...ofTheHouse }
  const { status, stdout, stderr } = spawnSync(process.execPath, [OFFICE, command], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`the restored database is not right: ${command}: ${`${stdout}${stderr}`.trim()}`)
}

async function keep() {
  let isPrepared = false
  for (;;) {
    const release = await takeLock()
    try {
      if (!isPrepared) {
        pgbackrest('stanza-create')
        pgbackrest('check')
        isPrepared = true
      }
      const type = dueBackup(listBackups())
      if (type) backup(type)
      else saveStatus({})
      if (type === 'full') await drill()
    } catch (error) {
      console.error(error.message)
      try {
        write(statusFile, JSON.stringify({ ...readStatus(), error: error.message, error_at: new Date().toISOString() }))
      } catch (failure) {
        console.error(failure.message)
      }
    }
    release()
    await pause(60_000)
  }
}

/** Waits until no other process of this service works. @returns what gives the lock back; the end of the process does too */
async function takeLock() {
  for (;;) {
    const server = createServer()
    const isMine = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(LOCK_PORT, '127.0.0.1', () => resolve(true))
    })
    if (isMine) return () => server.close()
    await pause(1_000)
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
  const [task, to] = process.argv.slice(2)
  if (task === undefined) await keep()
  else {
    const tasks = { full: () => backup('full'), diff: () => backup('diff'), drill, restore: () => restore(to) }
    const release = await takeLock()
    try {
      await (tasks[task] ?? (() => fail(`keeper.mjs knows ${Object.keys(tasks).join(', ')}, not ${task}`)))()
    } catch (error) {
      console.error(error.message)
      process.exitCode = 1
    }
    release()
  }
}
