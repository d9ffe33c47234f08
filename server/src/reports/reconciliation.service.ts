// Repair of the rollups. Whether they are right is checked by the invariants (`oversight/invariants`).

import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

/** Recomputes all rollups from the tickets. Tickets wait meanwhile. */
export async function rebuildSums(db: Db): Promise<void> {
  await sql`select rebuild_rollups()`.execute(db)
}
