// Activity is written down for many sessions at once: a write for each call would cost more than most calls do. What is
// lost with a node are moments of activity, not more: a session may end a little early by them.

import type { Db } from '../../platform/db.ts'
import { touchSessions } from './sessions.store.ts'

/** How long activity waits to be written with others, in ms. */
const GATHER_MS = 1_000

export type NoteActivity = (session_id: number) => void

export function createActivityNotes(db: Db, onError: (error: unknown) => void): NoteActivity {
  let active = new Set<number>()

  async function write(): Promise<void> {
    const session_ids = [...active]
    active = new Set()
    await touchSessions(db, session_ids).catch(onError)
  }

  return (session_id) => {
    if (active.size === 0) setTimeout(() => void write(), GATHER_MS).unref()
    active.add(session_id)
  }
}
