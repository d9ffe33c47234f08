// What a ticket means to others: its member is told that it changed, and everybody that numbers of its period turned
// yellow, grey or open, where it made them so.

import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db.ts'
import type { Live } from '../../platform/live.ts'
import { countCacheReads } from '../../platform/metrics.ts'
import type { OrderOwner } from '../orders/index.ts'
import { listLimitNumbers } from '../quotas/index.ts'

/** A period in which tickets are placed is looked at this often, in ms, however many they are. */
const LOOK_MS = 1_000

/** So many periods are remembered. */
const MAX_KNOWN = 500

export type TellTicket = (owner: OrderOwner) => void

/**
 * Gives the function that is told of each ticket placed or changed. It returns at once and never throws.
 * @param onError told when the numbers of a period could not be read; the next ticket is the next try
 */
export function createTicketNews(db: Db, live: Live, onError: (error: unknown) => void): TellTicket {
  /** What the numbers of a period were when last looked at; to have evicted one costs its members one look too many. */
  const known = new LRUCache<string, string>({ max: MAX_KNOWN })
  const awaited = new Set<string>()

  const look = async (period_code: string): Promise<void> => {
    awaited.delete(period_code)
    const states = JSON.stringify(await listLimitNumbers(db, period_code))
    const before = known.get(period_code)
    countCacheReads('numbers', before === undefined ? 0 : 1, before === undefined ? 1 : 0)
    if (before === states) return
    known.set(period_code, states)
    live.tell({ numbers: [period_code] })
  }

  return ({ user_id, period_code }) => {
    live.tell({ tickets: [user_id] })
    if (awaited.has(period_code)) return
    awaited.add(period_code)
    setTimeout(() => void look(period_code).catch(onError), LOOK_MS).unref()
  }
}
