// A restore that is proven: the database is restored into a new folder, opened and checked.

import { restore, type Restored, type RestoreOptions } from '../../platform/backup/restore.ts'
import { checkDatabase, type DatabaseCheck } from './database-check.service.ts'

export interface CheckedRestore extends Omit<Restored, 'postgres'> {
  check: DatabaseCheck
  check_ms: number
}

/**
 * Restores into a new folder, checks the database there, and stops its server.
 * @throws BackupRefusal as `restore`
 */
export async function restoreAndCheck(options: RestoreOptions): Promise<CheckedRestore> {
  const { postgres, ...restored } = await restore(options)
  const startedAtMs = performance.now()
  try {
    const check = await checkDatabase(postgres.url)
    return { ...restored, check, check_ms: performance.now() - startedAtMs }
  } finally {
    await postgres.stop()
  }
}
