// What members near a limit per number have staked in a period, number by number. All tickets of a member are read once; a node keeps the
// sum of those that are confirmed, and reads only newer and waiting ones, and what of the sum has been taken back. Otherwise a member with many
// lines would have all of them read for each further ticket, while its batch holds locks.

import { type BetTypeCode, betOfSlot, betTypeByCode } from '@megalot/rules'
import { LRUCache } from 'lru-cache'
import type { Tx } from '../../../platform/db.ts'
import { type StakesRead, sumStakes, sumTakenBack } from './intake.store.ts'
import type { Stakes } from './snapshot.ts'

const MAX_MEMBERS = 500

/** Confirmed tickets of a member: nothing of them changes but that they are taken back as a whole. */
interface KnownStakes {
  order_ids: ReadonlySet<number>
  received_satang: number
  stakes: Stakes
  /** The last ticket that was read; 0: none. */
  last_order_id: number
  /** Tickets that waited then, and are not in the sum. */
  waiting_ids: readonly number[]
}
const NOTHING: KnownStakes = { order_ids: new Set(), received_satang: 0, stakes: {}, last_order_id: 0, waiting_ids: [] }

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
    members.map(({ user_id }) => {
      const { last_order_id, waiting_ids } = knownOf.get(user_id)!
      return { user_id, after_id: last_order_id, further_ids: waiting_ids }
    }),
  )
  const stakesOf = new Map<number, Stakes>()
  for (const { user_id, received_satang } of members) {
    let known = knownOf.get(user_id)!
    let read = readOf.get(user_id)!
    const isAll = (): boolean =>
      known.received_satang + read.confirmed.received_satang + read.waiting.received_satang === received_satang
    if (!isAll()) known = await withoutTakenBack(tx, period_id, known)
    if (!isAll()) {
      known = NOTHING
      const all = await sumStakes(tx, period_id, [{ user_id, after_id: 0, further_ids: [] }])
      read = all.get(user_id)!
    }
    const now = withRead(known, read)
    cache.set(keyOf(user_id), now)
    stakesOf.set(user_id, addStakes(now.stakes, read.waiting.lines))
  }
  return stakesOf
}

async function withoutTakenBack(tx: Tx, period_id: number, known: KnownStakes): Promise<KnownStakes> {
  const taken = await sumTakenBack(tx, period_id, [...known.order_ids])
  const taken_ids = new Set(taken.order_ids)
  return {
    ...known,
    order_ids: new Set([...known.order_ids].filter((id) => !taken_ids.has(id))),
    received_satang: known.received_satang - taken.received_satang,
    stakes: addStakes(
      known.stakes,
      taken.lines.map(([slot, satang]) => [slot, -satang] as const),
    ),
  }
}

function withRead(known: KnownStakes, { confirmed, waiting }: StakesRead): KnownStakes {
  return {
    order_ids: new Set([...known.order_ids, ...confirmed.order_ids]),
    received_satang: known.received_satang + confirmed.received_satang,
    stakes: addStakes(known.stakes, confirmed.lines),
    last_order_id: [...confirmed.order_ids, ...waiting.order_ids].reduce((a, b) => Math.max(a, b), known.last_order_id),
    waiting_ids: waiting.order_ids,
  }
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
