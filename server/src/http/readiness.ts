// Whether this node should receive calls; a load balancer asks at `/ready`.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../postgres/db.ts'
import { commitEmptyRecord } from '../postgres/durable.ts'

export type ReadyState = 'ready' | 'database away' | 'stopping'

export interface Readiness {
  /**
   * Tries a write, at most once per `MAX_AGE_MS`, shared by all calls. While a write waits, for example for a standby,
   * no second one starts: the state is `database away` from `LIMIT_MS` after its start until it ends.
   */
  check(): Promise<ReadyState>
  /** Switches to `stopping`, so that the load balancer sends no more calls. */
  stop(): void
  isStopping(): boolean
}

/** How long a result is valid, in ms. */
const MAX_AGE_MS = 1_000
/** How long a write is awaited, in ms. */
const LIMIT_MS = 2_000

interface Write {
  /** Resolves when it ends, by itself or by the connection's time limit. */
  result: Promise<ReadyState>
  /** The same, or `database away` after `LIMIT_MS`. */
  limited: Promise<ReadyState>
  /** Absent while in progress. */
  endedAtMs?: number
}

/** @param readClock in ms; used only for the age of a result */
export function createReadiness(db: Db, readClock = () => performance.now()): Readiness {
  let isStopping = false
  let last: Write | undefined

  const startWrite = (): Write => {
    const result = commitEmptyRecord(db).then(
      () => 'ready' as const,
      () => 'database away' as const,
    )
    const ended = new AbortController()
    const limit = pause(LIMIT_MS, 'database away' as const, { ref: false, signal: ended.signal })
    const write: Write = { result, limited: Promise.race([result, limit.catch(() => result)]) }
    void result.then(() => {
      write.endedAtMs = readClock()
      ended.abort()
    })
    return write
  }

  return {
    check: async () => {
      if (isStopping) return 'stopping'
      // A write that has not ended is shared.
      if (last === undefined || readClock() - (last.endedAtMs ?? Infinity) > MAX_AGE_MS) last = startWrite()
      const state = await (last.endedAtMs === undefined ? last.limited : last.result)
      return isStopping ? 'stopping' : state
    },
    stop: () => {
      isStopping = true
    },
    isStopping: () => isStopping,
  }
}
