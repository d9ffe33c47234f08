import { sql } from 'kysely'
import { advisoryLocks } from '../../postgres/advisory-locks.ts'
import { readingLogIns } from '../../postgres/database-log-ins.ts'
import type { Db, Tx } from '../../postgres/db.ts'

/**
 * Why a session is ended: it may block the notification queue, or holds a transaction id, or holds a snapshot for too
 * long.
 */
export type ReaderOffence = 'queue' | 'transaction_id' | 'snapshot'

/** A session that was ended. */
export interface EndedReader {
  log_in: string
  /** How long its transaction had been open, in ms. */
  open_ms: number
  offence: ReaderOffence
}

/** The transaction age at which a reader's session is ended, in ms. */
export interface ReaderLimits {
  /** Whether the notification queue fills up; then any transaction is ended from `longestMs` on. */
  isQueueFilling: boolean
  /** With a transaction id, which readers do not need. */
  longestMs: number
  /** With a snapshot, as for a report; dead rows are kept meanwhile. */
  longestSnapshotMs: number
}

/**
 * The used share of the queue, 0 to 1. Asking for it frees what is no longer needed; otherwise a full queue stays full.
 */
export async function readQueueRatio(db: Db): Promise<number> {
  const { rows } = await sql<{ ratio: number }>`select pg_notification_queue_usage() as ratio`.execute(db)
  return rows[0]!.ratio
}

/** How long to wait for a session's end, in ms; otherwise another node would end and report it too. */
const END_MS = 1_000

const isOlder = (ms: number) => sql`xact_start <= clock_timestamp() - ${ms} * interval '1 ms'`

/** Sessions over a limit, in any database of the server, except the integrity check's. */
const offenders = ({ isQueueFilling, longestMs, longestSnapshotMs }: ReaderLimits) => sql`
  select pid, usename::text as log_in, (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as open_ms, offence
  from pg_stat_activity
    cross join lateral (select case
      when ${isQueueFilling} and ${isOlder(longestMs)} then 'queue'
      when backend_xid is not null and ${isOlder(longestMs)} then 'transaction_id'
      when backend_xmin is not null and ${isOlder(longestSnapshotMs)} then 'snapshot' end as offence) judged
  where usename in (${sql.join(readingLogIns)}) and offence is not null
    and not exists (
      select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid = ${sql.lit(advisoryLocks.auditorReader)}::oid and objid = pg_stat_activity.pid::oid)`

export async function hasOffenders(db: Db, limits: ReaderLimits): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (${offenders(limits)}) as has`.execute(db)
  return rows[0]!.has
}

/**
 * Ends sessions of read-only log-ins that are over a limit (`markIntegrityReader` excepts the integrity check's). One
 * node at a time, by a lock that only the owner can take.
 * @param tx of the owner, who is a member of these log-ins (`server/roles.sql`) or a superuser
 */
export async function endOffenders(tx: Tx, limits: ReaderLimits): Promise<EndedReader[]> {
  await sql`lock table deferred_audits in share update exclusive mode`.execute(tx)
  const { rows } = await sql<EndedReader>`
    with found as materialized (${offenders(limits)})
    select log_in, open_ms, offence from found where pg_terminate_backend(pid, ${sql.lit(END_MS)})`.execute(tx)
  return rows
}
