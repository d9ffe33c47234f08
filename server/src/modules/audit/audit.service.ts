// Writing the audit log. The database adds time, principal and hash chain (`0013-audit.sql`).

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { currentAddress } from '../../platform/call-origin.ts'
import type { Db, Tx } from '../../platform/db.ts'

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
