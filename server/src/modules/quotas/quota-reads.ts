// Reading the quotas that bets touch, and adding to them, in the transaction of a batch or of a change of one ticket.

import type { Tx } from '../../platform/db.ts'
import type { BlockKey, BlockRecord } from './quota-blocks.ts'
import { createQuotaSnapshot, indexLimits, listBlockKeys, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
import { addToBlocks, listBlocks, lockQuotas, makeBlocks, readLimits } from './quotas.store.ts'

/**
 * Reads quotas without locking them. A decision by them is valid as long as no number exceeds its full quota meanwhile:
 * `add_to_quotas` asserts that.
 */
export async function readQuotas(tx: Tx, period_code: string, slots: Iterable<number>): Promise<QuotaSnapshot> {
  const [blocks, limits] = await Promise.all([
    readOrMakeBlocks(tx, period_code, listBlockKeys(slots)),
    readLimits(tx, period_code),
  ])
  return createQuotaSnapshot(indexLimits(limits), blocks, false)
}

/**
 * Locks the quotas of a period until the transaction ends, and reads those that bets touch. Missing blocks are created
 * before the lock: creating them under it could deadlock with a batch that has created the same and is about to add.
 */
export async function lockQuotasOf(tx: Tx, period_code: string, slots: Iterable<number>): Promise<QuotaSnapshot> {
  const keys = listBlockKeys(slots)
  await readOrMakeBlocks(tx, period_code, keys)
  const [, blocks, limits] = await Promise.all([
    lockQuotas(tx, period_code),
    keys.length === 0 ? [] : listBlocks(tx, period_code, keys),
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

async function readOrMakeBlocks(tx: Tx, period_code: string, keys: readonly BlockKey[]): Promise<BlockRecord[]> {
  if (keys.length === 0) return []
  const blocks = await listBlocks(tx, period_code, keys)
  if (blocks.length === keys.length) return blocks
  // The first bets on these numbers. A concurrent transaction that creates the same blocks waits, and then finds them.
  await makeBlocks(tx, period_code, keys)
  return listBlocks(tx, period_code, keys)
}
