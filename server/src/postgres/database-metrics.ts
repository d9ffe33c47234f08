// Metrics of the database, and its clock's offset from this node's.

import { sql } from 'kysely'
import type { Db } from './db.ts'
import { listChangedSettings } from './database-log-ins.ts'
import {
  archivedTimestamp,
  changedLogInSettings,
  clockOffsetSeconds,
  lockWaits,
  oldestTransactionSeconds,
} from '../lib/metrics.ts'

/**
 * The oldest transaction with an id at the last reading, and when this node first saw it. Its start is visible only to
 * members of its log-in; its id to all.
 */
let oldest = { xid: '', sinceMs: 0 }

/** @param readClock in ms since 1970 */
export async function readDatabaseMetrics(db: Db, readClock = Date.now): Promise<void> {
  const askedAtMs = readClock()
  const { rows } = await sql<{ at_s: number; waiting: number; archived_at_s: number; oldest_xid: string }>`
    select extract(epoch from clock_timestamp())::float8 as at_s,
      (select count(*)::int from pg_locks where not granted) as waiting,
      coalesce(nullif(pg_snapshot_xmin(now.seen), pg_snapshot_xmax(now.seen))::text, '') as oldest_xid,
      coalesce((select extract(epoch from last_archived_time)::float8 from pg_stat_archiver), 0) as archived_at_s
    from (select pg_current_snapshot() as seen) now`.execute(db)
  const answeredAtMs = readClock()
  const { at_s, waiting, archived_at_s, oldest_xid } = rows[0]!
  // Its clock was read about half-way.
  clockOffsetSeconds.set((askedAtMs + answeredAtMs) / 2_000 - at_s)
  lockWaits.set(waiting)
  archivedTimestamp.set(archived_at_s)
  if (oldest_xid !== oldest.xid) oldest = { xid: oldest_xid, sinceMs: answeredAtMs }
  oldestTransactionSeconds.set(oldest_xid === '' ? 0 : (answeredAtMs - oldest.sinceMs) / 1_000)
  changedLogInSettings.set((await listChangedSettings(db)).length)
}
