// A base backup of the running embedded server: its files are copied between `pg_backup_start` and `pg_backup_stop`, and the
// write-ahead log of the meantime, which makes them fit each other, is archived. Tickets are accepted throughout.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import {
  baseFolder,
  makeBackupFolder,
  type Manifest,
  markerFile,
  readSystemIdentifier,
  readSystemOfFolder,
  removeOldBackups,
  walFolder,
  writeDurably,
} from './backup-folder.ts'
import { BackupRefusal } from './backup-refusal.ts'
import { ARCHIVE_TIMEOUT_S, ARCHIVE_FOLDERS_FILE, isFolderSetUp, noteFolder, quoteForServer } from './wal-archive.ts'

export interface BackupOptions {
  /** As the superuser of the cluster. */
  url: string
  /** The data folder of the application. */
  dataDir: string
  folder: string
  keepDays: number
  /** Whether a folder that was set up before may have lost its marker: the disk was replaced. */
  isSetUpAnew?: boolean
}

export interface MadeBackup {
  manifest: Manifest
  /** Names of base backups that were removed, because no time of the last days needs them. */
  removed: string[]
}

/** How long the last segment may take to arrive in the archive, in ms. */
const ARCHIVED_MS = 60_000

/** What a base backup leaves out: what belongs to the running server or to this data folder, and the log, which is archived. */
const excluded = [
  `./${ARCHIVE_FOLDERS_FILE}`,
  './postmaster.pid',
  './postmaster.opts',
  './pg_wal/*',
  './pg_replslot/*',
  './pg_dynshmem/*',
  './pg_notify/*',
  './pg_serial/*',
  './pg_snapshots/*',
  './pg_stat_tmp/*',
  './pg_subtrans/*',
  'pgsql_tmp*',
  'pg_internal.init',
]

/**
 * Makes a base backup and removes old ones. From the first one on the log of the database is archived continuously.
 * @throws BackupRefusal other_database, folder_lost, backup_running, not_archiving
 */
export async function makeBaseBackup({
  url,
  dataDir,
  folder,
  keepDays,
  isSetUpAnew = false,
}: BackupOptions): Promise<MadeBackup> {
  const cluster = join(dataDir, 'postgres')
  const client = new pg.Client({ connectionString: url })
  // A server that goes down during a query reports it twice: by the failed call, and by this event.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [
      advisoryLocks.backup,
    ])
    if (!rows[0]!.is_free) throw new BackupRefusal('backup_running')
    const system_identifier = await readSystemIdentifier(cluster)
    await startArchiving(client, { cluster, folder, system_identifier }, isSetUpAnew)
    const manifest = await copyCluster(client, { cluster, folder, system_identifier })
    const removed = await removeOldBackups(folder, keepDays, new Date(manifest.stopped_at))
    return { manifest, removed }
  } finally {
    await client.end()
  }
}

interface Place {
  cluster: string
  folder: string
  system_identifier: string
}

async function startArchiving(
  client: pg.Client,
  { cluster, folder, system_identifier }: Place,
  isSetUpAnew: boolean,
): Promise<void> {
  const { rows } = await client.query<{ archive_command: string }>('show archive_command')
  const { archive_command } = rows[0]!
  if (!archive_command.includes(quoteForServer(folder)))
    throw new BackupRefusal('not_archiving', { why: `archive_command is ${archive_command}` })
  const known = await readSystemOfFolder(folder).catch(() => undefined)
  if (known !== undefined && known !== system_identifier) throw new BackupRefusal('other_database', { folder })
  if (known === undefined && !isSetUpAnew && (await isFolderSetUp(cluster, folder)))
    throw new BackupRefusal('folder_lost', { folder })
  await makeBackupFolder(folder, await stat(cluster))
  await writeFile(markerFile(folder, system_identifier), '', { mode: 0o644 })
  await noteFolder(cluster, folder)
  // Kept in the cluster: without backups a segment is not finished before it is full.
  await client.query(`alter system set archive_timeout = '${ARCHIVE_TIMEOUT_S}s'`)
  await client.query('select pg_reload_conf()')
}

