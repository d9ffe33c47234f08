// When a market's members may cancel tickets, as set by the office.

import * as contract from '@megalot/contract'
import type { CancelRules } from '@megalot/rules'
import * as z from 'zod/mini'
import { defineChange } from '../changes/index.ts'
import type { Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { marketLocks } from './locks.ts'
import { findCancelRules, saveCancelRules } from './markets.store.ts'
import { presentProduct } from './products.ts'

/**
 * A market's current rules.
 * @throws Refusal unknown_product
 */
export async function getCancelRules(tx: Tx, product_code: string): Promise<CancelRules> {
  const rules = await findCancelRules(tx, product_code)
  if (!rules) throw new Refusal('unknown_product')
  return rules
}

/**
 * The rules named by a call; the others stay.
 * @throws Refusal bad_input (nothing to change)
 */
function readRules(change: { [Rule in keyof CancelRules]?: number | undefined }): Partial<CancelRules> {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(named).length === 0)
    throw new Refusal('bad_input', { problems: [{ part: 'body', path: '', rule: 'change' }] })
  return named
}

/**
 * Changes a market's rules, also for existing tickets. Its outcome is the market.
 * @throws Refusal unknown_product, bad_input
 */
export const changeCancelRules = defineChange({
  name: 'change_cancel_rules',
  needs: 'periods.do',
  input: z.strictObject({ product_code: z.string(), rules: z.partial(contract.cancelRules) }),
  find: async (_db, { rules }) => readRules(rules),
  locks: ({ product_code }) => marketLocks(product_code),
  load: ({ tx }, { product_code }) => getCancelRules(tx, product_code),
  decide(before, { product_code, rules }) {
    const after: CancelRules = { ...before, ...readRules(rules) }
    return { plan: { product_code, after }, rows: [{ subject: `product:${product_code}`, before, after }] }
  },
  async write({ tx }, { product_code, after }) {
    await saveCancelRules(tx, product_code, after)
    return { outcome: await presentProduct(tx, product_code) }
  },
})
