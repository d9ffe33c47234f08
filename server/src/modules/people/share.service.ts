// Shares of a user, whose commission is bounded by what its line gets of each stake with the theoretical return.

import type { GivenShareTerms, ShareTerms } from '@megalot/contract'
import type { Actor } from '../../platform/caller.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { changeShareTerms, getAccessibleUser, getCompanyId } from '../accounts/index.ts'
import { refuseCommission } from '../markets/index.ts'

/**
 * Sets position, line rate and commission of a user. The commission of those directly below the company is paid by the company; those
 * further down share it.
 * @throws Refusal as `changeShareTerms`; return_too_high and approval_needed (one person alone) for a higher commission directly
 * below the company, with which a stake would return more than 120 % and 100 %
 */
export function changeShare(
  db: Db,
  actor: Actor,
  user_id: number,
  { reason, ...terms }: GivenShareTerms & { reason: string },
  authority: DecisionAuthority = 'alone',
): Promise<ShareTerms> {
  return inTransaction(db, async (tx) => {
    const { before, after } = await changeShareTerms(tx, actor, user_id, terms, reason)
    const { parent_id } = await getAccessibleUser(tx, actor, user_id)
    const isRaised = after.commission_rate > before.commission_rate
    if (isRaised && parent_id === (await getCompanyId(tx))) await refuseCommission(tx, terms.commission_rate, authority)
    return after
  })
}
