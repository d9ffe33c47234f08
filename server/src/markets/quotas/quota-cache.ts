// Quotas that a node has read recently, so that a batch seldom reads them. A batch may be decided by cached quotas
// where the exact sums do not matter: every bet received in full at the full rate. The database asserts that when the
// batch is written.

import { quotaSlotOf, typeIndexOf } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import { blockIndexOf, type BlockKey, type BlockRecord, indexInBlock, indexOfBlock, keyAt } from './quota-blocks.ts'
import { type IndexedLimits, NO_LIMIT_SATANG, type QuotaSnapshot } from './quota-snapshot.ts'

/** How long a block may be used after it was read, in ms. */
const BLOCK_TTL_MS = 250
/** A number of which more than this part of the full quota is used is not decided from the cache. */
const NEARLY_FULL = 0.8
const MAX_PERIODS = 100

interface CachedBlock {
  block: BlockRecord
  readAtMs: number
}

interface CachedPeriod {
  /** By their index in `blockKeys`. */
  blocks: (CachedBlock | undefined)[]
  limits: IndexedLimits
}

/** Recently read quotas of a period. */
export interface CachedQuotas {
  snapshot: QuotaSnapshot
  /** Whether bets of a package are on numbers that were open and far from full. @param slots -1 where there is no such bet */
  isFarFromFull(slots: readonly number[], package_code: string): boolean
  /** Blocks that expire soon: they are to be read again with the batch, and stored. */
  listDue(): BlockKey[]
  storeBlocks(blocks: readonly BlockRecord[]): void
}

export interface QuotaCache {
  get(period_code: string): CachedQuotas | undefined
  /** Stores what a batch has read. */
  store(period_code: string, snapshot: QuotaSnapshot): void
  evict(period_code: string): void
}

/** @param readClock in ms; used only for the age of entries */
export function createQuotaCache(readClock: () => number): QuotaCache {
  const periods = new LRUCache<string, CachedPeriod>({ max: MAX_PERIODS })
  return {
    get: (period_code) => {
      const cached = periods.get(period_code)
      return cached && toCachedQuotas(cached, readClock())
    },
    store: (period_code, { limits, blocks }) => {
      const cached = periods.get(period_code)
      const next: CachedPeriod = { limits, blocks: cached ? cached.blocks : [] }
      storeBlocks(next, blocks, readClock())
      periods.set(period_code, next)
    },
    evict: (period_code) => periods.delete(period_code),
  }
}

function toCachedQuotas(cached: CachedPeriod, nowMs: number): CachedQuotas {
  const { limits, blocks } = cached
  const usable = blocks.map((each) => (each && nowMs - each.readAtMs < BLOCK_TTL_MS ? each.block : undefined))
  const nearlyFull = limits.quotaOfType.map((quota) => (quota?.full_satang ?? NO_LIMIT_SATANG) * NEARLY_FULL)
  return {
    snapshot: { limits, blocks: usable, isLocked: false },
    isFarFromFull: (slots, package_code) => {
      const ofPackage = limits.packageQuotas.get(package_code)
      return slots.every((slot) => {
        if (slot < 0) return false
        const quota_slot = quotaSlotOf(slot)
        const block = usable[blockIndexOf(quota_slot)]
        if (block === undefined || limits.settingOf.has(quota_slot)) return false
        const accepted_satang = block.accepted_satang[indexInBlock(quota_slot)]!
        const own = ofPackage?.[typeIndexOf(quota_slot)]
        if (own && accepted_satang > own.full_satang * NEARLY_FULL) return false
        return accepted_satang <= nearlyFull[typeIndexOf(quota_slot)]!
      })
    },
    listDue: () => [...blocks.keys()].filter((index) => isDue(blocks[index], nowMs)).map(keyAt),
    storeBlocks: (records) => storeBlocks(cached, records, nowMs),
  }
}

function isDue(cached: CachedBlock | undefined, nowMs: number): boolean {
  return cached !== undefined && nowMs - cached.readAtMs > BLOCK_TTL_MS / 2
}

function storeBlocks({ blocks }: CachedPeriod, records: readonly (BlockRecord | undefined)[], readAtMs: number): void {
  for (const block of records) {
    if (block) blocks[indexOfBlock(block)] = { block, readAtMs }
  }
}
