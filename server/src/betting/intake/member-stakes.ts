// What members near a limit per number have staked in a period, number by number. The lines of a ticket are read once, and again when it waits no longer: a node keeps the sum of
// those that are confirmed and of those that wait, and reads only newer ones, and what has become of the others. Otherwise a member with many
// lines would have all of them read for each further ticket, while its batch holds locks.

import { type BetTypeCode, betOfSlot, betTypeByCode } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Tx } from '../../postgres/db.ts'
import {
  type StakedSum,
  type StakesRead,
  type StakesToRead,
  sumAsPlaced,
  sumStakes,
  sumTakenBack,
} from './intake.store.ts'
import type { Stakes } from './snapshot.ts'

const MAX_MEMBERS = 500

/** Of live tickets, as they were when they were read. */
interface KnownStakes {
  /** Nothing of a confirmed ticket changes but that it is taken back as a whole. */
  confirmed_ids: ReadonlySet<number>
  /** A waiting ticket is confirmed, as a whole or without some lines, or taken back. */
  waiting_ids: ReadonlySet<number>
  received_satang: number
  stakes: Stakes
  /** The last ticket that was read; 0: none. */
  last_order_id: number
}
const NOTHING: KnownStakes = {
  confirmed_ids: new Set(),
  waiting_ids: new Set(),
  received_satang: 0,
  stakes: {},
  last_order_id: 0,
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
 * other tickets together are all that was received: later tickets of a member have higher ids, and no amount of a ticket ever rises.
 */
export async function readStakes(
  tx: Tx,
  cache: StakesCache,
  period_id: number,
  members: readonly Staking[],
): Promise<Map<number, Stakes>> {
  const keyOf = (user_id: number) => `${period_id} ${user_id}`
  // Kept meanwhile: other members could displace it from the cache.
  const knownOf = new Map(members.map(({ user_id }) => [user_id, cache.get(keyOf(user_id)) ?? NOTHING]))
  const readOf = await sumStakes(
    tx,
    period_id,
    members.map(({ user_id }) => stakesToReadOf(user_id, knownOf.get(user_id)!)),
  )
  const stakesOf = new Map<number, Stakes>()
  for (const { user_id, received_satang } of members) {
    let updated = await applyRead(tx, knownOf.get(user_id)!, readOf.get(user_id)!)
    if (updated.received_satang !== received_satang) updated = await subtractTakenBack(tx, updated)
    if (updated.received_satang !== received_satang) {
      const all = await sumStakes(tx, period_id, [stakesToReadOf(user_id, NOTHING)])
      updated = await applyRead(tx, NOTHING, all.get(user_id)!)
    }
    cache.set(keyOf(user_id), updated)
    stakesOf.set(user_id, updated.stakes)
  }
  return stakesOf
}

/** What is to be read of a member besides what is known. */
const stakesToReadOf = (user_id: number, { last_order_id, waiting_ids }: KnownStakes): StakesToRead => ({
  user_id,
  after_id: last_order_id,
  waiting_ids: [...waiting_ids],
})

/** What is known, with what was read besides. All lines of a ticket that waits no longer are subtracted; if it was confirmed, the rest was read. */
async function applyRead(tx: Tx, known: KnownStakes, { confirmed, waiting }: StakesRead): Promise<KnownStakes> {
  const waiting_ids = new Set(waiting.order_ids)
  const answered_ids = [...known.waiting_ids].filter((id) => !waiting_ids.has(id))
  const answered = await sumAsPlaced(tx, answered_ids)
  return {
    confirmed_ids: new Set([...known.confirmed_ids, ...confirmed.order_ids]),
    waiting_ids,
    received_satang:
      known.received_satang + confirmed.received_satang + waiting.received_satang - answered.received_satang,
    stakes: addStakes(known.stakes, [...confirmed.lines, ...waiting.lines, ...negative(answered.lines)]),
    last_order_id: [...confirmed.order_ids, ...waiting.order_ids].reduce((a, b) => Math.max(a, b), known.last_order_id),
  }
}

async function subtractTakenBack(tx: Tx, known: KnownStakes): Promise<KnownStakes> {
  const taken = await sumTakenBack(tx, [...known.confirmed_ids])
  const taken_ids = new Set(taken.order_ids)
  return {
    ...known,
    confirmed_ids: new Set([...known.confirmed_ids].filter((id) => !taken_ids.has(id))),
    received_satang: known.received_satang - taken.received_satang,
    stakes: addStakes(known.stakes, negative(taken.lines)),
  }
}

const negative = (lines: StakedSum['lines']): StakedSum['lines'] => lines.map(([slot, satang]) => [slot, -satang])

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
