// Activity is written down for many sessions at once: a write for each call would cost more than most calls do. What is
// lost with a node are moments of activity, not more: a session may end a little early by them.

import type { Db } from '../../platform/db.ts'
import { touchSessions } from './sessions.store.ts'

/** How long activity waits to be written with others, in ms. */
const GATHER_MS = 1_000

/** Notes that the user of a session did something so many ms ago. */
export type NoteActivity = (session_id: number, active_ms_ago: number) => void

export function createActivityNotes(db: Db, onError: (error: unknown) => void): NoteActivity {
  /** By session the moment of its last activity, on the process's clock. */
  let activeAtMs = new Map<number, number>()

  async function write(): Promise<void> {
    const nowMs = performance.now()
    const activities = [...activeAtMs].map(([session_id, atMs]) => ({ session_id, active_ms_ago: nowMs - atMs }))
    activeAtMs = new Map()
    await touchSessions(db, activities).catch(onError)
  }

  return (session_id, active_ms_ago) => {
    if (activeAtMs.size === 0) setTimeout(() => void write(), GATHER_MS).unref()
    const atMs = performance.now() - active_ms_ago
    activeAtMs.set(session_id, Math.max(atMs, activeAtMs.get(session_id) ?? atMs))
  }
}
