// Recently verified callers. The cache alone authorises nothing. Only routes with `verifies_session_in_transaction` use
// it, because their transaction verifies the session.

import { LRUCache } from 'lru-cache'
import type { Caller } from '../../http/caller.ts'
import { countCacheReads } from '../../lib/metrics.ts'

/** Shorter than any idle time, and than the interval of recording activity. */
const TTL_MS = 20_000
const MAX_CALLERS = 50_000

export interface CallerCache {
  get(tokenHash: Buffer): Caller | undefined
  store(tokenHash: Buffer, caller: Caller): void
  evict(tokenHash: Buffer): void
}

export function createCallerCache(): CallerCache {
  const callers = new LRUCache<string, Caller>({ max: MAX_CALLERS, ttl: TTL_MS })
  return {
    get: (tokenHash) => {
      const caller = callers.get(keyOf(tokenHash))
      countCacheReads('callers', caller ? 1 : 0, caller ? 0 : 1)
      return caller
    },
    store: (tokenHash, caller) => callers.set(keyOf(tokenHash), caller),
    evict: (tokenHash) => callers.delete(keyOf(tokenHash)),
  }
}

function keyOf(tokenHash: Buffer): string {
  return tokenHash.toString('latin1')
}
