// Who is calling. A session id is 256 random bits, kept only as a hash; a user has one live session at a time.

import { hash, randomBytes } from 'node:crypto'
import type { RefusalCode, User, UserStatus } from '@megalot/contract'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { SessionEndReason } from '../../platform/tables.ts'
import { findUserByPassword, getUser } from '../accounts/accounts.service.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { useCaptcha } from './captcha.service.ts'
import { createActivityNotes, type NoteActivity } from './session-activity.ts'
import { createSessionFinder, type FindSession } from './session-finder.ts'
import { endLiveSession, endSession, insertSession, listSessions } from './sessions.store.ts'

/** Activity is noted at most this often, so that reading does not mean writing. */
const NOTE_ACTIVITY_MS = 30_000

/** What a caller with an ended session is told. */
const endedBecause: Readonly<Record<SessionEndReason, RefusalCode>> = {
  logged_off: 'not_signed_in',
  replaced: 'session_replaced',
  expired: 'session_expired',
  password_changed: 'session_expired',
  suspended: 'session_suspended',
}

export interface LogIn {
  username: string
  password: string
  request_id: string
  captcha_txt: string
}

/**
 * Opens a session and ends the user's earlier one.
 * @throws Refusal wrong_captcha; wrong_login for an unknown user and a wrong password alike; suspended
 */
export async function logIn(
  db: Db,
  { username, password, request_id, captcha_txt }: LogIn,
): Promise<{ sessionId: string; user: User }> {
  await useCaptcha(db, request_id, captcha_txt)
  const user = await findUserByPassword(db, username, password)
  if (!user) throw new Refusal('wrong_login')
  if (user.status === 'SUSPENDED') throw new Refusal('suspended')
  const sessionId = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (tx) => {
    await endLiveSession(tx, user.user_id, 'replaced')
    await insertSession(tx, user.user_id, hashSessionId(sessionId))
    await writeAudit(tx, { actor_id: user.user_id, action: 'log_in', subject: `user:${user.user_id}` })
  })
  return { sessionId, user: await getUser(db, user.user_id) }
}

/** What every call asks of sessions, gathered over calls. */
export interface SessionDesk {
  findSession: FindSession
  noteActivity: NoteActivity
}

export function openSessionDesk(db: Db, onError: (error: unknown) => void): SessionDesk {
  return { findSession: createSessionFinder(db), noteActivity: createActivityNotes(db, onError) }
}

/**
 * The caller behind a session id.
 * @throws Refusal (401) not_signed_in, or why the session is over
 */
export async function authenticate(
  db: Db,
  { findSession, noteActivity }: SessionDesk,
  sessionId: string,
  { idleMs, isActivity }: { idleMs: number; isActivity: boolean },
): Promise<Caller> {
  const session = await findSession(hashSessionId(sessionId))
  if (!session) throw new Refusal('not_signed_in')
  if (session.end_reason) throw new Refusal(endedBecause[session.end_reason])
  if (session.status === 'SUSPENDED') {
    await endSession(db, session.session_id, 'suspended')
    throw new Refusal('session_suspended')
  }
  if (session.idle_ms > idleMs) {
    await endSession(db, session.session_id, 'expired')
    throw new Refusal('session_expired')
  }
  if (isActivity && session.idle_ms > NOTE_ACTIVITY_MS) noteActivity(session.session_id)
  const { user_id, session_id, username, level, is_office, status } = session
  return { user_id, session_id, username, level, is_office, status }
}

/**
 * Which of these sessions still live, with the status of their users. It only looks: no session ends by it, and none is
 * kept alive.
 */
export async function listLiveSessions(
  db: Db,
  session_ids: readonly number[],
  idleMs: number,
): Promise<Map<number, UserStatus>> {
  const sessions = await listSessions(db, session_ids)
  const live = sessions.filter((one) => !one.end_reason && one.status !== 'SUSPENDED' && one.idle_ms <= idleMs)
  return new Map(live.map(({ session_id, status }) => [session_id, status]))
}

export async function logOff(db: Db, caller: Caller): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endSession(tx, caller.session_id, 'logged_off')
    await writeAudit(tx, { actor_id: caller.user_id, action: 'log_off', subject: `user:${caller.user_id}` })
  })
}

/** The id has 256 random bits, so one round of SHA-256 keeps it as well as any slow hash would. */
function hashSessionId(sessionId: string): Buffer {
  return hash('sha256', sessionId, 'buffer')
}
