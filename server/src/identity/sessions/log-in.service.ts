// Log-in and log-out. A user has at most one complete live session, and one more that waits for its second factor. The
// session token is stored only as a hash.

import type { User } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionEndReason } from '../../postgres/tables/sessions.ts'
import { subnetOf } from '../../http/subnet.ts'
import { findUserAndVerify, getUser, lockUser, runInHashQueue } from '../accounts/index.ts'
import { actorOf, auditFailedLogIn, writeAudit } from '../../changes/audit/index.ts'
import { removeSubscriptionsOfSession } from '../push/index.ts'
import { refuseInMaintenance } from '../../markets/maintenance/index.ts'
import { type CaptchaAnswer, consumeCaptcha } from './captcha.service.ts'
import { deleteCaptchas } from './captcha.store.ts'
import {
  mayOpenSession,
  deleteLogInFailures,
  identifyDevice,
  logInKeyOf,
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refusalOfWrong,
  refuseOverDailyLimit,
  refuseThrottled,
  rememberDeviceOf,
  removeDevices,
  resetFailures,
  uncountLogInAttempt,
  countLogInAttempt,
} from './password-throttle.service.ts'
import { requiredProof, unknownKindOf } from './required-proof.ts'
import { hashSessionToken, makeSessionToken } from './session-token.ts'
import {
  copySession,
  endAwaitingSession,
  endLiveSession,
  endLiveSessions,
  endSession,
  endSessionsOfAll,
  hasFactor,
  insertSession,
} from './sessions.store.ts'

/** The origin of an attempt. */
export interface AttemptOrigin {
  address: string
  /** The browser's user agent, shown in the list of sessions; null if none. */
  user_agent: string | null
  /** The token of an earlier log-in on the same browser. */
  device: string | undefined
}

export type LogIn = { username: string; password: string } & CaptchaAnswer & AttemptOrigin

export interface OpenedSession {
  sessionToken: string
  /** The token that identifies the browser at the next log-in. */
  device: string
  user: User
}

/**
 * Opens a session, which replaces the user's previous one. The session is incomplete if the user has a second factor or
 * must change the password (`session-state.ts`).
 * @throws Refusal wrong_captcha; log_in_paused after many failed attempts; log_in_limit_reached after the daily limit,
 * for the office unless the hardest proof was sent; too_many_requests if too many log in at once; wrong_login for an
 * unknown user and a wrong password alike; suspended; password_expired (a one-time password after 72 hours);
 * maintenance
 */
export async function logIn(db: Db, given: LogIn): Promise<OpenedSession> {
  const { username, password, address, user_agent, device } = given
  const attempt: PasswordAttempt = { throttleKey: logInKeyOf(username), username, device }
  const subnet = subnetOf(address)
  // During a flood most calls are refused here, before any query. The check can be skipped with a forged device cookie
  // or any proof. Both are verified below.
  if (device === undefined && !('captcha_proof' in given)) requiredProof.refuseWithout(subnet, 0)
  const proofLevel = await consumeCaptcha(db, given)
  // The order of the limits: a known browser has its own count, then the name, then the address.
  const before = await readThrottle(db, attempt)
  refuseOverDailyLimit(before, proofLevel)
  refuseThrottled(before, proofLevel)
  const { isKnownDevice } = before
  if (!isKnownDevice) requiredProof.refuseWithout(subnet, proofLevel)
  const unknown = { kind: unknownKindOf(proofLevel), subnet } as const
  const known = { kind: 'known', username, device: device ?? '' } as const
  const user = await runInHashQueue(isKnownDevice ? known : unknown, async () => {
    // Read again inside the queue, because others may have tried the same name meanwhile.
    const state = await readThrottle(db, attempt)
    refuseThrottled(state, proofLevel)
    const isCounted = await countLogInAttempt(db, attempt, state, proofLevel)
    const { user, isRight } = await findUserAndVerify(db, username, password)
    if (isRight && user && mayOpenSession(state, isCounted)) {
      if (isCounted) await uncountLogInAttempt(db, attempt, state)
      return { ...user, state }
    }
    if (!isKnownDevice) requiredProof.noteFailure(subnet)
    await db.transaction().execute(async (tx) => {
      await recordFailure(tx, attempt, state)
      await auditFailedLogIn(tx, user?.user_id, address)
    })
    throw refusalOfWrong(state, isCounted)
  })
  if (user.is_password_expired) throw new Refusal('password_expired')
  if (!user.is_office) await refuseInMaintenance(db)
  const opened = await db.transaction().execute(async (tx) => {
    // The password was right a moment ago, but a concurrent change of password or status may have committed.
    const current = await lockUser(tx, user.user_id)
    if (current?.password_hash !== user.password_hash) throw new Refusal('wrong_login')
    if (current.status === 'SUSPENDED') throw new Refusal('suspended')
    await resetFailures(tx, attempt, user.state)
    return openSession(tx, user.user_id, { address, user_agent, device })
  })
  return { ...opened, user: await getUser(db, user.user_id) }
}

