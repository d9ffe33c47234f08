// Positions and commissions: the part that each level takes of its downline's stakes, and what it earns on the rest.

import type { ShareTerms } from '@megalot/contract'
import type { Actor, Scope } from '../../platform/caller.ts'
import { violatedConstraint } from '../../platform/constraints.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { insertShareTerms, readShareTerms, takeShareLock } from './share-terms.store.ts'
import { getAccessibleUser } from './users.ts'

/** Position and commission for periods that open now. @throws Refusal not_found */
export async function getShareTerms(db: Db, caller: Scope, user_id: number): Promise<ShareTerms> {
  await getAccessibleUser(db, caller, user_id)
  return readShareTerms(db, user_id)
}

/**
 * Writes the first terms of a new agent. The caller maps a violated `shares_within_line` to the refusal
 * `share_over_parent`, after its transaction.
 */
export function addShareTerms(tx: Tx, terms: ShareTerms, set_by: number): Promise<void> {
  return insertShareTerms(tx, terms, set_by)
}

/** No share changes until the transaction ends. */
export function lockShares(tx: Tx): Promise<void> {
  return takeShareLock(tx)
}

/** Position and commission of a user, while no share changes. @throws Refusal not_found */
export async function lockShareTerms(tx: Tx, caller: Scope, user_id: number): Promise<ShareTerms> {
  await lockShares(tx)
  return getShareTerms(tx, caller, user_id)
}

/**
 * Sets position and commission of a user, by its parent or the office; members and the company have none. They apply to
 * periods that open from now on. The caller refuses a commission that is too high for one person (`refuseCommission`).
 * @throws Refusal not_found, not_allowed (somebody else's child, or one that has no shares), share_over_parent
 */
export async function changeShareTerms(
  db: Db,
  actor: Actor,
  user_id: number,
  terms: Omit<ShareTerms, 'user_id'>,
  reason: string,
): Promise<ShareTerms> {
  const { position_rate, commission_rate } = terms
  try {
    return await inTransaction(db, async (tx) => {
      const user = await getAccessibleUser(tx, actor, user_id)
      const isTheirs = user.parent_id === actor.principal_id || (actor.is_office && user.parent_id !== null)
      if (!isTheirs || user.is_office) throw new Refusal('not_allowed')
      // A member bets, and has no share of any stakes.
      if (user.level === 'member' && (position_rate > 0 || commission_rate > 0)) throw new Refusal('share_over_parent')
      const before = await readShareTerms(tx, user_id)
      await insertShareTerms(tx, { user_id, position_rate, commission_rate }, actor.actor_id)
      await actor.verifyAgain?.(tx)
      const subject = `user:${user_id}`
      await writeAudit(tx, {
        actor_id: actor.actor_id,
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
