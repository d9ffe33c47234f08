// Keeps the exposure up to date on a node: counts new tickets every 0.25 to 5 seconds, and reconciles closed periods.
// When tickets come fast it rests in proportion to its working time, which leaves processor time to intake; the tickets
// are counted later.

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../postgres/db.ts'
import { bookDifferences, bookStepSeconds, bookUnsealed } from '../lib/metrics.ts'
import { createPartCache, followExposure } from './follow.service.ts'
import { createRateMeter, IDLE_REST_MS, restAfter } from '../lib/rest-beside-intake.ts'
import { type ExposureDifference, reconcileClosedPeriods } from './seal.service.ts'
import { countDifferences } from './seal.store.ts'

export interface BookFollower {
  stop(): Promise<void>
}

export interface FollowerOptions {
  db: Db
  onError: (error: unknown) => void
  /** Called with the periods whose exposure differs when it is reconciled. */
  onDifference: (books: readonly ExposureDifference[]) => void
}

/** How often periods are reconciled, in ms. */
const SEAL_MS = 1_000

/** Starts counting for open periods and reconciling closed ones. Each node runs one. */
export function startExposureFollower({ db, onError, onDifference }: FollowerOptions): BookFollower {
  const stopping = new AbortController()
  const parts = createPartCache()
  const isStopped = () => stopping.signal.aborted

  async function follow(): Promise<void> {
    const measureRate = createRateMeter()
    while (!isStopped()) {
      const startedAtMs = performance.now()
      const step = await followExposure(db, parts).catch(onError)
      const workedMs = performance.now() - startedAtMs
      if (!step) {
        await rest(IDLE_REST_MS)
        continue
      }
      bookStepSeconds.observe(workedMs / 1_000)
      await rest(restAfter({ workedMs, tickets_per_s: measureRate(step.last_order_id, startedAtMs) }))
    }
  }

  async function seal(): Promise<void> {
    while (!isStopped()) {
      try {
        const { different, failures } = await reconcileClosedPeriods(db)
        if (different.length > 0) onDifference(different)
        for (const failure of failures) onError(failure)
        bookUnsealed.set(failures.length)
        bookDifferences.set(await countDifferences(db))
      } catch (error) {
        onError(error)
      }
      await rest(SEAL_MS)
    }
  }

  const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal: stopping.signal }).catch(() => {})

  const running = Promise.all([follow(), seal()])
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
