// Publishes the effects of a ticket: its member learns that it changed, and everybody that numbers of its period
// changed their colour because of it.

import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db.ts'
import type { Live } from '../../platform/live.ts'
import { countCacheReads } from '../../platform/metrics.ts'
import type { OrderOwner } from '../orders/index.ts'
import { listLimitNumbers } from '../quotas/index.ts'

/** How often the numbers of a period are checked while tickets are placed in it, in ms. */
const CHECK_DELAY_MS = 1_000
/**
 * How long after news of the numbers of a period there is none, in ms: every page that shows it reads them at each news. One member would have
 * all of them read each second, by a ticket that waits and is taken back. Numbers that the house sets are published at once all the same.
 */
const NEWS_INTERVAL_MS = 5_000

/** The size of the cache of periods. */
const MAX_CACHED_PERIODS = 500

export type PublishTicket = (owner: OrderOwner) => void

/**
 * Returns the function to call for each ticket that was placed or changed. It returns at once and never throws.
 * @param onError called when the numbers of a period could not be read; the next ticket retries
 */
export function createTicketNews(db: Db, live: Live, onError: (error: unknown) => void): PublishTicket {
  /** The numbers of a period when last checked; an evicted period costs its members one unneeded event. */
  const lastStates = new LRUCache<string, string>({ max: MAX_CACHED_PERIODS })
  const publishedAtMs = new LRUCache<string, number>({ max: MAX_CACHED_PERIODS })
  const scheduled = new Set<string>()

  const checkNumbers = async (period_code: string): Promise<void> => {
    scheduled.delete(period_code)
    const states = JSON.stringify(await listLimitNumbers(db, period_code))
    const before = lastStates.get(period_code)
    countCacheReads('numbers', before === undefined ? 0 : 1, before === undefined ? 1 : 0)
    if (before === states) return
    lastStates.set(period_code, states)
    publishedAtMs.set(period_code, performance.now())
    live.publish({ numbers: [period_code] })
  }

  return ({ user_id, period_code }) => {
    live.publish({ tickets: [user_id] })
    if (scheduled.has(period_code)) return
    scheduled.add(period_code)
    const quiet_ms = (publishedAtMs.get(period_code) ?? -Infinity) + NEWS_INTERVAL_MS - performance.now()
    const delay_ms = Math.max(CHECK_DELAY_MS, quiet_ms)
    setTimeout(() => void checkNumbers(period_code).catch(onError), delay_ms).unref()
  }
}
