// How much has been accepted on the numbers of a period, for those who accept bets and give them back.

import { type BetTypeCode, type NumberQuota, quotaSlot } from '@megalot/rules'
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
  save(): Promise<void>
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
  return keepQuotas(tx, period_code, { seen: blocks, recalled: [], ...rules, isHeld: true })
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

interface Recalled {
  block: BlockRecord
  readAtMs: number
  isTight: boolean
}

/**
 * Gives a way of reading quotas without holding them, which under load seldom asks the database. What is decided by it is
 * right where it does not depend on the exact sums: every bet taken whole at the full rate. `save` proves that it is so
 * still, so that nothing rests on what this remembers, whatever other nodes have written meanwhile.
 */
export function createQuotaMemory(): ReadQuotas {
  const periods = new Map<string, (Recalled | undefined)[]>()

  return async (tx, period_code, bets) => {
    const recalled = periods.get(period_code) ?? []
    const nowMs = performance.now()
    const recent: BlockRecord[] = []
    const missing: BlockKey[] = []
    for (const index of listBlocksOf(bets)) {
      const known = recalled[index]
      if (known && !known.isTight && nowMs - known.readAtMs < RECALL_MS) recent.push(known.block)
      else missing.push(blockKeys[index]!)
    }
    const [{ blocks, areNew }, rules] = await Promise.all([
      readBlocks(tx, period_code, missing),
      readRules(tx, period_code),
    ])
    if (!areNew) {
      remember(recalled, blocks, rules.limits, nowMs)
      periods.delete(period_code)
      periods.set(period_code, recalled)
      const [oldest] = periods.keys()
      if (periods.size > MOST_PERIODS) periods.delete(oldest!)
    }
    return keepQuotas(tx, period_code, { seen: blocks, recalled: recent, ...rules, isHeld: false })
  }
}

function remember(
  recalled: (Recalled | undefined)[],
  blocks: readonly BlockRecord[],
  limits: readonly LimitRecord[],
  readAtMs: number,
): void {
  const fullOf = new Map(limits.map(({ bet_type, full_satang }) => [bet_type, full_satang]))
  for (const block of blocks) {
    const full_satang = fullOf.get(block.bet_type) ?? NO_LIMIT_SATANG
    const isTight = Math.max(...block.accepted_satang) > full_satang * TIGHT_PART
    recalled[indexOfBlock(block)] = { block, readAtMs, isTight }
  }
}

interface Found extends QuotaRules {
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

function keepQuotas(tx: Tx, period_code: string, found: Found): KnownQuotas {
  const { seen, recalled, limits, settings, isHeld } = found
  const blocks: BlockRecord[] = []
  for (const block of [...seen, ...recalled]) blocks[indexOfBlock(block)] = block
  const limitOf = new Map(limits.map((limit) => [limit.bet_type, limit]))
  const settingOf = new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to]))
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
    save: () => addToBlocks(tx, period_code, listChanges(numbers.values()), !isHeld),
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
  return listBlocksOf(bets).map((index) => blockKeys[index]!)
}
