// Goal: backups are made and proven by themselves, and what fails is seen.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { BackupSettings } from '../../config.ts'
import { listBackups } from '../../platform/backup/backup-folder.ts'
import { type Database, openDatabase } from '../../platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/embedded-postgres.ts'
import { migrate } from '../../platform/migrate.ts'
import { backupMade, backupVerified } from '../../platform/metrics.ts'
import { auditBackupResult } from './backup-report.service.ts'
import { type BackupResult, startBackupSchedule } from './backup-schedule.service.ts'

let dataDir: string
let settings: BackupSettings
let postgres: EmbeddedPostgres
let database: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'megalot-schedule-'))
  settings = { folder: join(dataDir, 'backup'), everyHours: 24, keepDays: 7, verifyEveryHours: 24 }
  postgres = await startEmbeddedPostgres({ dataDir, backupDir: settings.folder, settings: ['fsync=off'] })
  await migrate(postgres.url)
  database = openDatabase({ url: postgres.url, role: 'owner', maxConnections: 2 })
})

afterAll(async () => {
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Lets the schedule look once for what is due. @returns what it came to */
async function lookOnce(given: Partial<BackupSettings> = {}): Promise<BackupResult[]> {
  const results: BackupResult[] = []
  const onResult = (result: BackupResult): number => results.push(result)
  const stop = startBackupSchedule({ url: postgres.url, dataDir, settings: { ...settings, ...given }, onResult })
  const isOver = (): boolean => results.some(({ kind }) => kind !== 'backup')
  await vi.waitUntil(isOver, { timeout: 60_000, interval: 50 }).catch(() => {})
  await stop()
  return results
}

const valueOf = async (gauge: typeof backupMade): Promise<number> => (await gauge.get()).values[0]!.value

test('a backup is made and proven, and a failure is in the audit log', { timeout: 300_000 }, async () => {
  const [made, proven] = await lookOnce()
  expect(made).toMatchObject({ kind: 'backup' })
  expect(proven).toMatchObject({ kind: 'verification', ticket_count: 0 })
  expect(await listBackups(settings.folder)).toHaveLength(1)
  // The database that was tried is removed.
  expect((await readdir(settings.folder)).filter((name) => name.startsWith('verify-'))).toEqual([])

  const [{ name } = { name: '' }] = await listBackups(settings.folder)
  await writeFile(join(settings.folder, 'base', name, 'base.tar.gz'), 'no longer a backup')
  await rm(join(settings.folder, 'verified.json'))
  // Nothing is due but the restore.
  const results = await lookOnce()
  expect(results).toMatchObject([{ kind: 'verification_failed', why: expect.stringContaining('is damaged') as string }])
  for (const result of [proven!, ...results]) await auditBackupResult(database.db, result)
  const { rows } = await database.pool.query<{ action: string }>(
    'select action from audit_log order by audit_id desc limit 2',
  )
  expect(rows.map(({ action }) => action)).toEqual(['verify_backup_failed', 'verify_backup'])
  expect((await readdir(settings.folder)).filter((each) => each.startsWith('verify-'))).toEqual([])
  expect(await valueOf(backupMade)).toBeGreaterThan(0)
  expect(await valueOf(backupVerified)).toBeGreaterThan(0)
})
