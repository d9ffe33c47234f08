import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

/** The entries of one result: the first, and a second person's repetition. */
export interface AwardEntryPair {
  state: 'entered' | 'locked' | 'agreed'
  result: DrawResult
  repeated_result: DrawResult | null
  entered_by_id: number | null
  entered_by: string | null
  repeated_by: string | null
  reason: string | null
}

/** The entries of a period's result, and of its unsettled correction. */
export async function findAwardEntries(
  db: Db,
  period_id: number,
): Promise<{ award?: AwardEntryPair | undefined; correction?: AwardEntryPair | undefined }> {
  const { rows } = await sql<AwardEntryPair & { kind: 'award' | 'correction' }>`
    select 'award' as kind, state, result, repeated_result, entered_by as entered_by_id, first.username as entered_by,
      second.username as repeated_by, null as reason
    from awards left join users first on first.user_id = entered_by left join users second on second.user_id = repeated_by
    where period_id = ${period_id}
    union all
    select 'correction', state, new_result, repeated_result, entered_by, first.username, second.username, reason
    from award_corrections left join users first on first.user_id = entered_by
      left join users second on second.user_id = repeated_by
    where period_id = ${period_id} and state <> 'settled'`.execute(db)
  return {
    award: rows.find(({ kind }) => kind === 'award'),
    correction: rows.find(({ kind }) => kind === 'correction'),
  }
}
