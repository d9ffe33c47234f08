// Which names a reader learns (decision 45), because a known log-in name can be attacked. The query names the actor's
// principal as `principal`, which is the actor itself unless it is an assistant.

import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'

/**
 * An actor's address and name are visible to its own downline's uplines; those of the office, which is below the
 * company, to the office only.
 */
export function isSeenBy({ principal_id, is_office }: Scope): RawBuilder<unknown> {
  return sql`(${is_office} or not principal.is_office
    and (principal.user_id = ${principal_id} or principal.upline_ids @> array[${principal_id}]::bigint[]))`
}

/** The level of an actor who is neither in the reader's downline nor in the office, and so is above the reader. */
export function aboveLevel(scope: Scope): RawBuilder<unknown> {
  return sql`case when not principal.is_office and not ${isSeenBy(scope)} then principal.level end`
}
