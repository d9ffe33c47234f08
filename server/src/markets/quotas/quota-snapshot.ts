// The quotas of a period as read once, and the use of them by a batch of tickets.

import type { QuotaAmounts } from '@megalot/contract'
import {
  type Acceptance,
  betTypes,
  limitByAmount,
  type NumberQuota,
  quotaSlot,
  quotaSlotOf,
  typeIndexOf,
} from '@megalot/rules'
import {
  type BlockChange,
  blockIndexOf,
  type BlockKey,
  type BlockRecord,
  blockKeys,
  indexOfBlock,
  keyAt,
  indexInBlock,
} from './quota-blocks.ts'
import type { PeriodLimits } from './quotas.store.ts'

/** Stands for "no limit" where a number is needed: more than all the money there is. */
export const NO_LIMIT_SATANG = 1_000_000_000_000_000

/** What the office has set for a period, by subject. */
export interface IndexedLimits {
  /** The hash of all of it as text: the limits are unchanged while the hash is. */
  fingerprint: string
  /** The quota of each bet type, by its index in `betTypes`; undefined: it has no limit. */
  quotaOfType: readonly (QuotaAmounts | undefined)[]
  /** Numbers set by hand, by `quotaSlot`. */
  settingOf: ReadonlyMap<number, NumberQuota['set_to']>
  /** Numbers with an amount of their own, by `quotaSlot`; they are in `settingOf` too, as open. */
  amountOf: ReadonlyMap<number, QuotaAmounts>
  /** Lower quotas of packages by their code, each by the index of the bet type in `betTypes`. */
  packageQuotas: ReadonlyMap<string, readonly (QuotaAmounts | undefined)[]>
}

export function indexLimits({ quotas, package_quotas, numbers, fingerprint }: PeriodLimits): IndexedLimits {
  const packageCodes = new Set(package_quotas.map(({ package_code }) => package_code))
  return {
    fingerprint,
    quotaOfType: betTypes.map(({ code }) => quotas.find((quota) => quota.bet_type === code)),
    settingOf: new Map(numbers.map(({ bet_type, quota_key, set_to }) => [quotaSlot(bet_type, quota_key), set_to])),
    amountOf: new Map(
      numbers.flatMap(({ bet_type, quota_key, full_satang, half_satang }) =>
        full_satang === null || half_satang === null
          ? []
          : [[quotaSlot(bet_type, quota_key), { full_satang, half_satang }]],
      ),
    ),
    packageQuotas: new Map(
      [...packageCodes].map((package_code) => {
        const own = package_quotas.filter((quota) => quota.package_code === package_code)
        return [package_code, betTypes.map(({ code }) => own.find((quota) => quota.bet_type === code))]
      }),
    ),
  }
}

export interface QuotaSnapshot {
  limits: IndexedLimits
  /** By their index in `blockKeys`; undefined where no bet touches a block. */
  blocks: readonly (BlockRecord | undefined)[]
  /** Whether they are locked until the transaction ends. */
  isLocked: boolean
}

export function createQuotaSnapshot(
  limits: IndexedLimits,
  records: readonly BlockRecord[],
  isLocked: boolean,
): QuotaSnapshot {
  const blocks: (BlockRecord | undefined)[] = []
  for (const record of records) blocks[indexOfBlock(record)] = record
  return { limits, blocks, isLocked }
}

/** A batch's use of the quotas of a snapshot, by `quotaSlotOf`. The snapshot is not changed. */
export interface QuotaUse {
  /** A number's quota for a package, including the amounts added so far. */
  quotaOf(quota_slot: number, package_code: string): NumberQuota
  /** Adds what was accepted on a number from a ticket of a package, in satang. */
  add(quota_slot: number, satang: number, package_code: string): void
  /** Takes off what was accepted on a number before, in satang. */
  release(quota_slot: number, satang: number): void
  /**
   * Adds bets that fit into their full quotas, all or none.
   * @param stakes in satang
   * @returns whether they were added
   */
  addInFull(slots: readonly number[], stakes: readonly number[], package_code: string): boolean
  /**
   * Whether what a bet of a package would receive depends on sums that others may have changed since they were read: it
   * was cut, or is paid half by the quota. Only locked quotas can decide it.
   */
  needsLock(
    quota_slot: number,
    bet_satang: number,
    outcome: Pick<Acceptance, 'received_satang' | 'is_half_pay'>,
    package_code: string,
  ): boolean
  /** What was added, block by block. */
  listChanges(): BlockChange[]
}

