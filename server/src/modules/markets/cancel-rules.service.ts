// When members of a market may cancel tickets, as set by the office.

import type { CancelRulesChange, Product } from '@megalot/contract'
import type { CancelRules } from '@megalot/rules'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { getProduct } from './products.ts'
import { findCancelRules, lockCancelRules, saveCancelRules } from './markets.store.ts'

/** The present rules of a market. @throws Refusal unknown_product */
export async function getCancelRules(tx: Tx, product_code: string): Promise<CancelRules> {
  const rules = await findCancelRules(tx, product_code)
  if (!rules) throw new Refusal('unknown_product')
  return rules
}

/**
 * Changes the rules of a market, for existing tickets too. @returns the market with its rules
 * @throws Refusal unknown_product, bad_input (nothing to change)
 */
export async function changeCancelRules(
  db: Db,
  actor_id: number,
  product_code: string,
  { reason, ...change }: CancelRulesChange,
): Promise<Product> {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(named).length === 0)
    throw new Refusal('bad_input', { problems: [{ part: 'body', path: '', rule: 'change' }] })
  return db.transaction().execute(async (tx) => {
    const before = await lockCancelRules(tx, product_code)
    if (!before) throw new Refusal('unknown_product')
    const after: CancelRules = { ...before, ...named }
    await saveCancelRules(tx, product_code, after)
    await verifyCallerAgain(tx)
    const subject = `product:${product_code}`
    await writeAudit(tx, { actor_id, action: 'change_cancel_rules', subject, before, after, reason })
    const { bottom3_set: _, ...product } = await getProduct(tx, product_code)
    return product
  })
}
