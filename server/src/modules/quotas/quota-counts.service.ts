// How much has been accepted on the numbers of a period, for those who accept bets and give them back.

import { type BetTypeCode, type NumberQuota, quotaSlot } from '@megalot/rules'
import type { RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db.ts'
import { blockIndexOf, type BlockKey, blockKeys, indexOfBlock, placeInBlock } from './quota-blocks.ts'
import {
  addToBlocks,
  type BlockChange,
  type BlockRecord,
  type LimitRecord,
  listBlocks,
  lockQuotas,
  makeBlocks,
  type QuotaRules,
  readRules,
  rulesRead,
} from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
export const NO_LIMIT_SATANG = 1_000_000_000_000_000

export interface BetOn {
  bet_type: BetTypeCode
  number: string
}

interface Taken {
  received_satang: number
  is_half_pay: boolean
}

/** The quotas of a period that bets touch, as a transaction knows them. */
export interface KnownQuotas {
  find: (bet: BetOn) => NumberQuota
  /** Looks at what became of a bet, before it is added. */
  noteTaken(bet: BetOn & { bet_satang: number }, taken: Taken): void
  /** Whether a bet looked at came out as it did because of sums that others may have changed: then they must be held. */
  readonly mustBeHeld: boolean
  /** Notes what was accepted (or, below 0, released) on a number. */
  add(bet: BetOn, satang: number): void
  /**
   * Adds what was noted to what stands.
   * @throws a broken `quota_still_full` where they were not held and a number has passed its full quota meanwhile
   */
  save(tx: Tx): Promise<void>
}

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
async function readBlocks(tx: Tx, period_code: string, keys: readonly BlockKey[]): Promise<ReadBlocks> {
  const blocks = keys.length === 0 ? [] : await listBlocks(tx, period_code, keys)
  if (blocks.length === keys.length) return { blocks, areNew: false }
  // The first bets on these numbers. Whoever makes the same blocks at the same time waits, and finds them made.
  await makeBlocks(tx, period_code, keys)
  return { blocks: await listBlocks(tx, period_code, keys), areNew: true }
}

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

function keyAt(index: number): BlockKey {
  return blockKeys[index]!
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

/** Rules by what they are about. */
interface OrderedRules extends Pick<QuotaRules, 'reading'> {
  limitOf: Map<BetTypeCode, LimitRecord>
  /** By `quotaSlot`. */
  settingOf: Map<number, NumberQuota['set_to']>
}

function orderRules({ limits, settings, reading }: QuotaRules): OrderedRules {
  return {
    reading,
    limitOf: new Map(limits.map((limit) => [limit.bet_type, limit])),
    settingOf: new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to])),
  }
}

interface Found {
  rules: OrderedRules
  /** Read by this transaction. */
  seen: readonly BlockRecord[]
  /** Read by this node within the last moments. */
  recalled: readonly BlockRecord[]
  /** Whether nobody else changes them until the transaction ends. */
  isHeld: boolean
}

/** A number as the transaction knows it: what it reads and what it adds. */
interface KnownNumber {
  quota: NumberQuota
  block: BlockRecord
  /** Its place in the block, from 0. */
  place: number
  /** What was added since the block was read, in satang. */
  added_satang: number
}

function keepQuotas(period_code: string, { seen, recalled, rules, isHeld }: Found): KnownQuotas {
  const { limitOf, settingOf } = rules
  const blocks: BlockRecord[] = []
  for (const block of [...recalled, ...seen]) blocks[indexOfBlock(block)] = block
  const numbers = new Map<number, KnownNumber>()
  let mustBeHeld = false

  const know = ({ bet_type, number }: BetOn): KnownNumber => {
    const slot = quotaSlot(bet_type, number)
    const before = numbers.get(slot)
    if (before) return before
    const block = blocks[blockIndexOf(slot)]!
    const place = placeInBlock(slot)
    const limit = limitOf.get(bet_type)
    const quota: NumberQuota = {
      full_satang: limit?.full_satang ?? NO_LIMIT_SATANG,
      half_satang: limit?.half_satang ?? 0,
      accepted_satang: block.accepted_satang[place]!,
      set_to: settingOf.get(slot) ?? 'open',
    }
    const known = { quota, block, place, added_satang: 0 }
    numbers.set(slot, known)
    return known
  }
  return {
    find: (bet) => know(bet).quota,
    noteTaken: (bet, { received_satang, is_half_pay }) => {
      const { bet_satang } = bet
      if (isHeld || (received_satang === bet_satang && !is_half_pay)) return
      const { quota, block } = know(bet)
      const { set_to } = quota
      const isByHand = set_to === 'closed' || (set_to === 'half' && received_satang === bet_satang)
      // Of what was seen to be used up, nothing that others are given changes anything.
      const isUsedUp = received_satang === 0 && seen.includes(block)
      mustBeHeld ||= !isByHand && !isUsedUp
    },
    get mustBeHeld() {
      return mustBeHeld
    },
    add: (bet, satang) => {
      const known = know(bet)
      known.quota.accepted_satang += satang
      known.added_satang += satang
    },
    save: (tx) => addToBlocks(tx, period_code, listChanges(numbers.values()), !isHeld),
  }
}

/** What was added, block by block. */
function listChanges(numbers: Iterable<KnownNumber>): BlockChange[] {
  const changes = new Map<BlockRecord, BlockChange>()
  for (const { block, place, added_satang } of numbers) {
    if (added_satang === 0) continue
    const change = changes.get(block) ?? { bet_type: block.bet_type, block: block.block, places: [], amounts: [] }
    changes.set(block, change)
    change.places.push(place + 1)
    change.amounts.push(added_satang)
  }
  return [...changes.values()]
}

/** The blocks that bets touch, by their places in `blockKeys`, ascending. Numbers that are none are left out. */
function listBlocksOf(bets: Iterable<BetOn>): number[] {
  const isTouched = new Uint8Array(blockKeys.length)
  for (const { bet_type, number } of bets) {
    const slot = quotaSlot(bet_type, number)
    if (slot >= 0) isTouched[blockIndexOf(slot)] = 1
  }
  return [...blockKeys.keys()].filter((index) => isTouched[index])
}

function listBlockKeys(bets: Iterable<BetOn>): BlockKey[] {
  return listBlocksOf(bets).map(keyAt)
}
