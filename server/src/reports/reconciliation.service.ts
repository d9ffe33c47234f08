// Repairs the rollups. The invariants check them (`oversight/invariants`).

import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

/** Recomputes all rollups from the tickets. Blocks tickets meanwhile. */
export async function rebuildSums(db: Db): Promise<void> {
  await sql`select rebuild_rollups()`.execute(db)
}
