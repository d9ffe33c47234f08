// The quotas of a period that bets touch, as one transaction knows them: what it has read, and what it adds.

import { type BetTypeCode, type NumberQuota, quotaSlot } from '@megalot/rules'
import type { Tx } from '../../platform/db.ts'
import { blockIndexOf, type BlockKey, blockKeys, indexOfBlock, keyAt, placeInBlock } from './quota-blocks.ts'
import { addToBlocks, type BlockChange, type BlockRecord, type LimitRecord, type QuotaRules } from './quotas.store.ts'

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

/** Rules by what they are about. */
export interface OrderedRules extends Pick<QuotaRules, 'reading'> {
  limitOf: Map<BetTypeCode, LimitRecord>
  /** By `quotaSlot`. */
  settingOf: Map<number, NumberQuota['set_to']>
}

export function orderRules({ limits, settings, reading }: QuotaRules): OrderedRules {
  return {
    reading,
    limitOf: new Map(limits.map((limit) => [limit.bet_type, limit])),
    settingOf: new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to])),
  }
}

export interface Found {
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

export function keepQuotas(period_code: string, { seen, recalled, rules, isHeld }: Found): KnownQuotas {
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
export function listBlocksOf(bets: Iterable<BetOn>): number[] {
  const isTouched = new Uint8Array(blockKeys.length)
  for (const { bet_type, number } of bets) {
    const slot = quotaSlot(bet_type, number)
    if (slot >= 0) isTouched[blockIndexOf(slot)] = 1
  }
  return [...blockKeys.keys()].filter((index) => isTouched[index])
}

export function listBlockKeys(bets: Iterable<BetOn>): BlockKey[] {
  return listBlocksOf(bets).map(keyAt)
}
