// Publishes the effects of a ticket: its member learns that it changed, and everybody that numbers of its period
// changed their colour because of it.

import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db.ts'
import type { Live } from '../../platform/live.ts'
import type { OrderOwner } from '../orders/index.ts'
import { listLimitNumbers } from '../quotas/index.ts'

/** How often the numbers of a period are checked while tickets are placed in it, in ms. */
const LOOK_MS = 1_000

/** The size of the cache of periods. */
const MAX_KNOWN = 500

export type TellTicket = (owner: OrderOwner) => void

/**
 * Returns the function to call for each ticket that was placed or changed. It returns at once and never throws.
 * @param onError called when the numbers of a period could not be read; the next ticket retries
 */
export function createTicketNews(db: Db, live: Live, onError: (error: unknown) => void): TellTicket {
  /** The numbers of a period when last checked; an evicted period costs its members one unneeded event. */
  const known = new LRUCache<string, string>({ max: MAX_KNOWN })
  const awaited = new Set<string>()

  const look = async (period_code: string): Promise<void> => {
    awaited.delete(period_code)
    const states = JSON.stringify(await listLimitNumbers(db, period_code))
    if (known.get(period_code) === states) return
    known.set(period_code, states)
    live.publish({ numbers: [period_code] })
  }

  return ({ user_id, period_code }) => {
    live.publish({ tickets: [user_id] })
    if (awaited.has(period_code)) return
    awaited.add(period_code)
    setTimeout(() => void look(period_code).catch(onError), LOOK_MS).unref()
  }
}
