// What a node remembers of periods and of the members who bet in them, so that a batch can be decided without reading first.
// Nothing rests on it: a batch that goes by it proves all of it where it writes (`orders.trust.ts`).

import type { PackageTerms } from '../markets/markets.service.ts'
import { createQuotaMemory, type QuotaMemory } from '../quotas/quota-counts.service.ts'
import type { MemberState } from './orders.decide.ts'
import type { BettingPeriod } from './orders.store.ts'

/** How long numbers for tickets are kept, in ms: members see their tickets in the order of these. */
const NUMBERS_KEPT_MS = 100
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

/** What a batch has read, its own tickets taken into account. */
export interface Lesson extends Pick<RememberedPeriod, 'period' | 'packages'> {
  members: ReadonlyMap<number, MemberState>
}

export interface BatchMemory {
  quotas: QuotaMemory
  numbers: OrderNumbers
  recall(period_code: string): RememberedPeriod | undefined
  learn(lesson: Lesson): void
}

/** @param readClock in ms; it only says what is old */
export function createBatchMemory(readClock = () => performance.now()): BatchMemory {
  const periods = new Map<string, RememberedPeriod>()
  return {
    quotas: createQuotaMemory(readClock),
    numbers: createOrderNumbers(readClock),
    recall: (period_code) => periods.get(period_code),
    learn: ({ period, packages, members }) => {
      const { period_code } = period
      const known = periods.get(period_code) ?? {
        members: new Map<number, MemberState>(),
        numbers: createOrderNumbers(readClock),
      }
      periods.delete(period_code)
      periods.set(period_code, { ...known, period, packages, least_per_number_satang: findLeastPerNumber(period) })
      for (const [user_id, member] of members) rememberMember(known.members, user_id, member)
      const [oldest] = periods.keys()
      if (periods.size > MOST_PERIODS) periods.delete(oldest!)
    },
  }
}

function findLeastPerNumber({ packages }: BettingPeriod): number {
  const limits = packages.flatMap(({ terms }) => terms.map((each) => each.max_per_number_satang))
  return Math.min(...limits, Number.MAX_SAFE_INTEGER)
}

function rememberMember(members: Map<number, MemberState>, user_id: number, member: MemberState): void {
  // In the order in which they were read: the first is the one read longest ago.
  members.delete(user_id)
  members.set(user_id, { ...member, play: undefined, already_bet: null })
  if (members.size > MOST_MEMBERS) members.delete(members.keys().next().value!)
}

/** Numbers for tickets to come. Each is given once, and never a lower one after a higher one. */
export interface OrderNumbers {
  add(order_ids: readonly number[]): void
  suffice(count: number): boolean
  take(count: number): number[]
  /** How many more are worth having when this many were just needed. */
  lacking(count: number): number
  /** A ticket was given this number without us. */
  pass(order_id: number): void
}

function createOrderNumbers(readClock: () => number): OrderNumbers {
  let kept: number[] = []
  let addedAtMs = -Infinity
  let last = 0
  const isOld = () => readClock() - addedAtMs > NUMBERS_KEPT_MS
  const passTo = (order_id: number) => {
    last = Math.max(last, order_id)
    kept = kept.filter((each) => each > last)
  }
  return {
    add: (order_ids) => {
      kept = [...(isOld() ? [] : kept), ...order_ids].filter((each) => each > last)
      addedAtMs = readClock()
    },
    suffice: (count) => !isOld() && kept.length >= count,
    take: (count) => {
      const taken = kept.toSorted((a, b) => a - b).slice(0, count)
      passTo(taken.at(-1) ?? 0)
      return taken
    },
    lacking: (count) => Math.max(0, 2 * count - (isOld() ? 0 : kept.length)),
    pass: passTo,
  }
}
