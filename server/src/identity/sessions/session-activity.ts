// Activity is written for many sessions at once, because a write per call would cost more than most calls. A node that
// ends unexpectedly loses only moments of activity, so a session may end a little early.

import type { Db } from '../../postgres/db.ts'
import { touchSessions } from './sessions.store.ts'

/** How long activity waits to be written with others, in ms. */
const FLUSH_MS = 1_000

/** Records that a session's user was active this many ms ago. */
export type RecordActivity = (session_id: number, active_ms_ago: number) => void

export function createActivityRecorder(db: Db, onError: (error: unknown) => void): RecordActivity {
  /** Last activity by session, on the process's clock. */
  let activeAtMs = new Map<number, number>()

  async function write(): Promise<void> {
    const nowMs = performance.now()
    const activities = [...activeAtMs].map(([session_id, atMs]) => ({ session_id, active_ms_ago: nowMs - atMs }))
    activeAtMs = new Map()
    await touchSessions(db, activities).catch(onError)
  }

  return (session_id, active_ms_ago) => {
    if (activeAtMs.size === 0) setTimeout(() => void write(), FLUSH_MS).unref()
    const atMs = performance.now() - active_ms_ago
    activeAtMs.set(session_id, Math.max(atMs, activeAtMs.get(session_id) ?? atMs))
  }
}
