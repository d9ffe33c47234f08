// The folder of the backups: base backups, each with its manifest, and the archived write-ahead log (WAL).
//
//   base/20261123T080000Z/base.tar.gz, manifest.json    a base backup; the manifest is written last, so what has none is unfinished
//   wal/000000010000000000000007.gz                     a segment of the log, with the time of its last write
//   archiving-SYSTEM_IDENTIFIER                         the marker: the database whose log is archived here, from its first backup on
//   verified.json                                       the last restore that was verified

import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A base backup. Times are those of the database's clock, in ISO 8601. */
export interface Manifest {
  name: string
  started_at: string
  /** From here on it can be restored: before, its files do not fit each other. */
  stopped_at: string
  /** `18.4` */
  postgres_version: string
  system_identifier: string
  start_segment: string
  stop_segment: string
  /** Of the files that were read, and of the compressed archive. */
  bytes: number
  archive_bytes: number
  sha256: string
  last_migration: string
}

export interface Segment {
  name: string
  /** Its place in the log, whatever its timeline. */
  number: number
  /** When it was last written: everything committed before is in it or in an earlier one. */
  writtenAt: Date
}

/** The size of a segment of the log. */
export const SEGMENT_BYTES = 16 * 1024 * 1024

export const baseFolder = (folder: string): string => join(folder, 'base')
export const walFolder = (folder: string): string => join(folder, 'wal')
export const markerFile = (folder: string, system_identifier: string): string =>
  join(folder, `archiving-${system_identifier}`)

/** The place of a segment in the log; names are timeline, then 32 bits and 8 bits of the place, in hexadecimal. */
export function segmentNumber(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16, 24), 16)
}

/** The finished base backups, oldest first. */
export async function listBackups(folder: string): Promise<Manifest[]> {
  const names: string[] = await readdir(baseFolder(folder)).catch(ignoreMissing([]))
  const found: Manifest[] = []
  for (const name of names.toSorted()) {
    const text = await readFile(join(baseFolder(folder), name, 'manifest.json'), 'utf8').catch(ignoreMissing(null))
    if (text !== null && !name.endsWith('.part')) found.push(JSON.parse(text) as Manifest)
  }
  return found
}

/** The archived segments, in the order of the log. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const files = await readdir(walFolder(folder)).catch(ignoreMissing([]))
  const segments: Segment[] = []
  for (const file of files) {
    const name = /^([0-9A-F]{24})\.gz$/.exec(file)?.[1]
    if (name === undefined) continue
    const { mtime } = await stat(join(walFolder(folder), file))
    segments.push({ name, number: segmentNumber(name), writtenAt: mtime })
  }
  return segments.toSorted((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
}

/** The database whose log is archived in a folder; undefined before the first backup. */
export async function readSystemOfFolder(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(ignoreMissing([]))
  return names.map((name) => /^archiving-(\d+)$/.exec(name)?.[1]).find((id) => id !== undefined)
}

/** The identifier of the cluster in a folder: the first eight bytes of its control file. */
export async function readSystemIdentifier(cluster: string): Promise<string> {
  const file = await open(join(cluster, 'global', 'pg_control'))
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.readBigUInt64LE().toString()
  } finally {
    await file.close()
  }
}

/**
 * Makes the folder, readable by one account alone: a backup holds everything, passwords of log-ins too.
 * @param owner the account of the server, which writes the log there
 */
export async function makeBackupFolder(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const path of [folder, baseFolder(folder), walFolder(folder)]) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid)
  }
}

/** Writes a file so that it is whole or not there, also after a power cut. */
export async function writeDurably(path: string, text: string, mode = 0o600): Promise<void> {
  await writeFile(`${path}.part`, text, { mode, flush: true })
  await rename(`${path}.part`, path)
}

/** Removes base backups that are not needed to restore any time of the last days, and the log before the oldest that stays. */
export async function removeOldBackups(folder: string, keepDays: number, now: Date): Promise<string[]> {
  const backups = await listBackups(folder)
  const oldestNeeded = now.getTime() - keepDays * 86_400_000
  // The newest one from before that time is where a restore to it begins.
  const first = backups.findLastIndex(({ stopped_at }) => Date.parse(stopped_at) <= oldestNeeded)
  const removed = backups.slice(0, Math.max(0, first))
  for (const { name } of removed) await rm(join(baseFolder(folder), name), { recursive: true })
  const oldest = backups[Math.max(0, first)]
  if (oldest === undefined) return []
  const start = segmentNumber(oldest.start_segment)
  // Segments, and the notes of PostgreSQL about base backups, which begin with the name of a segment.
  for (const file of await readdir(walFolder(folder)))
    if (/^[0-9A-F]{24}\./.test(file) && segmentNumber(file) < start)
      await rm(join(walFolder(folder), file), { force: true })
  return removed.map(({ name }) => name)
}

/** For a file or folder that need not be there. */
export function ignoreMissing<Fallback>(fallback: Fallback): (error: NodeJS.ErrnoException) => Fallback {
  return (error) => {
    if (error.code === 'ENOENT') return fallback
    throw error
  }
}
