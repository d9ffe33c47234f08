// Sessions and log-in. A session id is 256 random bits, stored only as a hash; a user has one live session at a time.

import { hash, randomBytes } from 'node:crypto'
import type { RefusalCode, User, UserStatus } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import { unquotedArray, type Db, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AuthOptions } from '../../platform/serve.ts'
import type { SessionEndReason } from '../../platform/tables.ts'
import { findUserAndVerify, getUser, lockUser, refuseWhenHashQueueFull, runInHashQueue } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { isInMaintenance, refuseInMaintenance } from '../maintenance/index.ts'
import { type CaptchaAnswer, consumeCaptcha } from './captcha.service.ts'
import { createActivityRecorder, type RecordActivity } from './session-activity.ts'
import { createSessionFinder, type FindSession } from './session-finder.ts'
import { type CallerCache, createCallerCache } from './caller-cache.ts'
import { endLiveSession, endSession, insertSession, listBlockedSessions, listSessions } from './sessions.store.ts'
import {
  removeDevices,
  resetFailures,
  recordFailure,
  refuseThrottled,
  rememberDevice,
  type PasswordAttempt,
  readThrottle,
} from './password-throttle.service.ts'

/** Activity is recorded at most this often, so that reads cause few writes, and several times per idle time. */
const ACTIVITY_INTERVAL_MS = 30_000
const RECORDS_PER_IDLE_TIME = 4

/** The refusal for a caller whose session has ended. */
const endedBecause: Readonly<Record<SessionEndReason, RefusalCode>> = {
  logged_off: 'not_signed_in',
  replaced: 'session_replaced',
  expired: 'session_expired',
  password_changed: 'session_password_changed',
  suspended: 'session_suspended',
}

/**
 * Verifies sessions of members that came from the cache, in the transaction that acts for them.
 * @returns the refusals by session id; valid sessions are not in it
 */
export async function findSessionRefusals(tx: Tx, session_ids: readonly number[]): Promise<Map<number, Refusal>> {
  if (session_ids.length === 0) return new Map()
  const blocked = await listBlockedSessions(tx, session_ids)
  return new Map(
    blocked.map(({ session_id, end_reason, maintenance }) => [
      session_id,
      end_reason ? new Refusal(endedBecause[end_reason]) : new Refusal('maintenance', { ...maintenance }),
    ]),
  )
}

/** SQL that is true where all these sessions are live and the whole application is not in maintenance. */
export function areSessionsLive(session_ids: readonly number[]): RawBuilder<boolean> {
  const different = [...new Set(session_ids)]
  return sql`(
    select ${different.length}::int = 0 or (count(*) = ${different.length}::int and not ${isInMaintenance}) from sessions
    where session_id = any(${unquotedArray(different)}::bigint[]) and ended_at is null)`
}

/** The origin of an attempt. */
export interface AttemptOrigin {
  /** The caller's address, for the audit. */
  address: string
  /** The token of an earlier log-in on the same browser. */
  device: string | undefined
}

export type LogIn = { username: string; password: string } & CaptchaAnswer & AttemptOrigin

export interface OpenedSession {
  sessionId: string
  /** The token that identifies the browser at the next log-in. */
  device: string
  user: User
}

/**
 * Opens a session and ends the user's earlier one.
 * @throws Refusal wrong_captcha; log_in_paused after many failed attempts; too_many_requests where too many log in at
 * once; wrong_login for an unknown user and a wrong password alike; suspended; maintenance
 */
export async function logIn(db: Db, given: LogIn): Promise<OpenedSession> {
  const { username, password, address, device } = given
  const attempt: PasswordAttempt = { throttleKey: `login:${username.toLowerCase()}`, username, device }
  // In a flood most are refused here, before any query for them. A made-up device cookie of the right form skips this: the
  // limit that counts is that of the queue itself, in `runInHashQueue` below, which knows whether the browser is known.
  if (device === undefined) refuseWhenHashQueueFull('unknown')
  const proofLevel = await consumeCaptcha(db, given)
  const { isKnownDevice } = await readThrottle(db, attempt)
  const user = await runInHashQueue(isKnownDevice ? 'known' : 'unknown', async () => {
    // Read again inside the queue: meanwhile others may have tried the same name.
    const state = await readThrottle(db, attempt)
    refuseThrottled(state, proofLevel)
    const { user, isRight } = await findUserAndVerify(db, username, password)
    if (isRight && user) return { ...user, state }
    await db.transaction().execute(async (tx) => {
      await recordFailure(tx, attempt, state)
      const subject = `user:${user?.user_id ?? 'unknown'}`
      await writeAudit(tx, { actor_id: null, action: 'log_in_failed', subject, after: { address } })
    })
    throw new Refusal('wrong_login')
  })
  if (user.status === 'SUSPENDED') throw new Refusal('suspended')
  if (!user.is_office) await refuseInMaintenance(db)
  const opened = await db.transaction().execute(async (tx) => {
    // The password was right a moment ago: a concurrent change of password or status has committed, or waits for this
    // lock.
    const current = await lockUser(tx, user.user_id)
    if (current?.password_hash !== user.password_hash) throw new Refusal('wrong_login')
    if (current.status === 'SUSPENDED') throw new Refusal('suspended')
    await resetFailures(tx, attempt, user.state)
    return openSession(tx, user.user_id, { address, device })
  })
  return { ...opened, user: await getUser(db, user.user_id) }
}

