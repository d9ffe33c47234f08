// Ends of two-person decisions: an approval, a rejection, a withdrawal, the second entry of a result.

import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import { beginningOf, type DecisionsPart, type LoggedDecision } from './endings.ts'

// Same as the partial index of `0013-audit.sql`.
const isEnding = sql.raw(`action in ('${Object.keys(beginningOf).join("', '")}')`)
const beginning = sql.raw(
  `case last.action ${Object.entries(beginningOf)
    .map(([end, begin]) => `when '${end}' then '${begin}'`)
    .join(' ')} end`,
)

/** Newest first. Each action is read by the index, so that few rows are found among many. */
export async function listEndings(
  db: Db,
  { actions, approval_kinds, before, limit, of }: DecisionsPart,
): Promise<LoggedDecision[]> {
  const isBefore =
    before === null
      ? sql`true`
      : sql`(at, audit_id) < (timestamptz 'epoch' + ${before.at_us}::bigint * interval '1 microsecond', ${before.id}::bigint)`
  // Who began it is known only after the lookup, so for one person all of these days are read.
  const isOfDays =
    of === undefined
      ? sql`true`
      : sql`at > greatest(clock_timestamp() - ${of.days} * interval '1 day',
          timestamptz 'epoch' + ${of.after_us}::bigint * interval '1 microsecond')`
  const isOfUser = of === undefined ? sql`true` : sql`begun.actor_id = ${of.actor_id}`
  const found_limit = of === undefined ? limit : null
  const { rows } = await sql<LoggedDecision>`
    select last.audit_id, (extract(epoch from last.at) * 1000000)::bigint as at_us, last.at, last.action, last.subject,
      last.actor_id, last.reason, begun.actor_id as begun_by, begun.at as begun_at, begun.reason as begun_reason
    from (
      select found.* from unnest(${[...actions]}::text[]) as wanted (action) cross join lateral (
        select audit_id, at, audit_log.action, subject, actor_id, reason from audit_log
        where audit_log.action = wanted.action and audit_log.${isEnding} and actor_id is not null and ${isBefore} and ${isOfDays}
          and (subject not like 'approval:%' or after ->> 'kind' = any(${[...approval_kinds]}::text[]))
        order by at desc, audit_id desc limit ${found_limit}::int) found
      order by at desc, audit_id desc limit ${found_limit}::int
    ) last left join lateral (
      select actor_id, at, reason from audit_log earlier
      where earlier.subject = last.subject and earlier.audit_id < last.audit_id and earlier.action = ${beginning}
      order by earlier.audit_id desc limit 1) begun on true
    where ${isOfUser}
    order by last.at desc, last.audit_id desc limit ${limit}`.execute(db)
  return rows
}
