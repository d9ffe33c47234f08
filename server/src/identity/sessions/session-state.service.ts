// The state of a session as sent to clients, and its completion by a second factor.

import type { SessionState } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'
import type { SessionSettings } from '../../http/caller.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findSessions, listSessions, toSessionState } from '../../changes/callers/index.ts'
import { rememberDeviceOf } from './password-throttle.service.ts'
import { hashSessionToken, makeSessionToken } from './session-token.ts'
import { lockLiveSession, saveFactorVerified } from './sessions.store.ts'

type StateSettings = Pick<SessionSettings, 'secondFactor'>

/** How far a call's session is verified. */
export async function getSessionState(db: Db, session_id: number, settings: StateSettings): Promise<SessionState> {
  const [session] = await listSessions(db, [session_id])
  if (!session) throw new Error(`Session ${session_id} is gone`)
  return toSessionState(session, settings)
}

/** The state of a session that was just opened, by its browser's token. */
export async function getOpenedSessionState(
  db: Db,
  sessionToken: string,
  settings: StateSettings,
): Promise<SessionState> {
  const session = (await findSessions(db, [hashSessionToken(sessionToken)])).values().next().value
  if (!session) throw new Refusal('not_signed_in')
  return toSessionState(session, settings)
}

/**
 * Records that a second factor was verified in a session, at log-in or later (step-up), or that the user has enrolled
 * one in it. The first time, the session gets a new token, so that anyone who knew the old one, for example by planting
 * it in the browser, has nothing. A session that waited for the factor replaces the user's previous one, and its
 * browser becomes known. The caller has locked the user.
 * @returns the new token; null if the session keeps its token
 * @throws Refusal not_signed_in if the session has ended meanwhile
 */
export async function recordVerifiedFactor(tx: Tx, session_id: number): Promise<string | null> {
  const session = await lockLiveSession(tx, session_id)
  if (!session) throw new Refusal('not_signed_in')
  const sessionToken = session.is_verified ? null : makeSessionToken()
  await saveFactorVerified(tx, session_id, session, sessionToken === null ? undefined : hashSessionToken(sessionToken))
  if (session.awaits_factor && session.device_hash) await rememberDeviceOf(tx, session.user_id, session.device_hash)
  return sessionToken
}
