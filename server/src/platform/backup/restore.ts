// Restoring a base backup into a new data folder, and replaying the archived write-ahead log up to a time.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { bangkokIso } from '../bangkok.ts'
import { inMegabytes, nearestFolder, readFreeBytes as readDiskFreeBytes } from '../disk-space.ts'
import { type EmbeddedPostgres, majorOf, readServerVersion, startEmbeddedPostgres } from '../embedded-postgres.ts'
import { migrationFiles } from '../migrate.ts'
import {
  baseFolder,
  listBackups,
  listSegments,
  type Manifest,
  readSystemIdentifier,
  SEGMENT_BYTES,
  segmentNumber,
} from './backup-folder.ts'
import { BackupRefusal } from './backup-refusal.ts'
import { fetchSetting } from './wal-archive.ts'

export interface RestoreOptions {
  /** The folder of the backups. */
  folder: string
  /** The new data folder: it is not there, or empty. */
  into: string
  /** Everything committed up to here is restored, and nothing after. */
  target: Date | 'latest'
  /** The application's data folder: what of its log is not archived yet is read from there, where it is left. */
  dataDir: string
  /** Of the file system that holds a folder; for tests. */
  readFreeBytes?: (folder: string) => Promise<number>
}

export interface Restored {
  manifest: Manifest
  /** The last commit that was restored; null: none after the base backup. */
  last_commit_at: Date | null
  unpack_ms: number
  recover_ms: number
  /** Runs on the new folder, open for writing. */
  postgres: EmbeddedPostgres
}

/** What recovery keeps of the log at once, at most. */
const MAX_WAL_BYTES = 2 * 1024 ** 3
const SPARE_BYTES = 64 * 1024 ** 2
/** Folders whose content a base backup leaves out. */
const emptyFolders = [
  'pg_wal',
  'pg_wal/archive_status',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
/** What PostgreSQL says where the log ends before the target. */
const ENDED_BEFORE = 'recovery ended before configured recovery target was reached'

/**
 * Restores into a new folder and starts a server there, which has left recovery. Where it is refused nothing is written.
 * @throws BackupRefusal no_backup, before_oldest, after_last, wal_missing, folder_not_empty, wrong_version, newer_schema,
 * not_enough_disk, backup_damaged
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { folder, into, target } = options
  const { manifest, log } = await plan(options)
  const startedAtMs = performance.now()
  const cluster = join(into, 'postgres')
  await mkdir(into, { recursive: true })
  // The server may have another account: it must reach its own folder in this one.
  if (process.getuid?.() === 0) await chmod(into, 0o755)
  await mkdir(cluster, { mode: 0o700 })
  let postgres: EmbeddedPostgres | undefined
  try {
    await unpack(manifest, folder, cluster)
    const unpack_ms = performance.now() - startedAtMs
    const fetch = await fetchSetting(cluster, folder, log.live)
    const recovered = await recover(into, fetch, target)
    postgres = recovered.postgres
    await rm(join(cluster, 'fetch-wal.sh'))
    const end = await readEnd(postgres.url)
    // A segment that cannot be read looks like the end of the log.
    if (recovered.isWholeLog && end.segment < log.lastArchived)
      throw new BackupRefusal('wal_missing', { segment: segmentAt(end.segment + 1) })
    const recover_ms = performance.now() - startedAtMs - unpack_ms
    return { manifest, last_commit_at: end.last_commit_at, unpack_ms, recover_ms, postgres }
  } catch (error) {
    await postgres?.stop()
    for (const path of [cluster, join(into, 'postgres-port'), join(into, 'log')])
      await rm(path, { recursive: true, force: true })
    // Where it was made here; one with something in it was refused.
    await rmdir(into).catch(() => {})
    throw error
  }
}

interface Plan {
  manifest: Manifest
  log: {
    /** The log of the data folder, where it is left and belongs to the same database. */
    live: string | undefined
    /** The place of the last segment that the archive has. */
    lastArchived: number
  }
}

/** Chooses the base backup, and refuses what cannot be done, before anything is written. */
async function plan({
  folder,
  into,
  target,
  dataDir,
  readFreeBytes = readDiskFreeBytes,
}: RestoreOptions): Promise<Plan> {
  const backups = await listBackups(folder)
  if (backups.length === 0) throw new BackupRefusal('no_backup', { folder })
  const manifest = target === 'latest' ? backups.at(-1)! : findBefore(backups, target)
  const here = await readServerVersion()
  if (majorOf(here) !== majorOf(manifest.postgres_version))
    throw new BackupRefusal('wrong_version', { made: manifest.postgres_version, here })
  if (!(await migrationFiles()).includes(manifest.last_migration))
    throw new BackupRefusal('newer_schema', { migration: manifest.last_migration })
  await refuseUsedFolder(into)

  const live = await findLiveLog(dataDir, manifest.system_identifier)
  const segments = await listSegments(folder)
  const liveNumbers = live === undefined ? [] : (await readdir(live)).filter(isSegment).map(segmentNumber)
  const numbers = new Set([...segments.map(({ number }) => number), ...liveNumbers])
  const first = segmentNumber(manifest.start_segment)
  const lastArchived = Math.max(segmentNumber(manifest.stop_segment), ...segments.map(({ number }) => number))
  let reached = first - 1
  while (numbers.has(reached + 1)) reached += 1
  const writtenAt = segments.findLast(({ number }) => number <= reached)?.writtenAt ?? new Date(0)
  // What the data folder has is all that was ever committed.
  const end = live !== undefined && reached >= lastArchived ? new Date() : writtenAt
  const isRequested = target === 'latest' || target > end
  if (reached < segmentNumber(manifest.stop_segment) || (isRequested && reached < lastArchived))
    throw new BackupRefusal('wal_missing', { segment: segmentAt(reached + 1) })
  if (target !== 'latest' && target > end)
    throw new BackupRefusal('after_last', { target: bangkokIso(target), last: bangkokIso(end) })

  const logBytes = (lastArchived - first + 1) * SEGMENT_BYTES
  const needed = manifest.bytes + Math.min(logBytes, MAX_WAL_BYTES) + SPARE_BYTES
  const free = await readFreeBytes(await nearestFolder(into))
  if (free < needed)
    throw new BackupRefusal('not_enough_disk', { folder: into, needed: inMegabytes(needed), free: inMegabytes(free) })
  return { manifest, log: { live, lastArchived } }
}

