// Callers who were looked at a moment ago. What is remembered lets nobody do anything by itself: only deeds that look, in their
// own transaction, whether the session still holds recall it (`looks_at_its_caller`).

import type { Caller } from '../../platform/caller.ts'

/** Shorter than any idle time, and than activity goes without being noted. */
const RECALL_MS = 20_000
const MOST_CALLERS = 50_000

export interface SessionMemory {
  recall(tokenHash: Buffer): Caller | undefined
  remember(tokenHash: Buffer, caller: Caller): void
  forget(tokenHash: Buffer): void
}

export function createSessionMemory(): SessionMemory {
  const seen = new Map<string, { caller: Caller; seenAtMs: number }>()
  return {
    recall: (tokenHash) => {
      const known = seen.get(tokenHash.toString('latin1'))
      return known && performance.now() - known.seenAtMs < RECALL_MS ? known.caller : undefined
    },
    remember: (tokenHash, caller) => {
      const name = tokenHash.toString('latin1')
      // Anew, so that the oldest stands first.
      seen.delete(name)
      seen.set(name, { caller: { ...caller, is_recalled: true }, seenAtMs: performance.now() })
      const [oldest] = seen.keys()
      if (seen.size > MOST_CALLERS) seen.delete(oldest!)
    },
    forget: (tokenHash) => seen.delete(tokenHash.toString('latin1')),
  }
}
