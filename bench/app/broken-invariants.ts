// Checks invariants of money and tickets after a benchmark, as after a test.

import { findViolatedInvariants } from '../../server/test/invariants.ts'
import { openDataFolderDatabase } from '../../server/test/data-folder-database.ts'
import type { BenchmarkContext } from '../benchmark.ts'

/**
 * Checks all invariants in the database of a running application and reports violations.
 * @returns how many are violated
 */
export async function countBrokenInvariants(dataDir: string, report: BenchmarkContext['report']): Promise<number> {
  const database = await openDataFolderDatabase(dataDir)
  try {
    const broken = Object.entries(await findViolatedInvariants(database.db))
    for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
    return broken.length
  } finally {
    await database.close()
  }
}
