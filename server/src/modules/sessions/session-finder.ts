// Every call asks who its caller is. Calls that arrive while such a question is on its way are asked about together in the
// next one: each is answered by a look at the database that began after it came, so nothing is remembered, and under load
// one statement serves many.

import type { Db } from '../../platform/db.ts'
import { findSessions, type SessionRecord } from './sessions.store.ts'

export type FindSession = (tokenHash: Buffer) => Promise<SessionRecord | undefined>

interface Asking {
  tokenHash: Buffer
  resolve: (session: SessionRecord | undefined) => void
  reject: (error: unknown) => void
}

/** More than one, so that a slow connection does not hold up everybody. */
const MOST_QUESTIONS_AT_ONCE = 2
/** Fewer callers than this wait for the question on its way: a question costs something however few it is about. */
const SECOND_QUESTION = 64

export function createSessionFinder(db: Db): FindSession {
  let waiting: Asking[] = []
  let running = 0

  async function answer(asking: readonly Asking[]): Promise<void> {
    try {
      const hashes = asking.map(({ tokenHash }) => tokenHash)
      const sessions = await findSessions(db, hashes)
      for (const { tokenHash, resolve } of asking) resolve(sessions.get(tokenHash.toString('hex')))
    } catch (error) {
      for (const { reject } of asking) reject(error)
    }
  }

  async function run(): Promise<void> {
    running += 1
    while (waiting.length >= (running > 1 ? SECOND_QUESTION : 1)) {
      const asking = waiting
      waiting = []
      await answer(asking)
    }
    running -= 1
    // Where both ended in the same moment, those that came in between are still there.
    if (running === 0 && waiting.length > 0) void run()
  }

  return (tokenHash) =>
    new Promise((resolve, reject) => {
      waiting.push({ tokenHash, resolve, reject })
      if (running === 0 || (running < MOST_QUESTIONS_AT_ONCE && waiting.length >= SECOND_QUESTION)) void run()
    })
}
