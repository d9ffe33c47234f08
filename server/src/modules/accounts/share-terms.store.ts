import type { ShareTerms } from '@megalot/contract'
import { sql } from 'kysely'
import { takeLock } from '../../platform/advisory-locks.ts'
import type { Scope } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'

/**
 * Position and commission of a user as they were set last, for periods that open now; 0 where nobody has set them. Where the clock has
 * stepped back since, they hold once it has caught up.
 */
export async function readShareTerms(db: Db, user_id: number): Promise<ShareTerms> {
  const { rows } = await sql<Omit<ShareTerms, 'user_id'>>`
    select position_rate, commission_rate from share_terms_at(${user_id}, 'infinity')
    where share_id is not null`.execute(db)
  return { user_id, position_rate: 0, commission_rate: 0, ...rows[0] }
}

/**
 * @throws a violated `shares_within_line` where the positions along a line of users would exceed 100 % together, or a
 * level would have a higher commission than the level above it
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

/** The agents below a user, and the user itself; 0 where the actor does not reach it. */
export async function readAgentCount(db: Db, { is_office, principal_id }: Scope, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select agent_count + 1 as count from downline_sizes join users using (user_id)
    where user_id = ${user_id} and (${is_office} or upline_ids @> array[${principal_id}]::bigint[])`.execute(db)
  return rows[0]?.count ?? 0
}
