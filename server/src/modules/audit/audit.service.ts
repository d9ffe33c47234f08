import type { Db } from '../../platform/db.ts'

export interface AuditRecord {
  /** Absent: the system itself. */
  actor_id: number | null
  /** Verb and noun: `close_period`. */
  action: string
  /** The object of the action: `period:thai-government-20261201`. */
  subject: string
  before?: object
  after?: object
  reason?: string
}

/** Writes who did what, in the transaction of the action itself: both are committed or neither. */
export function writeAudit(db: Db, record: AuditRecord): Promise<void> {
  return writeAudits(db, [record])
}

/** The limit of records in one statement: each uses six of its 65,535 parameters. */
const RECORDS_A_STATEMENT = 1_000

/** As `writeAudit`, for an action on many subjects. */
export async function writeAudits(db: Db, records: readonly AuditRecord[]): Promise<void> {
  for (let from = 0; from < records.length; from += RECORDS_A_STATEMENT) {
    const rows = records.slice(from, from + RECORDS_A_STATEMENT).map(({ before, after, reason, ...record }) => ({
      ...record,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      reason: reason ?? null,
    }))
    await db.insertInto('audit_log').values(rows).execute()
  }
}
