// Open periods and their numbers at half pay. Fetched from time to time for all members together, outside the counted
// calls.

import { listLimitNumbers, listProductPeriod } from '@megalot/contract'
import type { Client } from '../client.ts'
import type { Line } from './slip.ts'

const PATIENCE_MS = 10_000
const TTL_MS = 10_000

export interface OpenPeriod {
  product_code: string
  period_code: string
}

type LimitedNumber = Pick<Line, 'bet_type' | 'number'>

interface CacheEntry<T> {
  value: Promise<T>
  untilMs: number
}

export interface Board {
  /** Uses the calling member's session. */
  listOpen(client: Client): Promise<readonly OpenPeriod[]>
  listYellow(client: Client, period_code: string): Promise<readonly LimitedNumber[]>
  /** Clears the cache, because something has changed. */
  clear(): void
}

export function createBoard(): Board {
  const entries = new Map<string, CacheEntry<unknown>>()
  function cache<T>(name: string, load: () => Promise<T>): Promise<T> {
    const cached = entries.get(name)
    if (cached && performance.now() < cached.untilMs) return cached.value as Promise<T>
    const value = load()
    entries.set(name, { value, untilMs: performance.now() + TTL_MS })
    return value
  }
  return {
    listOpen: (client) =>
      cache('open', async () => {
        const reply = await client.attempt(listProductPeriod, listProductPeriod.path, undefined, PATIENCE_MS)
        if (reply.kind !== 'answered') return []
        return reply.data.products.flatMap(({ product_code, current_period }) =>
          current_period?.status === 'open' ? [{ product_code, period_code: current_period.period_code }] : [],
        )
      }),
    listYellow: (client, period_code) =>
      cache(period_code, async () => {
        const path = listLimitNumbers.path.replace(':period_code', period_code)
        const reply = await client.attempt(listLimitNumbers, path, undefined, PATIENCE_MS)
        return reply.kind === 'answered' ? reply.data.filter(({ state }) => state === 'yellow') : []
      }),
    clear: () => entries.clear(),
  }
}
