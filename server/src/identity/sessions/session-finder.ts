// Looks up sessions of calls that the caller cache cannot serve. Calls that arrive while a query is in flight share the
// next query. Each is answered by a read that began after it arrived, so nothing is cached, and under load one
// statement serves many calls.

import type { Db } from '../../postgres/db.ts'
import { findSessions, type SessionRecord } from '../../changes/callers/index.ts'

export type FindSession = (tokenHash: Buffer) => Promise<SessionRecord | undefined>

interface Lookup {
  tokenHash: Buffer
  resolve: (session: SessionRecord | undefined) => void
  reject: (error: unknown) => void
}

/** More than one, so that a slow connection does not delay all calls. */
const MAX_QUERIES = 2
/** With fewer callers they wait for the query in flight, because every query has a fixed cost. */
const SECOND_QUERY_SIZE = 64

export function createSessionFinder(db: Db): FindSession {
  let waiting: Lookup[] = []
  let running = 0

  async function resolveLookups(lookups: readonly Lookup[]): Promise<void> {
    try {
      const hashes = lookups.map(({ tokenHash }) => tokenHash)
      const sessions = await findSessions(db, hashes)
      for (const { tokenHash, resolve } of lookups) resolve(sessions.get(tokenHash.toString('hex')))
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }

  async function run(): Promise<void> {
    running += 1
    while (waiting.length >= (running > 1 ? SECOND_QUERY_SIZE : 1)) {
      const lookups = waiting
      waiting = []
      await resolveLookups(lookups)
    }
    running -= 1
    // Callers may have arrived between two runners that end in the same tick.
    if (running === 0 && waiting.length > 0) void run()
  }

  return (tokenHash) =>
    new Promise((resolve, reject) => {
      waiting.push({ tokenHash, resolve, reject })
      if (running === 0 || (running < MAX_QUERIES && waiting.length >= SECOND_QUERY_SIZE)) void run()
    })
}