/**
 * Opens a session for an identified user, and ends the previous one: at once or, if the user has a second factor, when
 * that completes the session (`recordVerifiedFactor`). The browser becomes known at the same time.
 */
export async function openSession(
  tx: Tx,
  user_id: number,
  { address, user_agent, device }: AttemptOrigin,
): Promise<Omit<OpenedSession, 'user'>> {
  const sessionToken = makeSessionToken()
  const awaits_factor = await hasFactor(tx, user_id)
  if (awaits_factor) await endAwaitingSession(tx, user_id, 'replaced')
  else await endLiveSession(tx, user_id, 'replaced')
  const token_hash = hashSessionToken(sessionToken)
  const { token, device_hash } = await identifyDevice(tx, device)
  await insertSession(tx, {
    user_id,
    token_hash,
    address,
    user_agent,
    awaits_factor,
    device_hash: awaits_factor ? device_hash : null,
  })
  if (!awaits_factor) await rememberDeviceOf(tx, user_id, device_hash)
  await writeAudit(tx, { actor_id: user_id, address, action: 'log_in', subject: `user:${user_id}` })
  return { sessionToken, device: token }
}

/**
 * After a new password or a reset of second factors: ends the live session, forgets all known browsers, and deletes
 * failed log-ins, which would otherwise lock the user out everywhere.
 */
export async function endAllSessions(
  tx: Tx,
  user_id: number,
  reason: Extract<SessionEndReason, 'password_changed' | 'factors_reset'> = 'password_changed',
): Promise<void> {
  await endLiveSession(tx, user_id, reason)
  await removeDevices(tx, user_id)
  await deleteLogInFailures(tx, user_id)
}

/**
 * Continues a session that has just ended, under a new id and token, so that the old token is useless. A verified
 * second factor stays verified.
 * @returns the new token
 */
export async function continueSession(tx: Tx, session_id: number): Promise<string> {
  const sessionToken = makeSessionToken()
  await copySession(tx, session_id, hashSessionToken(sessionToken))
  return sessionToken
}

/**
 * After a user's last second factor was removed: ends the session that waits for one, because nothing can complete it.
 * The caller has locked the user.
 */
export function endSessionWithoutFactor(tx: Tx, user_id: number): Promise<void> {
  return endAwaitingSession(tx, user_id, 'factors_reset')
}

/** Ends the live session of an office user or an assistant; known browsers stay known. */
export function endSessionByStaff(tx: Tx, user_id: number): Promise<void> {
  return endLiveSession(tx, user_id, 'ended_by_staff')
}

/** Ends the sessions of downline users; known browsers stay known. */
export function endSessionsFromAbove(tx: Tx, user_ids: readonly number[]): Promise<void> {
  return endLiveSessions(tx, user_ids, 'ended_by_staff')
}

export async function logOff(db: Db, caller: Caller): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endSession(tx, caller.session_id, 'logged_off')
    await removeSubscriptionsOfSession(tx, caller.session_id)
    await writeAudit(tx, { ...actorOf(caller), action: 'log_off', subject: `user:${caller.actor_id}` })
  })
}

/**
 * Ends all sessions and all unanswered captchas.
 * @returns how many sessions
 */
export async function endEverySession(tx: Tx): Promise<number> {
  await deleteCaptchas(tx)
  return endSessionsOfAll(tx, 'ended_by_staff')
}
