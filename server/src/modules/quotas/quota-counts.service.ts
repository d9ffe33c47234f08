// How much has been accepted on the numbers of a period, for those who accept bets and give them back.

import type { Tx } from '../../platform/db.ts'
import { type BetOn, keepQuotas, type KnownQuotas, listBlockKeys, orderRules } from './known-quotas.ts'
import type { BlockKey } from './quota-blocks.ts'
import { type BlockRecord, listBlocks, lockQuotas, makeBlocks, readRules } from './quotas.store.ts'

export { type BetOn, type KnownQuotas, NO_LIMIT_SATANG } from './known-quotas.ts'

/** What is read of the quotas of a period. The statements go out at once, in their order, without waiting for others. */
export type ReadQuotas = (tx: Tx, period_code: string, bets: Iterable<BetOn>) => Promise<KnownQuotas>

/**
 * Takes hold of quotas whose blocks are there, or were made by this very transaction: to make them while holding the others
 * back could wait in a circle with one that has made the same and is about to add to them. Numbers that are none are left
 * out: the slip check refuses them.
 */
export const holdQuotas: ReadQuotas = async (tx, period_code, bets) => {
  const keys = listBlockKeys(bets)
  const [, { blocks }, rules] = await Promise.all([
    lockQuotas(tx, period_code),
    readBlocks(tx, period_code, keys),
    readRules(tx, period_code),
  ])
  return keepQuotas(period_code, { seen: blocks, recalled: [], rules: orderRules(rules), isHeld: true })
}

/** Takes hold of quotas, also of those on which nobody has bet yet. */
export const makeAndHoldQuotas: ReadQuotas = async (tx, period_code, bets) => {
  const all = [...bets]
  await readBlocks(tx, period_code, listBlockKeys(all))
  return holdQuotas(tx, period_code, all)
}

interface ReadBlocks {
  /** None where there is no such period. */
  blocks: BlockRecord[]
  /** Whether some of them were made now: they are there for good only once the transaction is committed. */
  areNew: boolean
}

/** Blocks, also those on whose numbers nobody has bet yet. */
export async function readBlocks(tx: Tx, period_code: string, keys: readonly BlockKey[]): Promise<ReadBlocks> {
  const blocks = keys.length === 0 ? [] : await listBlocks(tx, period_code, keys)
  if (blocks.length === keys.length) return { blocks, areNew: false }
  // The first bets on these numbers. Whoever makes the same blocks at the same time waits, and finds them made.
  await makeBlocks(tx, period_code, keys)
  return { blocks: await listBlocks(tx, period_code, keys), areNew: true }
}
