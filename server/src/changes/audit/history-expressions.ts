// Logged actions as tables for statements of other modules; for display, never for decisions.

import { type RawBuilder, sql } from 'kysely'

/** Days in Bangkok, both included. */
interface Days {
  date_from: string
  date_to: string
}

const isAtDays = ({ date_from, date_to }: Days) =>
  sql`audit_log.at >= ${date_from}::timestamp at time zone 'Asia/Bangkok'
    and audit_log.at < (${date_to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`

// Both tables name their actions like the partial indexes of `0013-audit.sql`.

/** Changes of credit limits: `user_id`, `at`, `old_satang`, `new_satang`. */
export function creditLimitChanges(days: Days): RawBuilder<unknown> {
  return sql`(
    select subject_user_id as user_id, at, (before ->> 'credit_limit_satang')::bigint as old_satang,
      (after ->> 'credit_limit_satang')::bigint as new_satang
    from audit_log
    where action = 'change_credit_limit' and ${isAtDays(days)})`
}

/** Content without `addSalt`'s random part. Forged rows may contain something other than an object. */
export function withoutSalt(column: 'before' | 'after' | `${string}.before` | `${string}.after`): RawBuilder<unknown> {
  const content = sql.ref(column)
  return sql`case jsonb_typeof(${content}) when 'object' then ${content} - 'salt' else ${content} end`
}

/**
 * Entered and repeated results, and corrections: `audit_id`, `at`, `actor_id`, `state` (`entered`, `agreed`, `locked`),
 * `period_code`, `is_correction`, `result`, and `first`, if the two differed: actor and result of the pair's first
 * entry, null if the log does not have it.
 */
export function awardEntries(days: Days): RawBuilder<unknown> {
  return sql`(
    select audit_id, at, actor_id, substring(action from '[a-z]+$') as state, substr(subject, 8) as period_code,
      action like 'award_correction%' as is_correction, ${withoutSalt('after')} as result,
      case when action like '%locked' then (
        select json_build_object('actor_id', earlier.actor_id, 'result', ${withoutSalt('earlier.after')}) from audit_log earlier
        where earlier.subject = audit_log.subject and earlier.audit_id < audit_log.audit_id
          and earlier.action =
            case when audit_log.action like 'award_correction%' then 'award_correction_entered' else 'award_entered' end
        order by earlier.audit_id desc limit 1) end as first
    from audit_log
    where action like 'award%' and action in ('award_entered', 'award_agreed', 'award_locked',
        'award_correction_entered', 'award_correction_agreed', 'award_correction_locked')
      and actor_id is not null and ${isAtDays(days)})`
}

/** Whether somebody's status has changed within so many days. */
export const changedStatusWithin = (user_id: RawBuilder<unknown>, days: number): RawBuilder<boolean> => sql<boolean>`
  exists (select from audit_log where subject = 'user:' || ${user_id} and action = 'change_status'
    and at >= clock_timestamp() - ${days} * interval '1 day')`
