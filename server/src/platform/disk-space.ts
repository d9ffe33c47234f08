// Whether the disk of the database is nearly full. PostgreSQL ends when it can no longer write its write-ahead log, and what frees
// the disk then is work by hand. So bets, which fill it, are refused while there is a reserve for everything else.

import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { diskFreeBytes, diskIsLow } from './metrics.ts'

export interface DiskSpace {
  /** Less than the reserve is left: no bet is accepted. */
  isLow: () => boolean
  stop(): Promise<void>
}

/** Reads how many bytes are free where the database writes; undefined where that is not known. */
export type ReadFreeBytes = () => Promise<number | undefined>

export interface DiskSpaceOptions {
  readFreeBytes: ReadFreeBytes
  /** 0: bets are never refused for it. */
  reserveBytes: number
  /** Called when bets are refused from now on, and when they are accepted again. */
  onChange: (isLow: boolean, freeBytes: number) => void
  onError: (error: unknown) => void
}

/** How often it is read, in ms: a reserve of 512 MB is not written in that time. */
const EVERY_MS = 1_000
/** By so much more than the reserve must be left until bets are accepted again, so that it does not change every second. */
const CLEAR_FACTOR = 1.25

/** Reads what is left, once before it returns and then every second. While it cannot be read the last result holds. */
export async function watchDiskSpace(options: DiskSpaceOptions): Promise<DiskSpace> {
  const { readFreeBytes, reserveBytes, onChange, onError } = options
  let isLow = false
  const read = async (): Promise<void> => {
    const freeBytes = await readFreeBytes()
    if (freeBytes === undefined) return
    diskFreeBytes.set(freeBytes)
    const wasLow = isLow
    isLow = freeBytes < (wasLow ? reserveBytes * CLEAR_FACTOR : reserveBytes)
    diskIsLow.set(Number(isLow))
    if (isLow !== wasLow) onChange(isLow, freeBytes)
  }
  await read().catch(onError)
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= read()
      .catch(onError)
      .finally(() => (running = undefined))
  }, EVERY_MS)
  return {
    isLow: () => isLow,
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Of the embedded PostgreSQL: its tables, and its write-ahead log, which may be on another disk. */
export async function readFolderSpace(dataDir: string): Promise<number> {
  const cluster = join(dataDir, 'postgres')
  return Math.min(...(await Promise.all([cluster, join(cluster, 'pg_wal')].map(readFreeBytes))))
}

/** Of a PostgreSQL on another machine, where `deploy/cluster/disk-space.sql` ran; undefined elsewhere. @param owner as its owner */
export async function readServerSpace(owner: Db): Promise<number | undefined> {
  const { rows: known } = await sql<{ is_known: boolean }>`
    select to_regclass('machine.disks') is not null as is_known`.execute(owner)
  if (!known[0]!.is_known) return undefined
  const { rows } = await sql<{ bytes: number | null }>`
    select min(free_kilobytes) * 1024 as bytes from machine.disks`.execute(owner)
  return rows[0]!.bytes ?? undefined
}

/** What is left on the disk of a folder, in bytes. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The folder itself where it is there, otherwise the nearest one above it that is. */
export async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere || dirname(path) === path ? path : nearestFolder(dirname(path))
}

export function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MB`
}
