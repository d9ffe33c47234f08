// Who acts on the command line: a user signs in as on the screen, with name, password and, where it has one, a second factor.

import { findUserAndVerify, permissionsOf, type UserRecord } from '../modules/accounts/index.ts'
import { auditFailedLogIn, writeAudit } from '../modules/audit/index.ts'
import type { Caller } from '../platform/caller.ts'
import type { Db } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { type FactorSettings, verifyFactorCode } from '../modules/second-factor/index.ts'
import {
  listPendingSteps,
  logInKeyOf,
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refuseThrottled,
  resetFailures,
} from '../modules/sessions/index.ts'
import type { AskSecret } from './ask-secret.ts'

/**
 * The user behind a name and password. Wrong passwords count as those of log-ins do, and make the next attempt wait. A user with a second factor enters a code of its authenticator app, or a recovery code.
 * @throws Error with a sentence for the terminal; Refusal password_expired (a one-time password after 72 hours),
 * wrong_factor, log_in_paused
 */
export async function signIn(db: Db, name: string, askSecret: AskSecret, settings: FactorSettings): Promise<Caller> {
  const user = await verifyPassword(db, name, await askSecret(`Password of ${name}: `, 'password'))
  if (user.status === 'SUSPENDED') throw new Error(`${name} is suspended`)
  if (user.is_password_expired) throw new Refusal('password_expired')
  const { user_id, username, level, is_office, status } = user
  const ids = { actor_id: user_id, principal_id: user.principal_id ?? user_id }
  const has_factor = user.factor_kinds.length > 0
  if (has_factor) {
    const code = await askSecret(`Code of ${name}'s authenticator app, or a recovery code: `, 'factor_code')
    await verifyFactorCode(db, { ...ids, username }, code.trim(), settings)
  }
  await writeAudit(db, { actor_id: user_id, action: 'log_in', subject: `user:${user_id}` })
  const factor_age_ms = has_factor ? 0 : null
  const pending_steps = listPendingSteps({ ...user, factor_age_ms, awaits_factor: false }, settings)
  // The command line has no session, and no route of it needs one.
  const session = { session_id: 0, pending_steps, has_factor, factor_age_ms }
  return { ...ids, ...session, username, level, is_office, status, permissions: permissionsOf(user) }
}

/**
 * The back-off holds here without the proof of work that skips it, and so without the bound a day of log-ins: what strangers try in
 * browsers keeps nobody from the command line for longer than the back-off.
 * @throws Error with a sentence for the terminal; Refusal log_in_paused
 */
async function verifyPassword(db: Db, name: string, password: string): Promise<UserRecord> {
  const attempt: PasswordAttempt = { throttleKey: logInKeyOf(name), username: name, device: undefined }
  const state = await readThrottle(db, attempt)
  refuseThrottled(state, 0)
  const { user, isRight } = await findUserAndVerify(db, name, password)
  await db.transaction().execute(async (tx) => {
    if (isRight) return resetFailures(tx, attempt, state)
    await recordFailure(tx, attempt, state)
    await auditFailedLogIn(tx, user?.user_id)
  })
  if (!user || !isRight) throw new Error('Wrong username or password')
  return user
}
