// Verifies callers: looks up sessions by the hash of their token, and records the activity that prolongs them.

import type { UserStatus } from '@megalot/contract'
import type { Caller, SessionSettings } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuthOptions } from '../../http/serve.ts'
import {
  findEnd,
  limitsOf,
  listSessions,
  refusalOfEnd,
  refuseMaintained,
  toCaller,
} from '../../changes/callers/index.ts'
import { type CallerCache, createCallerCache } from './caller-cache.ts'
import { createActivityRecorder, type RecordActivity } from './session-activity.ts'
import { createSessionFinder, type FindSession } from './session-finder.ts'
import { hashSessionToken } from './session-token.ts'
import { endSession, listBlockedSessions } from './sessions.store.ts'

/** Activity is recorded at most this often, so that reads cause few writes, but several times per idle time. */
const ACTIVITY_INTERVAL_MS = 30_000
const RECORDS_PER_IDLE_TIME = 4

/** A node's session services, shared by all calls. */
export interface SessionServices {
  findSession: FindSession
  recordActivity: RecordActivity
  cache: CallerCache
}

export function createSessionServices(db: Db, onError: (error: unknown) => void): SessionServices {
  return {
    findSession: createSessionFinder(db),
    recordActivity: createActivityRecorder(db, onError),
    cache: createCallerCache(),
  }
}

/**
 * The caller of a session token.
 * @throws Refusal (401) not_signed_in, or why the session has ended; maintenance, except for the office
 */
export async function authenticate(
  db: Db,
  { findSession, recordActivity, cache }: SessionServices,
  sessionToken: string,
  settings: SessionSettings,
  { reported_idle_ms, isOpenInMaintenance, mayUseCache }: AuthOptions,
): Promise<Caller> {
  const tokenHash = hashSessionToken(sessionToken)
  const cached = mayUseCache ? cache.get(tokenHash) : undefined
  if (cached) return cached
  // This call verifies the caller again, because a cached entry may be outdated.
  if (!mayUseCache) cache.evict(tokenHash)
  const session = await findSession(tokenHash)
  if (!session) throw new Refusal('not_signed_in')
  const end_reason = findEnd(session, settings)
  if (end_reason) {
    if (!session.end_reason) await endSession(db, session.session_id, end_reason)
    throw new Refusal(refusalOfEnd[end_reason])
  }
  refuseMaintained(session, isOpenInMaintenance)
  const { idleMs } = limitsOf(session, settings)
  const recordAfterMs = Math.min(ACTIVITY_INTERVAL_MS, idleMs / RECORDS_PER_IDLE_TIME)
  if (reported_idle_ms !== null && session.recorded_idle_ms - reported_idle_ms > recordAfterMs)
    recordActivity(session.session_id, reported_idle_ms)
  const caller = toCaller(session, settings)
  // Only active callers: other sessions may be about to expire, and cached callers record no activity. Completing a
  // step changes the session's id, so a cached caller never misses a completed step.
  if (reported_idle_ms !== null && reported_idle_ms < recordAfterMs) cache.store(tokenHash, caller)
  return caller
}

/** Which of these sessions are live, with their users' status. Neither ends nor prolongs sessions. */
export async function listLiveSessions(
  db: Db,
  session_ids: readonly number[],
  settings: SessionSettings,
): Promise<Map<number, UserStatus>> {
  const sessions = await listSessions(db, session_ids)
  const live = sessions.filter((one) => !findEnd(one, settings))
  return new Map(live.map(({ session_id, status }) => [session_id, status]))
}

/**
 * Verifies cached members' sessions in the transaction that acts for them.
 * @returns refusals by `session_id`; valid sessions are left out
 */
export async function findSessionRefusals(tx: Tx, session_ids: readonly number[]): Promise<Map<number, Refusal>> {
  if (session_ids.length === 0) return new Map()
  const blocked = await listBlockedSessions(tx, session_ids)
  return new Map(
    blocked.map(({ session_id, end_reason, maintenance }) => [
      session_id,
      end_reason ? new Refusal(refusalOfEnd[end_reason]) : new Refusal('maintenance', { ...maintenance }),
    ]),
  )
}
