// Repairs the rollups. The invariants check them (`oversight/invariants`).

import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

/**
 * Recomputes all rollups from the tickets, moves results that no entry has moved, and recounts what people owe each
 * other. Blocks tickets meanwhile.
 */
export async function rebuildSums(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select rebuild_rollups()`.execute(tx)
    await sql`select rebuild_edges()`.execute(tx)
  })
}
