export { checkDatabase, type DatabaseCheck } from './database-check.service.ts'
export { type CheckedRestore, restoreAndCheck } from './restore.service.ts'
export { type BackupResult, startBackupSchedule } from './backup-schedule.service.ts'
export { auditBackupResult } from './backup-report.service.ts'