/** @throws BackupRefusal folder_not_empty */
export async function refuseUsedFolder(into: string): Promise<void> {
  if ((await readdir(into).catch(() => [])).length > 0) throw new BackupRefusal('folder_not_empty', { folder: into })
}

function findBefore(backups: readonly Manifest[], target: Date): Manifest {
  const found = backups.findLast(({ stopped_at }) => Date.parse(stopped_at) <= target.getTime())
  if (found) return found
  const oldest = bangkokIso(new Date(backups[0]!.stopped_at))
  throw new BackupRefusal('before_oldest', { target: bangkokIso(target), oldest })
}

async function findLiveLog(dataDir: string, system_identifier: string): Promise<string | undefined> {
  const cluster = join(dataDir, 'postgres')
  const own = await readSystemIdentifier(cluster).catch(() => undefined)
  return own === system_identifier ? join(cluster, 'pg_wal') : undefined
}

/** @throws BackupRefusal backup_damaged */
async function unpack({ name, sha256 }: Manifest, folder: string, cluster: string): Promise<void> {
  const backup = join(baseFolder(folder), name)
  const tar = spawn('tar', ['-C', cluster, '-xzf', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  tar.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', resolve)
  })
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // A damaged archive ends tar early; the checksum says so.
  await pipeline(createReadStream(join(backup, 'base.tar.gz')), hashed, tar.stdin).catch(() => {})
  const code = await ended
  const isWhole = hash.digest('hex') === sha256
  if (!isWhole) throw new BackupRefusal('backup_damaged', { backup: name })
  if (code !== 0) throw new Error(`tar ended with ${code}: ${said}`)

  const { uid, gid } = await stat(join(cluster, 'PG_VERSION'))
  for (const path of emptyFolders) await mkdir(join(cluster, path), { recursive: true, mode: 0o700 })
  await copyFile(join(backup, 'backup_label'), join(cluster, 'backup_label'))
  await writeFile(join(cluster, 'recovery.signal'), '')
  // What PostgreSQL writes belongs to its account.
  if (process.getuid?.() === 0)
    for (const path of ['.', ...emptyFolders, 'backup_label', 'recovery.signal'])
      await chown(join(cluster, path), uid, gid)
}

interface Recovered {
  postgres: EmbeddedPostgres
  /** Everything was replayed, not only what was committed up to the target. */
  isWholeLog: boolean
}

/** Replays the log and leaves recovery. */
async function recover(into: string, fetch: string, target: Date | 'latest'): Promise<Recovered> {
  // On the command line alone, so that nothing of it stays in the new cluster.
  const settings = [
    fetch,
    'archive_mode=off',
    'recovery_target_action=promote',
    // Else it takes connections, and counts as started, while it still replays.
    'hot_standby=off',
  ]
  const start = (more: readonly string[]): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir: into, settings: [...settings, ...more], startMs: 0 })
  if (target !== 'latest')
    try {
      // Names of time zones are not known yet where the command line is read, not even Z.
      const time = target.toISOString().replace('T', ' ').replace('Z', '+00')
      const postgres = await start([`recovery_target_time=${time}`])
      return { postgres, isWholeLog: false }
    } catch (error) {
      // Nothing was committed between the target and the end of the log, which reaches it.
      if (!(error instanceof Error) || !error.message.includes(ENDED_BEFORE)) throw error
    }
  return { postgres: await start([]), isWholeLog: true }
}

interface End {
  last_commit_at: Date | null
  /** The place of the last segment of which something was replayed. */
  segment: number
}

async function readEnd(url: string): Promise<End> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ last_commit_at: Date | null; lsn: string }>(
      'select pg_last_xact_replay_timestamp() as last_commit_at, pg_last_wal_replay_lsn()::text as lsn',
    )
    // The replay ended before this byte.
    const [high, low] = rows[0]!.lsn.split('/').map((part) => Number.parseInt(part, 16)) as [number, number]
    return { last_commit_at: rows[0]!.last_commit_at, segment: high * 256 + Math.floor((low - 1) / SEGMENT_BYTES) }
  } finally {
    await client.end()
  }
}

function isSegment(name: string): boolean {
  return /^[0-9A-F]{24}$/.test(name)
}

/** The name of a segment without its timeline. */
function segmentAt(number: number): string {
  return [Math.floor(number / 256), number % 256]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}
