// The quotas of a period as read once, and the use of them by a batch of tickets.

import { type BetTypeCode, type NumberQuota, quotaSlot } from '@megalot/rules'
import { blockIndexOf, type BlockKey, blockKeys, indexOfBlock, keyAt, indexInBlock } from './quota-blocks.ts'
import type { BlockChange, BlockRecord, LimitRecord, QuotaRules } from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
export const NO_LIMIT_SATANG = 1_000_000_000_000_000

export interface BetOn {
  bet_type: BetTypeCode
  number: string
}

/** What the office has set for a period, by subject. */
export interface IndexedRules {
  /** The hash of all of it as text: the rules are unchanged while the hash is. */
  fingerprint: string
  limitOf: ReadonlyMap<BetTypeCode, LimitRecord>
  /** Numbers set by hand, by `quotaSlot`. */
  settingOf: ReadonlyMap<number, NumberQuota['set_to']>
}

export function indexRules({ limits, settings, fingerprint }: QuotaRules): IndexedRules {
  return {
    fingerprint,
    limitOf: new Map(limits.map((limit) => [limit.bet_type, limit])),
    settingOf: new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to])),
  }
}

export interface QuotaSnapshot {
  rules: IndexedRules
  /** By their index in `blockKeys`; undefined where no bet touches a block. */
  blocks: readonly (BlockRecord | undefined)[]
  /** Whether nobody else can change them until the transaction ends. */
  isLocked: boolean
}

export function createQuotaSnapshot(
  rules: IndexedRules,
  records: readonly BlockRecord[],
  isLocked: boolean,
): QuotaSnapshot {
  const blocks: (BlockRecord | undefined)[] = []
  for (const record of records) blocks[indexOfBlock(record)] = record
  return { rules, blocks, isLocked }
}

/** A number with the amounts that the batch has added. */
interface UsedNumber {
  quota: NumberQuota
  block: BlockRecord
  /** Its index in the block, from 0. */
  index: number
  added_satang: number
}

/** A batch's use of the quotas of a snapshot. The snapshot is not changed. */
export interface QuotaUse {
  /** A bet's quota including the amounts added so far. It stays valid until the next `add` on the same number. */
  quotaOf(bet: BetOn): Readonly<NumberQuota>
  /** Adds what was accepted (or, below 0, released) on a number, in satang. */
  add(bet: BetOn, satang: number): void
  /** Records what a bet would receive, before it is added. */
  recordOutcome(bet: BetOn & { bet_satang: number }, outcome: { received_satang: number; is_half_pay: boolean }): void
  /**
   * Whether a recorded outcome depends on sums that others may have changed since they were read: a bet was cut, or is
   * paid half by the quota. Only locked quotas can decide it.
   */
  readonly needsLock: boolean
  /** What was added, block by block. */
  listChanges(): BlockChange[]
}

export function createQuotaUse({ rules, blocks, isLocked }: QuotaSnapshot): QuotaUse {
  const numbers = new Map<number, UsedNumber>()
  let needsLock = false
  const use = (bet: BetOn): UsedNumber => {
    const slot = quotaSlot(bet.bet_type, bet.number)
    const existing = numbers.get(slot)
    if (existing) return existing
    const block = blocks[blockIndexOf(slot)]!
    const index = indexInBlock(slot)
    const limit = rules.limitOf.get(bet.bet_type)
    const quota: NumberQuota = {
      full_satang: limit?.full_satang ?? NO_LIMIT_SATANG,
      half_satang: limit?.half_satang ?? 0,
      accepted_satang: block.accepted_satang[index]!,
      set_to: rules.settingOf.get(slot) ?? 'open',
    }
    const used = { quota, block, index, added_satang: 0 }
    numbers.set(slot, used)
    return used
  }
  return {
    quotaOf: (bet) => use(bet).quota,
    add: (bet, satang) => {
      const used = use(bet)
      used.quota.accepted_satang += satang
      used.added_satang += satang
    },
    recordOutcome: (bet, { received_satang, is_half_pay }) => {
      // A quota that is used up in the snapshot counts as used up, even if others release some later.
      if (isLocked || received_satang === 0 || (received_satang === bet.bet_satang && !is_half_pay)) return
      // Half pay that was set by hand depends on no sum.
      needsLock ||= !(use(bet).quota.set_to === 'half' && received_satang === bet.bet_satang)
    },
    get needsLock() {
      return needsLock
    },
    listChanges: () => listChanges(numbers.values()),
  }
}

function listChanges(numbers: Iterable<UsedNumber>): BlockChange[] {
  const changes = new Map<BlockRecord, BlockChange>()
  for (const { block, index, added_satang } of numbers) {
    if (added_satang === 0) continue
    const change = changes.get(block) ?? { bet_type: block.bet_type, block: block.block, positions: [], amounts: [] }
    changes.set(block, change)
    change.positions.push(index + 1)
    change.amounts.push(added_satang)
  }
  return [...changes.values()]
}

/** The blocks that bets touch, as ascending indexes in `blockKeys`. Invalid numbers are left out. */
function listBlockIndexes(bets: Iterable<BetOn>): number[] {
  const isTouched = new Uint8Array(blockKeys.length)
  for (const { bet_type, number } of bets) {
    const slot = quotaSlot(bet_type, number)
    if (slot >= 0) isTouched[blockIndexOf(slot)] = 1
  }
  return [...blockKeys.keys()].filter((index) => isTouched[index])
}

export function listBlockKeys(bets: Iterable<BetOn>): BlockKey[] {
  return listBlockIndexes(bets).map(keyAt)
}
