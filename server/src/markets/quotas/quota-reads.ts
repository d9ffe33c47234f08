// Reading the quotas that bets touch, and adding to them, in the transaction of a batch or of a change of one ticket.

import type { Tx } from '../../postgres/db.ts'
import { type BlockKey, type BlockRecord, indexOfBlock } from './quota-blocks.ts'
import { createQuotaSnapshot, indexLimits, listBlockKeys, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
import { addToBlocks, listBlocks, lockQuotas, readLimits } from './quotas.store.ts'

/**
 * Reads quotas without locking them. A decision by them is valid as long as no number exceeds its full quota meanwhile:
 * `add_to_quotas` asserts that.
 */
export async function readQuotas(tx: Tx, period_code: string, slots: Iterable<number>): Promise<QuotaSnapshot> {
  const [blocks, limits] = await Promise.all([
    readBlocks(tx, period_code, listBlockKeys(slots)),
    readLimits(tx, period_code),
  ])
  return createQuotaSnapshot(indexLimits(limits), blocks, false)
}

/** Locks the quotas of a period until the transaction ends, and reads those that bets touch. */
export async function lockQuotasOf(tx: Tx, period_code: string, slots: Iterable<number>): Promise<QuotaSnapshot> {
  const [, blocks, limits] = await Promise.all([
    lockQuotas(tx, period_code),
    readBlocks(tx, period_code, listBlockKeys(slots)),
    readLimits(tx, period_code),
  ])
  return createQuotaSnapshot(indexLimits(limits), blocks, true)
}

/**
 * Adds what the change of a ticket uses or releases to the stored sums.
 * @throws a violated `quota_never_oversold` or `quota_never_below_nothing`; `quota_still_full` where the snapshot was
 * not locked and a number has exceeded its full quota meanwhile
 */
export function saveQuotaUse(tx: Tx, period_code: string, use: QuotaUse, { isLocked }: QuotaSnapshot): Promise<void> {
  return addToBlocks(tx, period_code, use.listChanges(), !isLocked)
}

/** Shared by the blocks on which nothing was accepted yet: readers do not change a block. */
const nothingAccepted: readonly number[] = Array.from({ length: 100 }, () => 0)

/** The blocks, also those that do not exist before the first bet on one of their numbers. */
async function readBlocks(tx: Tx, period_code: string, keys: readonly BlockKey[]): Promise<BlockRecord[]> {
  if (keys.length === 0) return []
  const stored = await listBlocks(tx, period_code, keys)
  if (stored.length === keys.length) return stored
  const isStored = new Set(stored.map(indexOfBlock))
  const missing = keys.filter((key) => !isStored.has(indexOfBlock(key)))
  return [...stored, ...missing.map((key) => ({ ...key, accepted_satang: nothingAccepted }))]
}
