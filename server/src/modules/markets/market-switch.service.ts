// Markets are switched on and off by the office. While a market is off it accepts no new tickets (`product_disabled`);
// existing ones are settled and paid as usual.

import type { Product } from '@megalot/contract'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import { type Db, readClock } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { makePeriodsOf } from './markets.service.ts'
import { lockPeriodsToBet } from './periods.ts'
import { getProduct } from './products.ts'
import { saveIsEnabled } from './markets.store.ts'
import { lockProduct } from './timetables.store.ts'

/**
 * Switches a market on or off, or changes nothing where it is so already. A market that is switched on has its next
 * periods at once. @throws Refusal unknown_product
 */
export async function switchProduct(
  db: Db,
  actor_id: number,
  product_code: string,
  { is_enabled, reason }: { is_enabled: boolean; reason: string },
): Promise<Product> {
  return db.transaction().execute(async (tx) => {
    // The market before its periods, as holidays and moves lock them: in one order no two of them deadlock.
    const before = await lockProduct(tx, product_code)
    if (!before) throw new Refusal('unknown_product')
    // Waits for batches in flight; later ones see the market's new state.
    await lockPeriodsToBet(tx, product_code)
    if (before.is_enabled !== is_enabled) {
      await saveIsEnabled(tx, product_code, is_enabled)
      if (is_enabled) await makePeriodsOf(tx, product_code, before, await readClock(tx))
      // After all waits for locks.
      await verifyCallerAgain(tx)
      await writeAudit(tx, {
        actor_id,
        action: 'switch_product',
        subject: `product:${product_code}`,
        before: { is_enabled: before.is_enabled },
        after: { is_enabled },
        reason,
      })
    }
    const { bottom3_set: _, ...product } = await getProduct(tx, product_code)
    return product
  })
}
