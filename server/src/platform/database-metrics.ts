// What the database says of itself, and how far its clock is from this node's.

import { sql } from 'kysely'
import type { Db } from './db.ts'
import { archivedTimestamp, clockOffsetSeconds, lockWaits } from './metrics.ts'

/** @param readClock in ms since 1970 */
export async function readDatabaseMetrics(db: Db, readClock = Date.now): Promise<void> {
  const askedAtMs = readClock()
  const { rows } = await sql<{ at_s: number; waiting: number; archived_at_s: number }>`
    select extract(epoch from clock_timestamp())::float8 as at_s,
      (select count(*)::int from pg_locks where not granted) as waiting,
      coalesce((select extract(epoch from last_archived_time)::float8 from pg_stat_archiver), 0) as archived_at_s`.execute(
    db,
  )
  const answeredAtMs = readClock()
  const { at_s, waiting, archived_at_s } = rows[0]!
  // Its clock was read about half-way.
  clockOffsetSeconds.set((askedAtMs + answeredAtMs) / 2_000 - at_s)
  lockWaits.set(waiting)
  archivedTimestamp.set(archived_at_s)
}
