// Backups by themselves: a base backup when the newest is old, and a restore that is tried and proven. They run beside the jobs, whose
// places they would take for as long as they copy, and on the one node that an embedded database has.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BackupSettings } from '../../config.ts'
import { makeBaseBackup } from '../../platform/backup/base-backup.ts'
import { listBackups, listSegments, writeDurably } from '../../platform/backup/backup-folder.ts'
import { backupMade, backupVerified, walArchived } from '../../platform/metrics.ts'
import { restoreAndCheck } from './restore.service.ts'

/** What a run came to; whoever raises alarms is given each. */
export type BackupResult =
  | { kind: 'backup'; backup: string; bytes: number; removed: string[] }
  | { kind: 'verification'; backup: string; ticket_count: number; last_commit_at: string | null; took_ms: number }
  | { kind: 'backup_failed' | 'verification_failed'; why: string }

export interface BackupScheduleOptions {
  /** As the superuser of the cluster. */
  url: string
  dataDir: string
  settings: BackupSettings
  onResult: (result: BackupResult) => void
}

const CHECK_MS = 60_000
/** After a failure it is tried again, in ms. */
const RETRY_MS = 3_600_000
const HOUR_MS = 3_600_000

interface Verified {
  backup: string
  verified_at: string
}

/** How long a stop waits for what runs, in ms. A copy that is cut off is removed by the next one. */
const STOP_MS = 5_000

/** Begins at once and looks every minute what is due. @returns its stop */
export function startBackupSchedule(options: BackupScheduleOptions): () => Promise<void> {
  const notBefore = { backup: 0, verification: 0 }
  let running: Promise<void> | undefined
  let isStopping = false
  const runOne = async (
    kind: 'backup' | 'verification',
    run: () => Promise<BackupResult | undefined>,
  ): Promise<void> => {
    if (isStopping || Date.now() < notBefore[kind]) return
    try {
      const result = await run()
      if (result) options.onResult(result)
    } catch (error) {
      notBefore[kind] = Date.now() + RETRY_MS
      // The database went away under it.
      if (isStopping) return
      options.onResult({ kind: `${kind}_failed`, why: error instanceof Error ? error.message : String(error) })
    }
  }
  const runDue = async (): Promise<void> => {
    await runOne('backup', () => backUpWhenDue(options))
    await runOne('verification', () => verifyWhenDue(options))
    await observe(options.settings.folder)
  }
  const tick = (): void => {
    running ??= runDue()
      .catch((error: unknown) => options.onResult({ kind: 'backup_failed', why: String(error) }))
      .finally(() => (running = undefined))
  }
  const timer = setInterval(tick, CHECK_MS)
  tick()
  return async () => {
    isStopping = true
    clearInterval(timer)
    await Promise.race([running, pause(STOP_MS, undefined, { ref: false })])
  }
}

async function backUpWhenDue({ url, dataDir, settings }: BackupScheduleOptions): Promise<BackupResult | undefined> {
  const { folder, everyHours, keepDays } = settings
  if (everyHours === 0) return undefined
  const newest = (await listBackups(folder)).at(-1)
  const isYoung = newest !== undefined && Date.now() - Date.parse(newest.stopped_at) < everyHours * HOUR_MS
  // A restored database has a timeline of its own, which no base backup of the earlier one reaches.
  const timelines = (await listSegments(folder)).map(({ name }) => name.slice(0, 8))
  const isOfThisTimeline = newest !== undefined && timelines.every((one) => one <= newest.start_segment.slice(0, 8))
  if (isYoung && isOfThisTimeline) return undefined
  const { manifest, removed } = await makeBaseBackup({ url, dataDir, folder, keepDays })
  return { kind: 'backup', backup: manifest.name, bytes: manifest.bytes, removed }
}

/** From the backups alone, as after the loss of the data folder. */
async function verifyWhenDue({ settings }: BackupScheduleOptions): Promise<BackupResult | undefined> {
  const { folder, verifyEveryHours } = settings
  const newest = (await listBackups(folder)).at(-1)
  if (verifyEveryHours === 0 || newest === undefined) return undefined
  const last = await readVerified(folder)
  if (last && Date.now() - Date.parse(last.verified_at) < verifyEveryHours * HOUR_MS) return undefined
  // What an interrupted one has left.
  for (const name of await readdir(folder))
    if (name.startsWith('verify-')) await rm(join(folder, name), { recursive: true, force: true })
  const into = await mkdtemp(join(folder, 'verify-'))
  try {
    const restored = await restoreAndCheck({ folder, into, target: 'latest', dataDir: join(folder, 'none') })
    const { manifest, check, last_commit_at, unpack_ms, recover_ms, check_ms } = restored
    if (!check.isWhole) throw new Error(`the restored database is not whole: ${JSON.stringify(check)}`)
    const verified: Verified = { backup: manifest.name, verified_at: new Date().toISOString() }
    await writeDurably(join(folder, 'verified.json'), JSON.stringify(verified))
    return {
      kind: 'verification',
      backup: manifest.name,
      ticket_count: check.last_ticket.ticket_count,
      last_commit_at: last_commit_at?.toISOString() ?? null,
      took_ms: Math.round(unpack_ms + recover_ms + check_ms),
    }
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}

async function readVerified(folder: string): Promise<Verified | undefined> {
  const text = await readFile(join(folder, 'verified.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Verified)
}

/** The ages, from what is in the folder: they outlive a restart. */
async function observe(folder: string): Promise<void> {
  const newest = (await listBackups(folder)).at(-1)
  if (newest) backupMade.set(Date.parse(newest.stopped_at) / 1_000)
  const verified = await readVerified(folder)
  if (verified) backupVerified.set(Date.parse(verified.verified_at) / 1_000)
  const segment = (await listSegments(folder)).at(-1)
  if (segment) walArchived.set(segment.writtenAt.getTime() / 1_000)
}
