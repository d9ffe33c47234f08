// Signing in on the command line, as on the screen, with name, password and a second factor if the user has one.

import { findUserAndVerify, type UserRecord, type UserWithPassword } from '../identity/accounts/index.ts'
import { auditFailedLogIn, writeAudit } from '../changes/audit/index.ts'
import { type Caller, COMMAND_LINE, type SignIn } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { type FactorSettings, verifyFactorCode } from '../identity/second-factor/index.ts'
import { findCallerOfSignIn } from '../changes/callers/index.ts'
import {
  logInKeyOf,
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refuseThrottled,
  resetFailures,
} from '../identity/sessions/index.ts'
import type { AskSecret } from './ask-secret.ts'

/** The signed-in user, and what `verifyCaller` needs to find it again. */
export interface SignedIn {
  caller: Caller
  identity: SignIn
}

/**
 * The user of a name and password. Wrong passwords count as in log-ins, and delay the next attempt. A user with a
 * second factor enters a code of its authenticator app, or a recovery code. The user is read after the last prompt,
 * which may have waited for long.
 * @throws Error with a sentence for the terminal; Refusal password_expired (a one-time password after 72 hours),
 * wrong_factor, log_in_paused
 */
export async function signIn(db: Db, name: string, askSecret: AskSecret, settings: FactorSettings): Promise<SignedIn> {
  const user = await verifyPassword(db, name, await askSecret(`Password of ${name}: `, 'password'))
  refuseUnfit(user)
  const { user_id, password_hash } = user
  const factor_verified_at_ms = user.factor_kinds.length > 0 ? await verifyFactor(db, user, askSecret, settings) : null
  const identity = { user_id, password_hash, factor_verified_at_ms, settings }
  const caller = await findCallerOfSignIn(db, identity)
  await writeAudit(db, { actor_id: user_id, address: COMMAND_LINE, action: 'log_in', subject: `user:${user_id}` })
  return { caller, identity }
}

/** @throws Error with a sentence for the terminal; Refusal password_expired */
function refuseUnfit({ username, status, is_password_expired }: UserRecord): void {
  if (status === 'SUSPENDED') throw new Error(`${username} is suspended`)
  if (is_password_expired) throw new Refusal('password_expired')
}

/**
 * @returns when it was verified, by `performance.now()`
 * @throws Refusal wrong_factor, log_in_paused
 */
async function verifyFactor(db: Db, user: UserRecord, askSecret: AskSecret, settings: FactorSettings): Promise<number> {
  const { user_id, username } = user
  const code = await askSecret(`Code of ${username}'s authenticator app, or a recovery code: `, 'factor_code')
  await verifyFactorCode(db, { actor_id: user_id, address: COMMAND_LINE, username }, code.trim(), settings)
  return performance.now()
}

/**
 * Applies the back-off, which a proof of work cannot skip here, but not the daily limit of log-ins. Failed log-ins in
 * browsers therefore never block the command line for longer than the back-off.
 * @throws Error with a sentence for the terminal; Refusal log_in_paused
 */
async function verifyPassword(db: Db, name: string, password: string): Promise<UserWithPassword> {
  const attempt: PasswordAttempt = { throttleKey: logInKeyOf(name), username: name, device: undefined }
  const state = await readThrottle(db, attempt)
  refuseThrottled(state, 0)
  const { user, isRight } = await findUserAndVerify(db, name, password)
  await db.transaction().execute(async (tx) => {
    if (isRight) return resetFailures(tx, attempt, state)
    await recordFailure(tx, attempt, state)
    await auditFailedLogIn(tx, user?.user_id, COMMAND_LINE)
  })
  if (!user || !isRight) throw new Error('Wrong username or password')
  return user
}
