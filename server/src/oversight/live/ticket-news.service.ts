// Publishes the effects of a ticket: its member learns that it changed, and all users learn which periods' numbers
// changed colour.

import type { LimitNumber } from '@megalot/contract'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../postgres/db.ts'
import type { Live } from '../../postgres/live.ts'
import { countCacheReads } from '../../lib/metrics.ts'
import type { OrderOwner } from '../../betting/index.ts'
import { listLimitNumbers } from '../../markets/quotas/index.ts'

/** How long after a ticket its period's numbers are checked, in ms. */
const CHECK_DELAY_MS = 1_000
/**
 * Minimum interval between news of a period's numbers, in ms, because every page that shows it then reads them. A
 * member could trigger them at will with waiting tickets that it takes back. Numbers set by the house are still
 * published at once.
 */
const NEWS_INTERVAL_MS = 5_000
/** The interval for news of numbers that are limited less, in ms; pages poll as often without any. */
const FREED_INTERVAL_MS = 15_000

/** The size of the cache of periods. */
const MAX_CACHED_PERIODS = 500

export type PublishTicket = (owner: OrderOwner) => void

/** How much each limited number is limited. */
type Ranks = ReadonlyMap<string, number>

/** A period's numbers at its last ticket news. */
interface LastNews {
  ranks: Ranks
  atMs: number
}

function rankNumbers(numbers: readonly LimitNumber[]): Ranks {
  return new Map(
    numbers.map(({ bet_type, number, state, pays_half }) => [
      `${bet_type} ${number}`,
      state === 'grey' ? 3 : pays_half ? 2 : 1,
    ]),
  )
}

/** Whether some number is limited more in `a` than in `b`. */
function hasMore(a: Ranks, b: Ranks): boolean {
  return [...a].some(([number, rank]) => rank > (b.get(number) ?? 0))
}

/**
 * Returns the function to call for each placed or changed ticket. It returns at once and never throws.
 * @param onError called if a period's numbers could not be read; the next ticket retries
 */
export function createTicketNews(db: Db, live: Live, onError: (error: unknown) => void): PublishTicket {
  /** An evicted period costs its members one unneeded event. */
  const lastNews = new LRUCache<string, LastNews>({ max: MAX_CACHED_PERIODS })
  /** The next check of each period. */
  const checks = new Map<string, { atMs: number; timer: NodeJS.Timeout }>()

  const schedule = (period_code: string, interval_ms: number): void => {
    const nowMs = performance.now()
    const lastMs = lastNews.get(period_code)?.atMs ?? -Infinity
    const atMs = Math.max(nowMs + CHECK_DELAY_MS, lastMs + interval_ms)
    const planned = checks.get(period_code)
    if (planned && planned.atMs <= atMs) return
    clearTimeout(planned?.timer)
    const timer = setTimeout(() => void checkNumbers(period_code).catch(onError), atMs - nowMs)
    checks.set(period_code, { atMs, timer: timer.unref() })
  }

  const checkNumbers = async (period_code: string): Promise<void> => {
    checks.delete(period_code)
    const ranks = rankNumbers(await listLimitNumbers(db, period_code))
    const last = lastNews.get(period_code)
    countCacheReads('numbers', last ? 1 : 0, last ? 0 : 1)
    const isMore = !last || hasMore(ranks, last.ranks)
    if (!isMore && !hasMore(last.ranks, ranks)) return
    if (!isMore && performance.now() < last.atMs + FREED_INTERVAL_MS) {
      schedule(period_code, FREED_INTERVAL_MS)
      return
    }
    lastNews.set(period_code, { ranks, atMs: performance.now() })
    live.publish({ numbers: [period_code] })
  }

  return ({ user_id, period_code }) => {
    live.publish({ tickets: [user_id] })
    schedule(period_code, NEWS_INTERVAL_MS)
  }
}
