// What a node remembers of periods and of the members who bet in them, so that a batch can be decided without reading first.
// Nothing rests on it: a batch that goes by it proves all of it where it writes (`orders.trust.ts`).

import type { PackageTerms } from '../markets/markets.service.ts'
import { createQuotaMemory, type QuotaMemory } from '../quotas/quota-memory.service.ts'
import { createOrderNumbers, type OrderNumbers } from './order-numbers.ts'
import type { MemberState } from './orders.decide.ts'
import type { BettingPeriod } from './batch.store.ts'

const MOST_PERIODS = 20
const MOST_MEMBERS = 20_000

export interface RememberedPeriod {
  period: BettingPeriod
  packages: ReadonlyMap<string, PackageTerms>
  /** The lowest limit per number of all packages. */
  least_per_number_satang: number
  /** As their last tickets left them. */
  members: Map<number, MemberState>
}

/** What a batch has read. */
export interface Lesson extends Pick<RememberedPeriod, 'period' | 'packages'> {
  members: ReadonlyMap<number, MemberState>
  /** Members of whom nothing but new tickets came: their state has taken these into account. */
  placed_ids: ReadonlySet<number>
}

export interface BatchMemory {
  quotas: QuotaMemory
  numbers: OrderNumbers
  /** Undefined where nothing is known of the period, and where it is not open for bets. */
  recall(period_code: string): RememberedPeriod | undefined
  learn(lesson: Lesson): void
}

/** @param readClock in ms; it only says what is old */
export function createBatchMemory(readClock = () => performance.now()): BatchMemory {
  const periods = new Map<string, RememberedPeriod>()
  return {
    quotas: createQuotaMemory(readClock),
    numbers: createOrderNumbers(readClock),
    recall: (period_code) => {
      const known = periods.get(period_code)
      if (known) putLast(periods, period_code, known)
      return known
    },
    learn: ({ period, packages, members, placed_ids }) => {
      const { period_code, is_enabled, maintenance, status } = period
      if (!is_enabled || maintenance || status !== 'open') {
        periods.delete(period_code)
        return
      }
      const known = periods.get(period_code)?.members ?? new Map<number, MemberState>()
      const least_per_number_satang = findLeastPerNumber(period)
      putLast(periods, period_code, { period, packages, members: known, least_per_number_satang })
      forgetFirst(periods, MOST_PERIODS)
      for (const [user_id, member] of members) {
        // Who was refused is read again: to make us believe something costs a ticket.
        if (placed_ids.has(user_id)) putLast(known, user_id, { ...member, play: undefined, already_bet: null })
        else known.delete(user_id)
      }
      forgetFirst(known, MOST_MEMBERS)
    },
  }
}

/** A map keeps the order in which things were put into it: the first is the one that was not looked at for the longest time. */
function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}

function forgetFirst<Key>(map: Map<Key, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

function findLeastPerNumber({ packages }: BettingPeriod): number {
  const limits = packages.flatMap(({ terms }) => terms.map((each) => each.max_per_number_satang))
  return Math.min(...limits, Number.MAX_SAFE_INTEGER)
}
