import type { Db } from '../../platform/db.ts'

export interface AuditRecord {
  /** Absent: the system itself. */
  actor_id: number | null
  /** Verb and noun: `close_period`. */
  action: string
  /** What it was done to: `period:thai-government-20261201`. */
  subject: string
  before?: object
  after?: object
  reason?: string
}

/** Whether something was done to a subject since an instant. */
export async function hasAudit(
  db: Db,
  { action, subject, since }: { action: string; subject: string; since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('audit_log')
    .select('audit_id')
    .where('subject', '=', subject)
    .where('action', '=', action)
    .where('at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Writes who did what, in the transaction of the deed itself: either both stay or neither. */
export async function writeAudit(db: Db, record: AuditRecord): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      actor_id: record.actor_id,
      action: record.action,
      subject: record.subject,
      before: record.before ? JSON.stringify(record.before) : null,
      after: record.after ? JSON.stringify(record.after) : null,
      reason: record.reason ?? null,
    })
    .execute()
}
