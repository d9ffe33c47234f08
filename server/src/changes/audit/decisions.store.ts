// Ends of entries of results: the second entry, or a reset.

import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import { beginningOf, type LoggedDecision, type TimeCursor } from './endings.ts'

const actions = Object.keys(beginningOf)
// Same as the partial index of `0013-audit.sql`.
const isEnding = sql.raw(`action in ('${actions.join("', '")}')`)
const beginning = sql.raw(
  `case last.action ${Object.entries(beginningOf)
    .map(([end, begin]) => `when '${end}' then '${begin}'`)
    .join(' ')} end`,
)

/**
 * Newest first. Each action is read by the index, so that few rows are found among many.
 * @param before only rows before this one
 */
export async function listEndings(db: Db, before: TimeCursor | null, limit: number): Promise<LoggedDecision[]> {
  const isBefore =
    before === null
      ? sql`true`
      : sql`(at, audit_id) < (timestamptz 'epoch' + ${before.at_us}::bigint * interval '1 microsecond', ${before.id}::bigint)`
  const { rows } = await sql<LoggedDecision>`
    select last.audit_id, (extract(epoch from last.at) * 1000000)::bigint as at_us, last.at, last.action,
      substring(last.subject from '^period:(.*)$') as period_code, last.actor_id, last.reason,
      begun.actor_id as begun_by, begun.at as begun_at, begun.reason as begun_reason
    from (
      select found.* from unnest(${actions}::text[]) as wanted (action) cross join lateral (
        select audit_id, at, audit_log.action, subject, actor_id, reason from audit_log
        where audit_log.action = wanted.action and audit_log.${isEnding} and actor_id is not null and ${isBefore}
        order by at desc, audit_id desc limit ${limit}::int) found
      order by at desc, audit_id desc limit ${limit}::int
    ) last left join lateral (
      select actor_id, at, reason from audit_log earlier
      where earlier.subject = last.subject and earlier.audit_id < last.audit_id and earlier.action = ${beginning}
      order by earlier.audit_id desc limit 1) begun on true
    order by last.at desc, last.audit_id desc`.execute(db)
  return rows
}
