// A restore that is proven: the database is restored into a new folder, opened and checked.

import { restore, type Restored, type RestoreOptions } from '../../platform/backup/restore.ts'
import { openDatabase } from '../../platform/db.ts'
import { checkDatabase, type DatabaseCheck } from './database-check.service.ts'
import { endAllAccess, type EndedAccess } from './restored-access.service.ts'

export interface CheckedRestore extends Omit<Restored, 'postgres'> {
  check: DatabaseCheck
  check_ms: number
}

export interface UsableRestore extends CheckedRestore {
  /** Null: the database is not whole, and nothing was ended. */
  ended: EndedAccess | null
}

/**
 * Restores into a new folder, checks the database there, and stops its server.
 * @throws BackupRefusal as `restore`
 */
export function restoreAndCheck(options: RestoreOptions): Promise<CheckedRestore> {
  return restoreThen(options, async (_url, checked) => checked)
}

/**
 * The same for a database that the application is to run on: where it is whole, all sessions, links and codes end.
 * @throws BackupRefusal as `restore`
 */
export function restoreForUse(options: RestoreOptions): Promise<UsableRestore> {
  return restoreThen(options, async (url, checked) => {
    if (!checked.check.isWhole) return { ...checked, ended: null }
    const database = openDatabase({ url, role: 'owner', maxConnections: 1 })
    try {
      return { ...checked, ended: await endAllAccess(database.db) }
    } finally {
      await database.close()
    }
  })
}

async function restoreThen<Result>(
  options: RestoreOptions,
  work: (url: string, checked: CheckedRestore) => Promise<Result>,
): Promise<Result> {
  const { postgres, ...restored } = await restore(options)
  const startedAtMs = performance.now()
  try {
    const check = await checkDatabase(postgres.url)
    return await work(postgres.url, { ...restored, check, check_ms: performance.now() - startedAtMs })
  } finally {
    await postgres.stop()
  }
}
