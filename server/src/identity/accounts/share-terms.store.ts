import type { ShareTerms } from '@megalot/contract'
import { sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'

/**
 * A user's latest shares, for periods that open now; 0 if never set. If the clock has stepped back, they apply once it
 * has caught up. The company's are never set: its line rate is the whole stake.
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
 * @throws a violated `shares_within_line` if a position would exceed the line rate, a line rate would exceed what the
 * level above has left or fall below a level beneath it, or a commission would exceed the level above's
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
