// The highest return that a bettor of the house can have, which bounds the commissions beside it. The company pays both: above 100 % somebody
// could win by betting alone, so two people decide, as about the terms themselves.

import { boundOfReturn, MAX_RETURN, theoreticalReturn } from '@megalot/rules'
import type { Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
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
 * What two people have to decide about a commission of somebody directly below the company; false: nothing.
 * @param highest_return of `findHighestReturn`
 * @throws Refusal return_too_high (above 120 % with the highest return)
 */
export function boundCommission(commission_rate: number, highest_return: number): object | false {
  const return_rate = highest_return + commission_rate
  const bound = boundOfReturn(return_rate)
  if (bound === 'refused') throw new Refusal('return_too_high', { return_rate, max_return_rate: MAX_RETURN })
  return bound === 'approved' && { return_rate }
}