export function createQuotaUse({ limits, blocks, isLocked }: QuotaSnapshot): QuotaUse {
  /** By `quotaSlotOf`. An array of all slots for each batch would bring a full garbage collection every few hundred batches. */
  const added = new Map<number, number>()
  /**
   * By `quotaSlotOf`: the most that may have been accepted on a number before this batch. With more, a bet accepted by the quota of its
   * package would not have fitted.
   */
  const mostBefore = new Map<number, number>()
  const setTo = (quota_slot: number) => limits.settingOf.get(quota_slot) ?? 'open'
  const acceptedOn = (quota_slot: number): number =>
    blocks[blockIndexOf(quota_slot)]!.accepted_satang[indexInBlock(quota_slot)]! + (added.get(quota_slot) ?? 0)
  const addSatang = (quota_slot: number, satang: number): void => {
    added.set(quota_slot, (added.get(quota_slot) ?? 0) + satang)
  }
  const quotaOfPackage = (quota_slot: number, package_code: string): QuotaAmounts | undefined =>
    limits.packageQuotas.get(package_code)?.[typeIndexOf(quota_slot)]
  /** Lowers `mostBefore` to what the bet that was just added needs. */
  const requireRoom = (quota_slot: number, quota: QuotaAmounts): void => {
    const most = quota.full_satang - added.get(quota_slot)!
    mostBefore.set(quota_slot, Math.min(mostBefore.get(quota_slot) ?? NO_LIMIT_SATANG, most))
  }
  return {
    quotaOf: (quota_slot, package_code) => {
      const ofType = limits.quotaOfType[typeIndexOf(quota_slot)]
      const quota: NumberQuota = {
        full_satang: ofType?.full_satang ?? NO_LIMIT_SATANG,
        half_satang: ofType?.half_satang ?? 0,
        accepted_satang: acceptedOn(quota_slot),
        set_to: setTo(quota_slot),
      }
      const amounts = [limits.amountOf.get(quota_slot), quotaOfPackage(quota_slot, package_code)]
      return amounts.reduce<NumberQuota>((lower, amount) => (amount ? limitByAmount(lower, amount) : lower), quota)
    },
    add: (quota_slot, satang, package_code) => {
      addSatang(quota_slot, satang)
      const ofPackage = quotaOfPackage(quota_slot, package_code)
      if (ofPackage && satang > 0) requireRoom(quota_slot, ofPackage)
    },
    release: (quota_slot, satang) => addSatang(quota_slot, -satang),
    addInFull: (slots, stakes, package_code) => {
      const ofPackage = limits.packageQuotas.get(package_code)
      for (let line = 0; line < slots.length; line++) {
        const quota_slot = quotaSlotOf(slots[line]!)
        addSatang(quota_slot, stakes[line]!)
        const full_satang = Math.min(
          limits.quotaOfType[typeIndexOf(quota_slot)]?.full_satang ?? NO_LIMIT_SATANG,
          ofPackage?.[typeIndexOf(quota_slot)]?.full_satang ?? NO_LIMIT_SATANG,
        )
        if (acceptedOn(quota_slot) <= full_satang && !limits.settingOf.has(quota_slot)) continue
        for (; line >= 0; line--) addSatang(quotaSlotOf(slots[line]!), -stakes[line]!)
        return false
      }
      // Only now: a ticket that does not fit must not lower what the write asserts for the others.
      if (ofPackage)
        for (const slot of slots) {
          const quota = ofPackage[typeIndexOf(quotaSlotOf(slot))]
          if (quota) requireRoom(quotaSlotOf(slot), quota)
        }
      return true
    },
    needsLock: (quota_slot, bet_satang, { received_satang, is_half_pay }, package_code) => {
      // A quota that is used up in the snapshot counts as used up, even if others release some later.
      if (isLocked || received_satang === 0 || (received_satang === bet_satang && !is_half_pay)) return false
      // Half pay that was set by hand depends on no sum, except on what a package accepts.
      const isByHand = setTo(quota_slot) === 'half' && received_satang === bet_satang
      return !isByHand || quotaOfPackage(quota_slot, package_code) !== undefined
    },
    listChanges: () => listChanges(added, mostBefore),
  }
}

function listChanges(added: ReadonlyMap<number, number>, mostBefore: ReadonlyMap<number, number>): BlockChange[] {
  const changes: (BlockChange | undefined)[] = []
  for (const [quota_slot, satang] of added) {
    if (satang === 0) continue
    const index = blockIndexOf(quota_slot)
    const change = (changes[index] ??= {
      ...keyAt(index),
      positions: [],
      amounts: [],
      package_limits: null,
    })
    change.positions.push(indexInBlock(quota_slot) + 1)
    change.amounts.push(satang)
  }
  for (const [quota_slot, most] of mostBefore) {
    const satang = added.get(quota_slot)!
    if (satang === 0) continue
    const change = changes[blockIndexOf(quota_slot)]!
    change.package_limits ??= change.positions.map(() => NO_LIMIT_SATANG)
    change.package_limits[change.positions.indexOf(indexInBlock(quota_slot) + 1)] = most + satang
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
