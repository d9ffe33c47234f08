// Positions, line rates and commissions: the part that each level takes of its downline's stakes, the most that it
// takes together with the agents below it, and what it earns on the rest.

import type { GivenShareTerms, ShareTerms } from '@megalot/contract'
import type { Lock } from '../../changes/index.ts'
import type { Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { insertShareTerms, readShareTerms, takeShareLock } from './share-terms.store.ts'
import { getAccessibleUser } from './users.ts'

/**
 * Shares for periods that open now.
 * @throws Refusal not_found
 */
export async function getShareTerms(db: Db, caller: Scope, user_id: number): Promise<ShareTerms> {
  await getAccessibleUser(db, caller, user_id)
  return readShareTerms(db, user_id)
}

/**
 * Writes a new agent's first terms. The caller maps a violated `shares_within_line` to the refusal `share_over_parent`,
 * after its transaction.
 */
export function addShareTerms(tx: Tx, terms: ShareTerms, set_by: number): Promise<void> {
  return insertShareTerms(tx, terms, set_by)
}

/** The requested line rate; by default the previous one, or the position if that is higher. */
export function lineRateOf(
  { position_rate, line_rate }: Pick<GivenShareTerms, 'position_rate' | 'line_rate'>,
  before: Pick<ShareTerms, 'line_rate'>,
): number {
  return line_rate ?? Math.max(before.line_rate, position_rate)
}

/** Serialises changes of all shares. */
export const lockOfShares: Lock = { rank: 'shares', key: 'all', take: takeShareLock }
