// What members near a limit per number have staked in a period, number by number. All tickets of a member are read once; a node keeps the
// sum, and reads only newer tickets as long as nothing was taken back. Otherwise a member with many lines would have all of them read
// for each further ticket, while its batch holds locks.

import { type BetTypeCode, betOfSlot, betTypeByCode } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Tx } from '../../../platform/db.ts'
import { type StakedSum, sumStakes } from './intake.store.ts'
import type { Stakes } from './snapshot.ts'

const MAX_MEMBERS = 500

/** What a member had staked when it was read. */
interface KnownStakes {
  /** The last ticket in it; 0: none. */
  last_order_id: number
  received_satang: number
  stakes: Stakes
}

/** By period and member. */
export type StakesCache = LRUCache<string, KnownStakes>
export const createStakesCache = (): StakesCache => new LRUCache({ max: MAX_MEMBERS })

/** A member whose cash account is locked, with all that was received from it in the period on live tickets. */
interface Staking {
  user_id: number
  received_satang: number
}

/**
 * Reads what members have staked in a period on live tickets, while their cash accounts are locked. What was read before still holds where it and
 * newer tickets together are all that was received: later tickets of a member have higher ids, and no amount of a ticket ever rises.
 */
export async function readStakes(
  tx: Tx,
  cache: StakesCache,
  period_id: number,
  members: readonly Staking[],
): Promise<Map<number, Stakes>> {
  const keyOf = (user_id: number) => `${period_id} ${user_id}`
  const stakesOf = new Map<number, Stakes>()
  const store = (user_id: number, known: KnownStakes | undefined, newer: StakedSum | undefined): void => {
    const stakes = addStakes(known?.stakes ?? {}, newer?.lines ?? [])
    const last_order_id = newer?.last_order_id || known?.last_order_id || 0
    const received_satang = (known?.received_satang ?? 0) + (newer?.received_satang ?? 0)
    cache.set(keyOf(user_id), { last_order_id, received_satang, stakes })
    stakesOf.set(user_id, stakes)
  }
  // Kept meanwhile: other members could displace it from the cache.
  const knownOf = new Map(members.map(({ user_id }) => [user_id, cache.get(keyOf(user_id))]))
  const newerOf = await sumStakes(
    tx,
    period_id,
    members.map(({ user_id }) => ({ user_id, after_id: knownOf.get(user_id)?.last_order_id ?? 0 })),
  )
  const changed: number[] = []
  for (const { user_id, received_satang } of members) {
    const known = knownOf.get(user_id)
    const newer = newerOf.get(user_id)
    if (known && known.received_satang + (newer?.received_satang ?? 0) !== received_satang) changed.push(user_id)
    else store(user_id, known, newer)
  }
  const allOf = await sumStakes(
    tx,
    period_id,
    changed.map((user_id) => ({ user_id, after_id: 0 })),
  )
  for (const user_id of changed) store(user_id, undefined, allOf.get(user_id))
  return stakesOf
}

/** @param lines what is added, in satang, by slot */
export function addStakes(before: Stakes, lines: Iterable<readonly [slot: number, satang: number]>): Stakes {
  // One copy of each bet type, and not one for each line.
  const changed: Partial<Record<BetTypeCode, Record<string, number>>> = {}
  for (const [slot, satang] of lines) {
    const { bet_type, number } = betOfSlot(slot)!
    const key = betTypeByCode[bet_type].quotaKey(number)
    const stakes = (changed[bet_type] ??= { ...before[bet_type] })
    stakes[key] = (stakes[key] ?? 0) + satang
  }
  return { ...before, ...changed }
}
