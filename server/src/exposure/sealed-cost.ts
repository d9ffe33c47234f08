import { type Bottom3Set, type DrawResult, payoutOfResult, SLOT_COUNT } from '@megalot/rules'
import type { Db } from '../postgres/db.ts'
import { findHouseTotals } from './board.store.ts'
import { findSeal, readSlotSums } from './seal.store.ts'

/**
 * The cost of a result and received less discounts, by a period's sealed exposure; null if the current exposure is not
 * sealed.
 */
export async function readSealedCost(
  db: Db,
  period_id: number,
  result: DrawResult,
  bottom3_set: Bottom3Set,
): Promise<{ payout_satang: number; net_satang: number } | null> {
  const seal = await findSeal(db, period_id)
  const totals = await findHouseTotals(db, period_id)
  if (seal?.state !== 'sealed' || seal.version !== (totals?.version ?? 0)) return null
  const { slots, payouts } = await readSlotSums(db, period_id)
  const bySlot = new Float64Array(SLOT_COUNT)
  for (const [index, slot] of slots.entries()) bySlot[slot] = payouts[index]!
  return {
    payout_satang: payoutOfResult(bySlot, result, bottom3_set),
    net_satang: (totals?.received_satang ?? 0) - (totals?.discount_satang ?? 0),
  }
}
