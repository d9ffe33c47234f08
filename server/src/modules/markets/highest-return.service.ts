// The highest return that a bettor of the house can have, which bounds the commissions beside it (`commission-bound.ts`).

import type { ApprovalKind } from '@megalot/contract'
import { boundOfReturn, MAX_RETURN, theoreticalReturn } from '@megalot/rules'
import type { Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listGameConfigs } from './packages.service.ts'
import { listBottom3Sets } from './products.ts'

/** The highest theoretical return of all terms that are on, whoever may bet on them: packages are given by one person. */
export async function findHighestReturn(tx: Tx): Promise<number> {
  const sets = await listBottom3Sets(tx)
  const configs = await listGameConfigs(tx)
  return Math.max(
    0,
    ...configs.flatMap(({ product_code, bet_types }) =>
      bet_types
        .filter(({ is_on }) => is_on)
        .map((terms) => theoreticalReturn(terms, { bottom3_set: sets.get(product_code)! })),
    ),
  )
}

/**
 * A commission of somebody directly below the company. The caller has locked the shares.
 * @throws Refusal return_too_high (above 120 % with the highest return), approval_needed (one person alone, above 100 %)
 */
export async function refuseCommission(tx: Tx, commission_rate: number, authority: DecisionAuthority): Promise<void> {
  const return_rate = (await findHighestReturn(tx)) + commission_rate
  const bound = boundOfReturn(return_rate)
  if (bound === 'refused') throw new Refusal('return_too_high', { return_rate, max_return_rate: MAX_RETURN })
  const kind: ApprovalKind = 'change_share'
  if (bound === 'approved' && authority === 'alone') throw new Refusal('approval_needed', { kind, return_rate })
}
