// The open periods, and their numbers that pay half: fetched now and then for all members together, outside of the
// counted calls.

import { listLimitNumbers, listProductPeriod } from '@megalot/contract'
import type { Client } from '../client.ts'
import type { Line } from './slip.ts'

const PATIENCE_MS = 10_000
const KEPT_MS = 10_000

export interface OpenPeriod {
  product_code: string
  period_code: string
}

type WantedNumber = Pick<Line, 'bet_type' | 'number'>

interface Kept<T> {
  value: Promise<T>
  untilMs: number
}

export interface Board {
  /** With the session of the calling member. */
  listOpen(client: Client): Promise<readonly OpenPeriod[]>
  listYellow(client: Client, period_code: string): Promise<readonly WantedNumber[]>
  /** Something has changed: cached data is fetched again. */
  forget(): void
}

export function createBoard(): Board {
  const kept = new Map<string, Kept<unknown>>()
  function keep<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const known = kept.get(name)
    if (known && performance.now() < known.untilMs) return known.value as Promise<T>
    const value = ask()
    kept.set(name, { value, untilMs: performance.now() + KEPT_MS })
    return value
  }
  return {
    listOpen: (client) =>
      keep('open', async () => {
        const reply = await client.attempt(listProductPeriod, listProductPeriod.path, undefined, PATIENCE_MS)
        if (reply.kind !== 'answered') return []
        return reply.data.products.flatMap(({ product_code, current_period }) =>
          current_period?.status === 'open' ? [{ product_code, period_code: current_period.period_code }] : [],
        )
      }),
    listYellow: (client, period_code) =>
      keep(period_code, async () => {
        const path = listLimitNumbers.path.replace(':period_code', period_code)
        const reply = await client.attempt(listLimitNumbers, path, undefined, PATIENCE_MS)
        return reply.kind === 'answered' ? reply.data.filter(({ state }) => state === 'yellow') : []
      }),
    forget: () => kept.clear(),
  }
}
