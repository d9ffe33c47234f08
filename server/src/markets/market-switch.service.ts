// The office switches markets on and off. A market that is off accepts no new tickets (`product_disabled`); existing
// ones are settled and paid as usual.

import * as z from 'zod/mini'
import { defineChange } from '../changes/index.ts'
import { readClock, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { lockOfPeriodsToBet, marketLocks } from './locks.ts'
import { makePeriodsOf } from './markets.service.ts'
import { listUnlimitedBetTypes, saveIsEnabled } from './markets.store.ts'
import { presentProduct } from './products.ts'
import { findProductTimetables, type ProductTimetables } from './timetables.store.ts'

/**
 * Switches a market on or off; no effect if it already is. A market that is switched on immediately gets its next
 * periods. Its outcome is the market.
 * @throws Refusal unknown_product, market_needs_quotas (a bet type has none: the house would take any amount on it)
 */
export const switchProduct = defineChange({
  name: 'switch_product',
  needs: 'periods.do',
  input: z.strictObject({ product_code: z.string(), is_enabled: z.boolean() }),
  locks: ({ product_code }) => [...marketLocks(product_code), lockOfPeriodsToBet(product_code)],
  async load({ tx }, { product_code }) {
    const market = await findProductTimetables(tx, product_code)
    if (!market) throw new Refusal('unknown_product')
    const unlimited = await listUnlimitedBetTypes(tx, product_code)
    return { market, unlimited: unlimited.map(({ bet_type }) => bet_type) }
  },
  decide({ market, unlimited }, { product_code, is_enabled }) {
    const isChanged = market.is_enabled !== is_enabled
    if (isChanged && is_enabled && unlimited.length > 0)
      throw new Refusal('market_needs_quotas', { bet_types: unlimited })
    return {
      plan: { market, product_code, is_enabled, isChanged },
      rows: isChanged
        ? [
            {
              subject: `product:${product_code}`,
              before: { is_enabled: market.is_enabled },
              after: { is_enabled },
            },
          ]
        : [],
    }
  },
  async write({ tx }, { market, product_code, is_enabled, isChanged }) {
    if (isChanged && is_enabled) await switchOn(tx, product_code, market)
    else if (isChanged) await saveIsEnabled(tx, product_code, false)
    return { outcome: await presentProduct(tx, product_code) }
  },
})

/** Switches a market on and makes its next periods. */
export async function switchOn(tx: Tx, product_code: string, market: ProductTimetables): Promise<void> {
  await saveIsEnabled(tx, product_code, true)
  await makePeriodsOf(tx, product_code, market, await readClock(tx))
}
