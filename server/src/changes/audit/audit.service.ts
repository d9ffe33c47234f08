// Writing the audit log. The database adds time, principal and hash chain (`0013-audit.sql`).

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { currentAddress } from '../../http/call-origin.ts'
import { type Db, isLockTimeout, type Tx } from '../../postgres/db.ts'

export interface AuditRecord {
  /** Absent: the system itself. */
  actor_id: number | null
  /** Verb and noun: `close_period`. */
  action: string
  /** The object of the action: `period:thai-government-20261201`. */
  subject: string
  /** The user whom it concerns, where the subject is not a user itself. */
  subject_user_id?: number
  before?: object
  after?: object
  reason?: string
}

/** Writes who did what, in the transaction of the action itself: both are committed or neither. */
export function writeAudit(db: Db, record: AuditRecord): Promise<void> {
  return writeAudits(db, [record])
}

/**
 * Content that readers may not see for a while, with a random part: readers see the hash of the row and those of later rows, and could
 * else find the content by hashing every possible one. Not shown when the content is.
 */
export function addSalt(content: object): object {
  return { ...content, salt: randomBytes(16).toString('hex') }
}

/** How many records are sent in one statement. */
const RECORDS_A_STATEMENT = 1_000

/** As `writeAudit`, for an action on many subjects. */
export async function writeAudits(db: Db, records: readonly AuditRecord[]): Promise<void> {
  const address = currentAddress()
  for (let from = 0; from < records.length; from += RECORDS_A_STATEMENT) {
    const part = records.slice(from, from + RECORDS_A_STATEMENT).map((record) => ({ ...record, address }))
    await sql`select write_audit(${JSON.stringify(part)}::jsonb)`.execute(db)
  }
}

/**
 * Notes what the owner's jobs have still to write into the log, in the transaction of what it is about: an alarm does not wait until
 * somebody lets go of the end of the chain. `writeDeferredAudits` writes it.
 * @param tx of the owner
 */
export async function deferAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  await sql`
    insert into deferred_audits (record) select record from jsonb_array_elements(${JSON.stringify(records)}::jsonb) record`.execute(
    tx,
  )
}

/** How long the end of the chain is waited for: a transaction has it for the moment of its commit. */
const CHAIN_WAIT = '2s'

/**
 * Writes what was deferred, each row once: it leaves its table in the same transaction. `at` of a row says when it was written.
 * @returns whether nothing is left; not where somebody holds the end of the chain: a later call tries again
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
 * Records a log-in with a wrong name or password: one row for each of a user; those of names that nobody has become one row a minute.
 * The same statement for both, and much the same work.
 * @param user_id undefined: there is no such user
 */
export async function auditFailedLogIn(tx: Tx, user_id: number | undefined): Promise<void> {
  await sql`select audit_failed_log_in(${user_id ?? null}::bigint, ${currentAddress()}::text)`.execute(tx)
}

/** Writes the rows of failed log-ins with unknown names, of minutes that are over. */
export async function auditUnknownLogIns(db: Db): Promise<void> {
  await sql`select audit_unknown_log_ins()`.execute(db)
}
