// Whose names a reader learns (decision 45): whoever knows a log-in name can try passwords for it. The query names as `principal` the user for
// whom somebody acted: the same user, but for an assistant.

import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'

/** From where somebody acted, and under which name, is for its own line and those above; of the office, which stands below the company, for the office alone. */
export function isSeenBy({ principal_id, is_office }: Scope): RawBuilder<unknown> {
  return sql`(${is_office} or not principal.is_office
    and (principal.user_id = ${principal_id} or principal.upline_ids @> array[${principal_id}]::bigint[]))`
}

/** Of who did it: whoever is neither of the line nor of the office stands above it. */
export function aboveLevel(scope: Scope): RawBuilder<unknown> {
  return sql`case when not principal.is_office and not ${isSeenBy(scope)} then principal.level end`
}
