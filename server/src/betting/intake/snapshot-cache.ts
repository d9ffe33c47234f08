// What a node has read of periods and their betting members, so that most batches are decided without reading first
// (optimistic concurrency control). Correctness never depends on it: a batch asserts all of it when it is written.

import { LRUCache } from 'lru-cache'
import { createQuotaCache, type QuotaCache } from '../../markets/quotas/index.ts'
import type { BettingPeriod, MemberState, PackageTable, Snapshot } from './snapshot.ts'

const MAX_PERIODS = 20
const MAX_MEMBERS = 20_000
const MAX_LEFT_OUT = 20_000
/** How long a member is left out, in ms. */
const LEFT_OUT_MS = 60_000

export interface CachedPeriod {
  period: BettingPeriod
  packages: ReadonlyMap<string, PackageTable>
  /** The lowest limit per number of all packages. */
  lowest_number_limit_satang: number
  /** As of their last tickets. */
  members: LRUCache<number, MemberState>
}

export interface SnapshotCache {
  quotas: QuotaCache
  /** Undefined where the period is not cached, and where it is not open for bets. */
  get(period_code: string): CachedPeriod | undefined
  /** Stores what a batch has read. */
  store(snapshot: Snapshot): void
  /**
   * Leaves all tickets of a member to the attempts that read, for a minute. A member can make the cache wrong about itself: by another node,
   * another period, or a session that has ended. Without this it would fail the batches of others again and again.
   */
  leaveOut(user_id: number): void
  isLeftOut(user_id: number): boolean
}

/** @param readClock in ms; used only for the age of entries */
export function createSnapshotCache(readClock: () => number): SnapshotCache {
  const periods = new LRUCache<string, CachedPeriod>({ max: MAX_PERIODS })
  const quotas = createQuotaCache(readClock)
  /** Until when, by user id. */
  const leftOut = new LRUCache<number, number>({ max: MAX_LEFT_OUT })
  return {
    quotas,
    get: (period_code) => periods.get(period_code),
    store: ({ period, packages, quotas: quotaSnapshot }) => {
      const { period_code, is_enabled, maintenance, status } = period
      if (!is_enabled || maintenance || status !== 'open') {
        periods.delete(period_code)
        return
      }
      quotas.store(period_code, quotaSnapshot)
      periods.set(period_code, {
        period,
        packages,
        lowest_number_limit_satang: findLowestNumberLimit(period),
        members: periods.peek(period_code)?.members ?? new LRUCache({ max: MAX_MEMBERS }),
      })
    },
    leaveOut: (user_id) => leftOut.set(user_id, readClock() + LEFT_OUT_MS),
    isLeftOut: (user_id) => {
      const until = leftOut.peek(user_id)
      return until !== undefined && readClock() < until
    },
  }
}

/**
 * Updates the members of a cached period after a batch.
 * @param isPlaced whether the state of a member after the batch is known: its tickets were placed; all other members are read again,
 * because a wrong entry costs a ticket a further attempt each time
 */
export function updateMembers(
  { members }: CachedPeriod,
  after: ReadonlyMap<number, MemberState>,
  isPlaced: (user_id: number) => boolean,
): void {
  for (const [user_id, member] of after)
    if (isPlaced(user_id)) members.set(user_id, { ...member, play: undefined, already_bet: null })
    else members.delete(user_id)
}

function findLowestNumberLimit({ packages }: BettingPeriod): number {
  const limits = packages.flatMap(({ terms }) => terms.map((each) => each.max_per_number_satang))
  return Math.min(...limits, Number.MAX_SAFE_INTEGER)
}
