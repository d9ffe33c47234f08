// What a node remembers of quotas, so that a batch seldom has to ask the database for them.

import { quotaSlot } from '@megalot/rules'
import type { RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db.ts'
import {
  type BetOn,
  keepQuotas,
  type KnownQuotas,
  listBlocksOf,
  NO_LIMIT_SATANG,
  type OrderedRules,
  orderRules,
} from './known-quotas.ts'
import { blockIndexOf, type BlockKey, indexOfBlock, keyAt } from './quota-blocks.ts'
import { readBlocks, type ReadQuotas } from './quota-counts.service.ts'
import { type BlockRecord, listBlocks, readRules, rulesRead } from './quotas.store.ts'

/** How long what was read of a block may be recalled, in ms. */
const RECALL_MS = 250
/** A block in which more than this part of a full quota is used is read each time. */
const TIGHT_PART = 0.8
const MOST_PERIODS = 100

interface RecalledBlock {
  block: BlockRecord
  readAtMs: number
  isTight: boolean
}

interface RecalledPeriod {
  /** By their places in `blockKeys`. */
  blocks: (RecalledBlock | undefined)[]
  rules: OrderedRules
}

/** Quotas as this node remembers them. */
export interface RecalledQuotas extends KnownQuotas {
  /** Whether bets are on numbers that were open and far from full a moment ago. */
  arePlain(bets: Iterable<BetOn>): boolean
  /** SQL for whether the office has set nothing else since. */
  rulesHold: RawBuilder<boolean>
  /** Reads blocks anew whose time is soon over, for those who come after. */
  refresh(tx: Tx): Promise<void>
}

/**
 * What this node has read of quotas. What is decided by it is right where it does not depend on the exact sums: every bet
 * taken whole at the full rate. `save` proves that it is so still, so that nothing rests on what this remembers, whatever
 * other nodes have written meanwhile.
 */
export interface QuotaMemory {
  /** Reads quotas without holding them, and under load seldom asks the database. */
  read: ReadQuotas
  /** Those of a period without asking at all; undefined where none were read. */
  recall(period_code: string): RecalledQuotas | undefined
  forget(period_code: string): void
}

/** @param readClock in ms; it only says what is old */
export function createQuotaMemory(readClock = () => performance.now()): QuotaMemory {
  const periods = new Map<string, RecalledPeriod>()

  const read: ReadQuotas = async (tx, period_code, bets) => {
    const known = periods.get(period_code)?.blocks ?? []
    const nowMs = readClock()
    const { recent, missing } = sortBlocks(known, bets, nowMs)
    const [{ blocks, areNew }, read] = await Promise.all([
      readBlocks(tx, period_code, missing),
      readRules(tx, period_code),
    ])
    const rules = orderRules(read)
    if (!areNew) {
      remember(known, blocks, rules, nowMs)
      periods.delete(period_code)
      periods.set(period_code, { blocks: known, rules })
      const [oldest] = periods.keys()
      if (periods.size > MOST_PERIODS) periods.delete(oldest!)
    }
    return keepQuotas(period_code, { seen: blocks, recalled: recent, rules, isHeld: false })
  }

  const recall = (period_code: string): RecalledQuotas | undefined => {
    const known = periods.get(period_code)
    if (!known) return undefined
    const { rules } = known
    const nowMs = readClock()
    const recent = known.blocks.map((each) => (each && isRecent(each, nowMs) ? each.block : undefined))
    const recalled = recent.filter((block) => block !== undefined)
    const quotas = keepQuotas(period_code, { seen: [], recalled, rules, isHeld: false })
    return Object.assign(quotas, {
      // Who goes by memory takes nothing but what is plain.
      noteTaken: () => {},
      arePlain: (bets: Iterable<BetOn>) => {
        for (const { bet_type, number } of bets) {
          const slot = quotaSlot(bet_type, number)
          if (slot < 0 || !recent[blockIndexOf(slot)] || rules.settingOf.has(slot)) return false
        }
        return true
      },
      rulesHold: rulesRead(period_code, rules.reading),
      refresh: async (tx: Tx) => {
        const due = listDue(known.blocks, nowMs)
        if (due.length > 0) remember(known.blocks, await listBlocks(tx, period_code, due.map(keyAt)), rules, nowMs)
      },
    })
  }
  return { read, recall, forget: (period_code) => periods.delete(period_code) }
}

function isRecent({ isTight, readAtMs }: RecalledBlock, nowMs: number): boolean {
  return !isTight && nowMs - readAtMs < RECALL_MS
}

/** The blocks that bets touch: those that need not be read again, and those that must. */
function sortBlocks(
  known: readonly (RecalledBlock | undefined)[],
  bets: Iterable<BetOn>,
  nowMs: number,
): { recent: BlockRecord[]; missing: BlockKey[] } {
  const recent: BlockRecord[] = []
  const missing: number[] = []
  for (const index of listBlocksOf(bets)) {
    const recalled = known[index]
    if (recalled && isRecent(recalled, nowMs)) recent.push(recalled.block)
    else missing.push(index)
  }
  // All are read anew together, or one after another would keep batches from going by memory.
  const due = missing.length > 0 ? listDue(known, nowMs) : []
  return { recent, missing: [...new Set([...missing, ...due])].toSorted((a, b) => a - b).map(keyAt) }
}

/** Blocks that are known, and must be read again soon. */
function listDue(known: readonly (RecalledBlock | undefined)[], nowMs: number): number[] {
  return [...known.keys()].filter((index) => {
    const block = known[index]
    return block && !block.isTight && nowMs - block.readAtMs > RECALL_MS / 2
  })
}

function remember(
  known: (RecalledBlock | undefined)[],
  blocks: readonly BlockRecord[],
  { limitOf }: OrderedRules,
  readAtMs: number,
): void {
  for (const block of blocks) {
    const full_satang = limitOf.get(block.bet_type)?.full_satang ?? NO_LIMIT_SATANG
    const isTight = Math.max(...block.accepted_satang) > full_satang * TIGHT_PART
    known[indexOfBlock(block)] = { block, readAtMs, isTight }
  }
}
