import type { ShareTerms } from '@megalot/contract'
import { sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'

/**
 * Shares of a user as they were set last, for periods that open now; 0 where nobody has set them. Where the clock has
 * stepped back since, they hold once it has caught up. Nobody sets those of the company, whose line takes the whole of each stake.
 */
export async function readShareTerms(db: Db, user_id: number): Promise<ShareTerms> {
  const { rows } = await sql<Omit<ShareTerms, 'user_id'>>`
    select coalesce(position_rate, 0) as position_rate, coalesce(commission_rate, 0) as commission_rate,
      coalesce(line_rate, case when level = 'company' and not is_office then 10000 else 0 end) as line_rate
    from users cross join lateral share_terms_at(user_id, 'infinity') terms
    where users.user_id = ${user_id}`.execute(db)
  return { user_id, ...rows[0]! }
}

/**
 * @throws a violated `shares_within_line` where a position would exceed the line rate, a line would take more than the level above has
 * left or less than a level below has, or a level would have a higher commission than the level above it
 */
export async function insertShareTerms(tx: Tx, terms: ShareTerms, set_by: number): Promise<void> {
  await tx
    .insertInto('share_terms')
    .values({ ...terms, set_by })
    .execute()
}

export async function takeShareLock(tx: Tx): Promise<void> {
  await sql`select ${takeLock('shareTerms')}`.execute(tx)
}
