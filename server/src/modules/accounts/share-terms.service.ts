// Positions, line rates and commissions: the part that each level takes of its downline's stakes, the most that it takes together with
// the agents below it, and what it earns on the rest.

import type { GivenShareTerms, ShareTerms } from '@megalot/contract'
import type { Actor, Scope } from '../../platform/caller.ts'
import { violatedConstraint } from '../../platform/constraints.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { insertShareTerms, readShareTerms, takeShareLock } from './share-terms.store.ts'
import { getAccessibleUser } from './users.ts'

/** Shares for periods that open now. @throws Refusal not_found */
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

/** The line rate that is asked for; without one that of before, or the position where that is more. */
export function lineRateOf(
  { position_rate, line_rate }: Pick<GivenShareTerms, 'position_rate' | 'line_rate'>,
  before: Pick<ShareTerms, 'line_rate'>,
): number {
  return line_rate ?? Math.max(before.line_rate, position_rate)
}

/** No share changes until the transaction ends. */
export function lockShares(tx: Tx): Promise<void> {
  return takeShareLock(tx)
}

/** Shares of a user, while no share changes. @throws Refusal not_found */
export async function lockShareTerms(tx: Tx, caller: Scope, user_id: number): Promise<ShareTerms> {
  // Before the lock: whoever may not see the user keeps nobody waiting.
  await getAccessibleUser(tx, caller, user_id)
  await lockShares(tx)
  return readShareTerms(tx, user_id)
}

/**
 * Sets position, line rate and commission of a user, by its parent or the office; members and the company have none. They apply to
 * periods that open from now on. What the user has already is not written again. No share changes until the transaction ends. The caller
 * refuses a commission that is too high for one person (`refuseCommission`).
 * @returns what the user had before, and has now
 * @throws Refusal not_found, not_allowed (somebody else's child, or one that has no shares), share_over_parent
 */
export async function changeShareTerms(
  db: Db,
  actor: Actor,
  user_id: number,
  given: GivenShareTerms,
  reason: string,
): Promise<{ before: ShareTerms; after: ShareTerms }> {
  const { position_rate, commission_rate } = given
  try {
    return await inTransaction(db, async (tx) => {
      const user = await getAccessibleUser(tx, actor, user_id)
      const isTheirs = user.parent_id === actor.principal_id || (actor.is_office && user.parent_id !== null)
      if (!isTheirs || user.is_office) throw new Refusal('not_allowed')
      // A member bets, and has no share of any stakes.
      const isShare = position_rate > 0 || commission_rate > 0 || (given.line_rate ?? 0) > 0
      if (user.level === 'member' && isShare) throw new Refusal('share_over_parent')
      // After what refuses the caller, who keeps nobody waiting then.
      await lockShares(tx)
      const before = await readShareTerms(tx, user_id)
      const terms = { position_rate, line_rate: lineRateOf(given, before), commission_rate }
      const after = { user_id, ...terms }
      const isChange =
        position_rate !== before.position_rate ||
        terms.line_rate !== before.line_rate ||
        commission_rate !== before.commission_rate
      if (isChange) await insertShareTerms(tx, after, actor.actor_id)
      await actor.verifyAgain?.(tx)
      if (!isChange) return { before, after }
      const subject = `user:${user_id}`
      await writeAudit(tx, {
        actor_id: actor.actor_id,
        action: 'change_share_terms',
        subject,
        before,
        after: terms,
        reason,
      })
      return { before, after }
    })
  } catch (error) {
    if (violatedConstraint(error) === 'shares_within_line') throw new Refusal('share_over_parent')
    throw error
  }
}
