// Writes the audit log. The database adds time, principal and hash chain (`0013-audit.sql`).

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller } from '../../http/caller.ts'
import { type Db, isLockTimeout, type Tx } from '../../postgres/db.ts'

/** `address`: of a call without a session. */
export type AuditActor = Pick<Caller, 'actor_id' | 'admission'> & { address?: string }

/** The actor of an audit record, and the address of its call. */
export function actorOf({ actor_id, admission, address }: AuditActor): { actor_id: number; address: string | null } {
  return { actor_id, address: address ?? admission?.address ?? null }
}

export interface AuditRecord {
  /** Null for the system. */
  actor_id: number | null
  /** Where the actor called from; null for a job. */
  address?: string | null
  /** Verb and noun: `close_period`. */
  action: string
  /** The object of the action: `period:thai-government-20261201`. */
  subject: string
  /** The user concerned, if the subject is not a user itself. */
  subject_user_id?: number
  before?: object | null
  after?: object
  reason?: string
}

/** Writes who did what, in the transaction of the action, so that both are committed or neither. */
export function writeAudit(db: Db, record: AuditRecord): Promise<void> {
  return writeAudits(db, [record])
}

/**
 * Adds a random part to content that is hidden for some time. Readers see the hashes of the row and of later rows, and
 * could otherwise find the content by hashing all possibilities. The random part is never shown.
 */
export function addSalt(content: object): object {
  return { ...content, salt: randomBytes(16).toString('hex') }
}

/** How many records are sent per statement. */
const RECORDS_A_STATEMENT = 1_000

/** As `writeAudit`, for an action on many subjects. */
export async function writeAudits(db: Db, records: readonly AuditRecord[]): Promise<void> {
  for (let from = 0; from < records.length; from += RECORDS_A_STATEMENT) {
    const part = records.slice(from, from + RECORDS_A_STATEMENT)
    await sql`select write_audit(${JSON.stringify(part)}::jsonb)`.execute(db)
  }
}

/**
 * Records audit rows of the owner's jobs for later writing, in the transaction of what they are about, so that an alert
 * does not wait for the lock on the end of the chain. `writeDeferredAudits` writes them.
 * @param tx of the owner
 */
export async function deferAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  await sql`
    insert into deferred_audits (record) select record from jsonb_array_elements(${JSON.stringify(records)}::jsonb) record`.execute(
    tx,
  )
}

/** How long to wait for the end of the chain; transactions hold it only for their commit. */
const CHAIN_WAIT = '2s'

/**
 * Writes deferred rows, each once, because it leaves its table in the same transaction. A row's `at` is when it was
 * written.
 * @returns whether nothing is left; false if the end of the chain is locked, to be retried later
 */
export async function writeDeferredAudits(owner: Db): Promise<boolean> {
  const isWaiting = sql<{ isWaiting: boolean }>`select exists (select from deferred_audits) as "isWaiting"`
  if (!(await isWaiting.execute(owner)).rows[0]!.isWaiting) return true
  try {
    await owner.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(CHAIN_WAIT)}`.execute(tx)
      await sql`
        with due as (
          delete from deferred_audits where deferred_id in (
            select deferred_id from deferred_audits order by deferred_id limit ${RECORDS_A_STATEMENT} for update skip locked)
          returning deferred_id, record)
        select write_audit(jsonb_agg(record order by deferred_id)) from due having count(*) > 0`.execute(tx)
    })
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

/**
 * Records a log-in with a wrong name or password: one row for each of a user; those with unknown names become one row
 * per minute. Uses the same statement, and similar work, for both.
 * @param user_id undefined if the user does not exist
 */
export async function auditFailedLogIn(tx: Tx, user_id: number | undefined, address: string): Promise<void> {
  await sql`select audit_failed_log_in(${user_id ?? null}::bigint, ${address}::text)`.execute(tx)
}

/** Writes the rows of failed log-ins with unknown names, of past minutes. */
export async function auditUnknownLogIns(db: Db): Promise<void> {
  await sql`select audit_unknown_log_ins()`.execute(db)
}
