// SQL expressions on sessions, for the statements of other modules.

import { type RawBuilder, sql } from 'kysely'
import { unquotedArray } from '../../platform/db.ts'
import { isInMaintenance } from '../maintenance/index.ts'

/** SQL that is true where all these sessions are live and the whole application is not in maintenance. */
export function areSessionsLive(session_ids: readonly number[]): RawBuilder<boolean> {
  const different = [...new Set(session_ids)]
  return sql`(
    select ${different.length}::int = 0 or (count(*) = ${different.length}::int and not ${isInMaintenance}) from sessions
    where session_id = any(${unquotedArray(different)}::bigint[]) and ended_at is null)`
}
