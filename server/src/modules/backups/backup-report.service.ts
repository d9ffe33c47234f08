// Where the office sees what backups came to: the audit log.

import type { Db } from '../../platform/db.ts'
import { writeAudit } from '../audit/index.ts'
import type { BackupResult } from './backup-schedule.service.ts'

const actions = {
  verification: 'verify_backup',
  backup_failed: 'make_backup_failed',
  verification_failed: 'verify_backup_failed',
} as const

/** A daily base backup that succeeds is no news: the metrics show its age. */
export async function auditBackupResult(db: Db, { kind, ...after }: BackupResult): Promise<void> {
  if (kind === 'backup') return
  const subject = 'backup' in after ? `backup:${after.backup}` : 'backup:none'
  await writeAudit(db, { actor_id: null, action: actions[kind], subject, after })
}
