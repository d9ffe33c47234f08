// The highest possible return of any bettor, which limits commissions. The company pays both: above 100 % someone could
// profit by betting alone, so two people decide, as for the terms themselves.

import { boundOfReturn, MAX_RETURN, theoreticalReturn } from '@megalot/rules'
import type { Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { listGameConfigs } from './packages.service.ts'
import { listBottom3Sets } from './products.ts'

/**
 * The highest theoretical return of all enabled terms, held by users or not, because one person alone can give
 * packages.
 */
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
 * Details for a decision by two people about a commission directly below the company; false if one person is enough.
 * @param highest_return from `findHighestReturn`
 * @throws Refusal return_too_high (above 120 % together with the highest return)
 */
export function boundCommission(commission_rate: number, highest_return: number): object | false {
  const return_rate = highest_return + commission_rate
  const bound = boundOfReturn(return_rate)
  if (bound === 'refused') throw new Refusal('return_too_high', { return_rate, max_return_rate: MAX_RETURN })
  return bound === 'approved' && { return_rate }
}