/** Opens a session for an identified user, and ends the one before it. */
export async function openSession(
  tx: Tx,
  user_id: number,
  { address, device }: AttemptOrigin,
): Promise<Omit<OpenedSession, 'user'>> {
  const sessionId = randomBytes(32).toString('base64url')
  await endLiveSession(tx, user_id, 'replaced')
  await insertSession(tx, user_id, hashSessionId(sessionId))
  const token = await rememberDevice(tx, user_id, device)
  await writeAudit(tx, { actor_id: user_id, action: 'log_in', subject: `user:${user_id}`, after: { address } })
  return { sessionId, device: token }
}

/** After a new password: the live session ends, and no browser is known any more. */
export async function endAllSessions(tx: Tx, user_id: number): Promise<void> {
  await endLiveSession(tx, user_id, 'password_changed')
  await removeDevices(tx, user_id)
}

/** The session services of a node, shared by all calls. */
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
 * The caller behind a session id.
 * @throws Refusal (401) not_signed_in, or why the session is over; maintenance, for all but the office
 */
export async function authenticate(
  db: Db,
  { findSession, recordActivity, cache }: SessionServices,
  sessionId: string,
  { idleMs, reported_idle_ms, isOpenInMaintenance, mayUseCache }: { idleMs: number } & AuthOptions,
): Promise<Caller> {
  const tokenHash = hashSessionId(sessionId)
  const cached = mayUseCache ? cache.get(tokenHash) : undefined
  if (cached) return cached
  // A caller who may not come from the cache may have been cached wrongly before.
  if (!mayUseCache) cache.evict(tokenHash)
  const session = await findSession(tokenHash)
  if (!session) throw new Refusal('not_signed_in')
  if (session.end_reason) throw new Refusal(endedBecause[session.end_reason])
  if (session.status === 'SUSPENDED') {
    await endSession(db, session.session_id, 'suspended')
    throw new Refusal('session_suspended')
  }
  if (session.recorded_idle_ms > idleMs) {
    await endSession(db, session.session_id, 'expired')
    throw new Refusal('session_expired')
  }
  if (session.is_in_maintenance && !session.is_office && !isOpenInMaintenance) await refuseInMaintenance(db)
  const recordAfterMs = Math.min(ACTIVITY_INTERVAL_MS, idleMs / RECORDS_PER_IDLE_TIME)
  if (reported_idle_ms !== null && session.recorded_idle_ms - reported_idle_ms > recordAfterMs)
    recordActivity(session.session_id, reported_idle_ms)
  const { user_id, session_id, username, level, is_office, status } = session
  const caller: Caller = { user_id, session_id, username, level, is_office, status }
  // Only active callers: other sessions may be about to expire, and a caller from the cache records no activity.
  if (reported_idle_ms !== null && reported_idle_ms < recordAfterMs) cache.store(tokenHash, caller)
  return caller
}

/**
 * Which of these sessions are live, with the status of their users. Read-only: no session ends by it, and none is
 * prolonged.
 */
export async function listLiveSessions(
  db: Db,
  session_ids: readonly number[],
  idleMs: number,
): Promise<Map<number, UserStatus>> {
  const sessions = await listSessions(db, session_ids)
  const live = sessions.filter((one) => !one.end_reason && one.status !== 'SUSPENDED' && one.recorded_idle_ms <= idleMs)
  return new Map(live.map(({ session_id, status }) => [session_id, status]))
}

export async function logOff(db: Db, caller: Caller): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endSession(tx, caller.session_id, 'logged_off')
    await writeAudit(tx, { actor_id: caller.user_id, action: 'log_off', subject: `user:${caller.user_id}` })
  })
}

/** The id has 256 random bits, so one round of SHA-256 is as safe as a slow hash. */
function hashSessionId(sessionId: string): Buffer {
  return hash('sha256', sessionId, 'buffer')
}
