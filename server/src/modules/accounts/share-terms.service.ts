// Positions and commissions: the part that each level takes of its downline's stakes, and what it earns on the rest.

import type { ShareTerms } from '@megalot/contract'
import { sql } from 'kysely'
import { type Caller, canAccess } from '../../platform/caller.ts'
import { violatedConstraint } from '../../platform/constraints.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'

interface TreeUser {
  parent_id: number | null
  upline_ids: number[]
  is_office: boolean
  level: string
}

/** @throws Refusal not_found: no such user, or the caller may not access it */
async function getAccessibleUser(
  db: Db,
  caller: Pick<Caller, 'user_id' | 'is_office'>,
  user_id: number,
): Promise<TreeUser> {
  const user = await db
    .selectFrom('users')
    .select(['parent_id', 'upline_ids', 'is_office', 'level'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!user || !canAccess(caller, { user_id, ...user })) throw new Refusal('not_found')
  return user
}

async function readTerms(db: Db, user_id: number): Promise<ShareTerms> {
  const { rows } = await sql<Omit<ShareTerms, 'user_id'>>`
    select position_rate, commission_rate from share_terms_at(${user_id}, clock_timestamp())
    where share_id is not null`.execute(db)
  return { user_id, position_rate: 0, commission_rate: 0, ...rows[0] }
}

/** Position and commission for periods that open now. @throws Refusal not_found */
export async function getShareTerms(db: Db, caller: Caller, user_id: number): Promise<ShareTerms> {
  await getAccessibleUser(db, caller, user_id)
  return readTerms(db, user_id)
}

/**
 * Sets position and commission of a user, by its parent or the office; members and the company have none. They apply to
 * periods that open from now on.
 * @throws Refusal not_found, not_allowed (somebody else's child, or one that has no shares), share_over_parent
 */
export async function changeShareTerms(
  db: Db,
  actor: Pick<Caller, 'user_id' | 'is_office'>,
  user_id: number,
  terms: Omit<ShareTerms, 'user_id'>,
  reason: string,
): Promise<ShareTerms> {
  const { position_rate, commission_rate } = terms
  try {
    return await db.transaction().execute(async (tx) => {
      const user = await getAccessibleUser(tx, actor, user_id)
      const isTheirs = user.parent_id === actor.user_id || (actor.is_office && user.parent_id !== null)
      if (!isTheirs || user.is_office) throw new Refusal('not_allowed')
      // A member bets, and has no share of any stakes.
      if (user.level === 'member' && (position_rate > 0 || commission_rate > 0)) throw new Refusal('share_over_parent')
      const before = await readTerms(tx, user_id)
      await tx
        .insertInto('share_terms')
        .values({ user_id, position_rate, commission_rate, set_by: actor.user_id })
        .execute()
      const subject = `user:${user_id}`
      await writeAudit(tx, {
        actor_id: actor.user_id,
        action: 'change_share_terms',
        subject,
        before,
        after: terms,
        reason,
      })
      return { user_id, position_rate, commission_rate }
    })
  } catch (error) {
    if (violatedConstraint(error) === 'shares_within_line') throw new Refusal('share_over_parent')
    throw error
  }
}
