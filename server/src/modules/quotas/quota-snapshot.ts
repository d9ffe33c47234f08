// The quotas of a period as read once, and the use of them by a batch of tickets.

import {
  type Acceptance,
  type BetTypeCode,
  betTypes,
  limitByAmount,
  type NumberQuota,
  quotaSlot,
  quotaSlotOf,
  SLOT_COUNT,
  typeIndexOf,
} from '@megalot/rules'
import {
  blockIndexOf,
  type BlockKey,
  type BlockRecord,
  blockKeys,
  indexOfBlock,
  keyAt,
  indexInBlock,
} from './quota-blocks.ts'
import type { AmountRecord, BlockChange, LimitRecord, QuotaRules } from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
export const NO_LIMIT_SATANG = 1_000_000_000_000_000

/** What the office has set for a period, by subject. */
export interface IndexedRules {
  /** The hash of all of it as text: the rules are unchanged while the hash is. */
  fingerprint: string
  /** By the index of the bet type in `betTypes`. */
  limitOf: readonly (LimitRecord | undefined)[]
  /** Numbers set by hand, by `quotaSlot`. */
  settingOf: ReadonlyMap<number, NumberQuota['set_to']>
  /** Numbers with an amount of their own, by `quotaSlot`; they are in `settingOf` too, as open. */
  amountOf: ReadonlyMap<number, AmountRecord>
}

export function indexRules({ limits, settings, fingerprint }: QuotaRules): IndexedRules {
  return {
    fingerprint,
    limitOf: betTypes.map(({ code }) => limits.find((limit) => limit.bet_type === code)),
    settingOf: new Map(settings.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to])),
    amountOf: new Map(
      settings.flatMap(({ bet_type, quota_key, full_satang, half_satang }) =>
        full_satang === null || half_satang === null
          ? []
          : [[quotaSlot(bet_type, quota_key), { full_satang, half_satang }]],
      ),
    ),
  }
}

export function limitOfType({ limitOf }: IndexedRules, bet_type: BetTypeCode): LimitRecord | undefined {
  return limitOf[betTypes.findIndex(({ code }) => code === bet_type)]
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

/** A batch's use of the quotas of a snapshot, by `quotaSlotOf`. The snapshot is not changed. */
export interface QuotaUse {
  /** A number's quota including the amounts added so far. */
  quotaOf(quota_slot: number): NumberQuota
  /** Adds what was accepted (or, below 0, released) on a number, in satang. */
  add(quota_slot: number, satang: number): void
  /**
   * Adds bets that fit into their full quotas, all or none.
   * @param stakes in satang
   * @returns whether they were added
   */
  addInFull(slots: readonly number[], stakes: readonly number[]): boolean
  /** Records what a bet would receive, before it is added. */
  recordOutcome(
    quota_slot: number,
    bet_satang: number,
    outcome: Pick<Acceptance, 'received_satang' | 'is_half_pay'>,
  ): void
  /**
   * Whether a recorded outcome depends on sums that others may have changed since they were read: a bet was cut, or is
   * paid half by the quota. Only locked quotas can decide it.
   */
  readonly needsLock: boolean
  /** What was added, block by block. */
  listChanges(): BlockChange[]
}

export function createQuotaUse({ rules, blocks, isLocked }: QuotaSnapshot): QuotaUse {
  const added = new Float64Array(SLOT_COUNT)
  const touched = new Set<number>()
  let needsLock = false
  const setTo = (quota_slot: number) => rules.settingOf.get(quota_slot) ?? 'open'
  const acceptedOn = (quota_slot: number): number =>
    blocks[blockIndexOf(quota_slot)]!.accepted_satang[indexInBlock(quota_slot)]! + added[quota_slot]!
  const add = (quota_slot: number, satang: number): void => {
    added[quota_slot]! += satang
    touched.add(quota_slot)
  }
  return {
    quotaOf: (quota_slot) => {
      const limit = rules.limitOf[typeIndexOf(quota_slot)]
      const quota: NumberQuota = {
        full_satang: limit?.full_satang ?? NO_LIMIT_SATANG,
        half_satang: limit?.half_satang ?? 0,
        accepted_satang: acceptedOn(quota_slot),
        set_to: setTo(quota_slot),
      }
      const amount = rules.amountOf.get(quota_slot)
      return amount ? limitByAmount(quota, amount) : quota
    },
    add,
    addInFull: (slots, stakes) => {
      for (let line = 0; line < slots.length; line++) {
        const quota_slot = quotaSlotOf(slots[line]!)
        add(quota_slot, stakes[line]!)
        const full_satang = rules.limitOf[typeIndexOf(quota_slot)]?.full_satang ?? NO_LIMIT_SATANG
        if (acceptedOn(quota_slot) <= full_satang && !rules.settingOf.has(quota_slot)) continue
        for (; line >= 0; line--) add(quotaSlotOf(slots[line]!), -stakes[line]!)
        return false
      }
      return true
    },
    recordOutcome: (quota_slot, bet_satang, { received_satang, is_half_pay }) => {
      // A quota that is used up in the snapshot counts as used up, even if others release some later.
      if (isLocked || received_satang === 0 || (received_satang === bet_satang && !is_half_pay)) return
      // Half pay that was set by hand depends on no sum.
      needsLock ||= !(setTo(quota_slot) === 'half' && received_satang === bet_satang)
    },
    get needsLock() {
      return needsLock
    },
    listChanges: () => listChanges(touched, added),
  }
}

function listChanges(touched: Iterable<number>, added: Float64Array): BlockChange[] {
  const changes: (BlockChange | undefined)[] = []
  for (const quota_slot of touched) {
    if (added[quota_slot] === 0) continue
    const index = blockIndexOf(quota_slot)
    const change = (changes[index] ??= { ...keyAt(index), positions: [], amounts: [] })
    change.positions.push(indexInBlock(quota_slot) + 1)
    change.amounts.push(added[quota_slot]!)
  }
  return changes.filter((change) => change !== undefined)
}

/** The blocks that bets touch, as ascending indexes in `blockKeys`. @param slots -1 where there is no such bet: left out */
function listBlockIndexes(slots: Iterable<number>): number[] {
  const isTouched = new Uint8Array(blockKeys.length)
  for (const slot of slots) if (slot >= 0) isTouched[blockIndexOf(quotaSlotOf(slot))] = 1
  return [...blockKeys.keys()].filter((index) => isTouched[index])
}

export function listBlockKeys(slots: Iterable<number>): BlockKey[] {
  return listBlockIndexes(slots).map(keyAt)
}