async function copyCluster(client: pg.Client, { cluster, folder, system_identifier }: Place): Promise<Manifest> {
  for (const name of await readdir(baseFolder(folder)))
    if (name.endsWith('.part')) await rm(join(baseFolder(folder), name), { recursive: true })
  const { started_at, start_segment, postgres_version, last_migration } = await begin(client)
  const name = started_at.replaceAll(/[-:]|\.\d+/g, '')
  const unfinished = join(baseFolder(folder), `${name}.part`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    const copied = await copyFiles(cluster, join(unfinished, 'base.tar.gz'))
    const { stopped_at, stop_segment, labelfile } = await finish(client)
    await writeDurably(join(unfinished, 'backup_label'), labelfile)
    await waitUntilArchived(client, folder, stop_segment)
    const manifest: Manifest = {
      name,
      started_at,
      stopped_at,
      postgres_version,
      system_identifier,
      start_segment,
      stop_segment,
      ...copied,
      last_migration,
    }
    await writeDurably(join(unfinished, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
    await rename(unfinished, join(baseFolder(folder), name))
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function begin(client: pg.Client) {
  const { rows } = await client.query<{
    started_at: Date
    start_segment: string
    postgres_version: string
    last_migration: string
  }>(
    `select clock_timestamp() as started_at, pg_walfile_name(pg_backup_start('megalot', true)) as start_segment,
      split_part(current_setting('server_version'), ' ', 1) as postgres_version,
      (select max(name) from migrations) as last_migration`,
  )
  return { ...rows[0]!, started_at: rows[0]!.started_at.toISOString() }
}

async function finish(client: pg.Client) {
  const { rows } = await client.query<{ stopped_at: Date; stop_segment: string; labelfile: string }>(
    // Not waiting for the archive, which would be forever where it fails.
    `select pg_walfile_name(lsn) as stop_segment, labelfile, clock_timestamp() as stopped_at from pg_backup_stop(false)`,
  )
  return { ...rows[0]!, stopped_at: rows[0]!.stopped_at.toISOString() }
}

/** Copies the files into a compressed archive. @throws Error with what tar says */
async function copyFiles(cluster: string, target: string) {
  const args = ['-C', cluster, ...excluded.map((each) => `--exclude=${each}`), '-cf', '-', '.']
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  tar.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)))
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', resolve)
  })
  const hash = createHash('sha256')
  const files = countBytes()
  const archive = countBytes((chunk) => hash.update(chunk))
  const file = createWriteStream(target, { mode: 0o600, flush: true })
  const copied = pipeline(tar.stdout, files.stream, createGzip({ level: 1 }), archive.stream, file)
  const [code] = await Promise.all([ended, copied])
  // 1: a file changed or went away while it was read. That is expected, and the log repairs it.
  if (code !== 0 && code !== 1) throw new Error(`tar ended with ${code}: ${said}`)
  return { bytes: files.read(), archive_bytes: archive.read(), sha256: hash.digest('hex') }
}

function countBytes(observe?: (chunk: Buffer) => unknown): { stream: Transform; read: () => number } {
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      observe?.(chunk)
      done(null, chunk)
    },
  })
  return { stream, read: () => bytes }
}

async function waitUntilArchived(client: pg.Client, folder: string, segment: string): Promise<void> {
  const deadline = performance.now() + ARCHIVED_MS
  const file = join(walFolder(folder), `${segment}.gz`)
  while (performance.now() < deadline) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await pause(50)
  }
  const { rows } = await client.query<{ why: string }>(
    `select concat_ws(' ', 'last failed', last_failed_wal, last_failed_time) as why from pg_stat_archiver`,
  )
  throw new BackupRefusal('not_archiving', { why: rows[0]!.why })
}
