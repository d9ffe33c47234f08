import { sql } from 'kysely'
import { advisoryLocks, takeLock } from '../../platform/advisory-locks.ts'
import { readingLogIns } from '../../platform/database-log-ins.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** A session that was ended. */
export interface EndedReader {
  log_in: string
  /** How long its transaction had been open, in ms. */
  open_ms: number
}

/**
 * The part of the queue that waits for somebody, 0 to 1. Asking for it frees what nobody waits for any more; without, a queue that was full
 * stays full.
 */
export async function readQueueRatio(db: Db): Promise<number> {
  const { rows } = await sql<{ ratio: number }>`select pg_notification_queue_usage() as ratio`.execute(db)
  return rows[0]!.ratio
}

/** How long the end of a session is waited for, in ms: another node would otherwise end and report it too. */
const END_MS = 1_000

/**
 * Ends the sessions of the log-ins that only read whose transaction has been open for so long, in whatever database of the server, but not
 * what the auditor of the application reads with (`markAuditorReader`). One node at a time.
 * @param tx of the owner, who is a member of these log-ins (`server/roles.sql`) or a superuser
 */
export async function endLongReaders(tx: Tx, longestMs: number): Promise<EndedReader[]> {
  await sql`select ${takeLock('endReaders')}`.execute(tx)
  const { rows } = await sql<EndedReader>`
    with found as materialized (
      select pid, usename::text as log_in, (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as open_ms
      from pg_stat_activity
      where usename in (${sql.join(readingLogIns)}) and xact_start <= clock_timestamp() - ${longestMs} * interval '1 ms'
        and not exists (
          select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
            and database = (select oid from pg_database where datname = current_database())
            and classid = ${sql.lit(advisoryLocks.auditorReader)}::oid and objid = pg_stat_activity.pid::oid)
    )
    select log_in, open_ms from found where pg_terminate_backend(pid, ${sql.lit(END_MS)})`.execute(tx)
  return rows
}
