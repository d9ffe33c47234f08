// What must hold of money and tickets after a benchmark as after a test.

import { findBrokenInvariants } from '../../server/test/invariants.ts'
import { openDataFolderDatabase } from '../../server/test/data-folder-database.ts'
import type { BenchmarkContext } from '../benchmark.ts'

/** Asks a running application's database for all of it, and tells what is broken. @returns how many invariants are */
export async function countBrokenInvariants(dataDir: string, report: BenchmarkContext['report']): Promise<number> {
  const kept = await openDataFolderDatabase(dataDir)
  try {
    const broken = Object.entries(await findBrokenInvariants(kept.db))
    for (const [name, ids] of broken) report(`  broken: ${name}: ${JSON.stringify(ids)}`)
    return broken.length
  } finally {
    await kept.close()
  }
}
