// The second factors of a user who has lost them. Whoever knows a password and could reset factors alone would need no second factor.

import { proposalPayloads } from '@megalot/contract'
import { refuseMoreThanOwn } from '../../../http/caller.ts'
import type { Tx } from '../../../postgres/db.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { isOnePerson } from '../../index.ts'
import { findUser, permissionsOf } from '../../../identity/accounts/index.ts'
import { lockFactors, resetFactors } from '../../../identity/second-factor/index.ts'
import type { Decider, Kind } from './kind.ts'

export const resetFactorsKind: Kind<'reset_factors'> = {
  payload: proposalPayloads.reset_factors,
  permission: 'staff.do',
  // A reset has no refusals besides those of `describe`, so it is not tried out.
  validate: async () => {},
  async describe(tx, { user_id }, decider) {
    const { username, display_name, needs } = await findSubject(tx, user_id, decider)
    const factors = await lockFactors(tx, user_id)
    if (factors.length === 0) throw new Refusal('user_without_factor')
    const figures = { username, display_name }
    return {
      subject: `user:${user_id}`,
      product_code: null,
      before: { factors },
      after: { factors: [] },
      figures,
      needs,
    }
  },
  async execute(tx, { user_id }, { actor_id }, reason) {
    await resetFactors(tx, user_id, { actor_id, reason })
  },
}

/**
 * The user whose factors or password are reset, with what it may do: neither the proposer nor the approver as a person (an assistant
 * counts as its principal), and nobody who may do more than they.
 * @throws Refusal not_found, not_allowed, more_than_own
 */
export async function findSubject(tx: Tx, user_id: number, { actor_id, permissions }: Decider) {
  const user = await findUser(tx, { user_id })
  if (!user) throw new Refusal('not_found')
  if (await isOnePerson(tx, user_id, actor_id)) throw new Refusal('not_allowed')
  const needs = [...permissionsOf(user)]
  refuseMoreThanOwn({ permissions }, needs)
  return { ...user, needs }
}
