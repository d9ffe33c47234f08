import { sql } from 'kysely'
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

interface AuditUser {
  user_id: number
  username: string
  display_name: string
}

/** A row of the log as people read it. */
export interface AuditEntry {
  audit_id: number
  at: Date
  action: string
  /** Null: the system. */
  actor: AuditUser | null
  /** For whom an assistant has acted; null for everybody else. */
  principal: AuditUser | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
}

/** What was done to a subject, newest first; to be shown, never to decide by it. */
export async function listAuditOf(
  db: Db,
  subject: string,
  limit: number,
  before_id: number | null,
): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select audit_id, at, action, before, after, reason,
      case when a.user_id is not null then
        json_build_object('user_id', a.user_id, 'username', a.username, 'display_name', a.display_name) end as actor,
      case when p.user_id is not null then
        json_build_object('user_id', p.user_id, 'username', p.username, 'display_name', p.display_name) end as principal
    from audit_log left join users a on a.user_id = actor_id left join users p on p.user_id = a.principal_id
    where subject = ${subject} and (${before_id}::bigint is null or audit_id < ${before_id})
    order by audit_id desc limit ${limit}`.execute(db)
  return rows
}
