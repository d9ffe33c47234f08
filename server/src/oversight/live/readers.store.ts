import { sql } from 'kysely'
import { advisoryLocks } from '../../postgres/advisory-locks.ts'
import { readingLogIns } from '../../postgres/database-log-ins.ts'
import type { Db, Tx } from '../../postgres/db.ts'

/** Why a session is ended: it may keep the queue of notifications, it has a transaction with a number, or a snapshot for too long. */
export type ReaderOffence = 'queue' | 'transaction_id' | 'snapshot'

/** A session that was ended. */
export interface EndedReader {
  log_in: string
  /** How long its transaction had been open, in ms. */
  open_ms: number
  offence: ReaderOffence
}

/** From which age of its transaction on a session of a reader is ended, in ms. */
export interface ReaderLimits {
  /** Whether the queue of notifications fills: then whatever it does, from `longestMs` on. */
  isQueueFilling: boolean
  /** With a number, which nobody needs who only reads. */
  longestMs: number
  /** With a snapshot, as a report has it: dead rows are kept meanwhile. */
  longestSnapshotMs: number
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

const isOlder = (ms: number) => sql`xact_start <= clock_timestamp() - ${ms} * interval '1 ms'`

/** Sessions that are over a limit, in whatever database of the server, but not what the auditor of the application reads with. */
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
 * Ends the sessions of the log-ins that only read and are over a limit (`markAuditorReader` excepts the auditor's). One node at a time: the
 * lock is one that only the owner can take.
 * @param tx of the owner, who is a member of these log-ins (`server/roles.sql`) or a superuser
 */
export async function endOffenders(tx: Tx, limits: ReaderLimits): Promise<EndedReader[]> {
  await sql`lock table deferred_audits in share update exclusive mode`.execute(tx)
  const { rows } = await sql<EndedReader>`
    with found as materialized (${offenders(limits)})
    select log_in, open_ms, offence from found where pg_terminate_backend(pid, ${sql.lit(END_MS)})`.execute(tx)
  return rows
}
