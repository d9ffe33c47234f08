// Who acts on the command line: a user signs in as on the screen, with name, password and, where it has one, a second factor.

import {
  findUserAndVerify,
  findUserWithPassword,
  permissionsOf,
  type UserRecord,
  type UserWithPassword,
} from '../identity/accounts/index.ts'
import { auditFailedLogIn, writeAudit } from '../changes/audit/index.ts'
import type { Caller } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { type FactorSettings, verifyFactorCode } from '../identity/second-factor/index.ts'
import {
  listPendingSteps,
  logInKeyOf,
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refuseThrottled,
  resetFailures,
} from '../identity/sessions/index.ts'
import type { AskSecret } from './ask-secret.ts'

/** Who has signed in, and how it is found again. */
export type SignedIn = Caller & { verifyAgain(on?: Db): Promise<Caller> }

/**
 * The user behind a name and password. Wrong passwords count as those of log-ins do, and make the next attempt wait. A user with a second factor enters a code of its authenticator app, or a recovery code.
 * It is as it was after the last prompt, which may have waited for long; `verifyAgain` finds it as it is then.
 * @throws Error with a sentence for the terminal; Refusal password_expired (a one-time password after 72 hours),
 * wrong_factor, log_in_paused
 */
export async function signIn(db: Db, name: string, askSecret: AskSecret, settings: FactorSettings): Promise<SignedIn> {
  const user = await verifyPassword(db, name, await askSecret(`Password of ${name}: `, 'password'))
  refuseUnfit(user)
  const verifiedAtMs = user.factor_kinds.length > 0 ? await verifyFactor(db, user, askSecret, settings) : null
  const verifyAgain = async (on: Db = db): Promise<Caller> => {
    const now = await findUserWithPassword(on, { user_id: user.user_id })
    // A new password ends sessions as well.
    if (now?.password_hash !== user.password_hash) throw new Error('Wrong username or password')
    refuseUnfit(now)
    return toCaller(now, verifiedAtMs, settings)
  }
  const caller = await verifyAgain()
  await writeAudit(db, { actor_id: user.user_id, action: 'log_in', subject: `user:${user.user_id}` })
  return { ...caller, verifyAgain }
}

/** @throws Error with a sentence for the terminal; Refusal password_expired */
function refuseUnfit({ username, status, is_password_expired }: UserRecord): void {
  if (status === 'SUSPENDED') throw new Error(`${username} is suspended`)
  if (is_password_expired) throw new Refusal('password_expired')
}

/** @returns when it was verified, by `performance.now()` @throws Refusal wrong_factor, log_in_paused */
async function verifyFactor(db: Db, user: UserRecord, askSecret: AskSecret, settings: FactorSettings): Promise<number> {
  const { username } = user
  const code = await askSecret(`Code of ${username}'s authenticator app, or a recovery code: `, 'factor_code')
  await verifyFactorCode(db, { ...idsOf(user), username }, code.trim(), settings)
  return performance.now()
}

function idsOf({ user_id, principal_id }: UserRecord): Pick<Caller, 'actor_id' | 'principal_id'> {
  return { actor_id: user_id, principal_id: principal_id ?? user_id }
}

function toCaller(user: UserRecord, verifiedAtMs: number | null, settings: FactorSettings): Caller {
  const { username, level, is_office, status } = user
  const factor_age_ms = verifiedAtMs === null ? null : performance.now() - verifiedAtMs
  const pending_steps = listPendingSteps({ ...user, factor_age_ms, awaits_factor: false }, settings)
  // The command line has no session, and no route of it needs one.
  const session = { session_id: 0, pending_steps, has_factor: user.factor_kinds.length > 0, factor_age_ms }
  return { ...idsOf(user), ...session, username, level, is_office, status, permissions: permissionsOf(user) }
}

/**
 * The back-off holds here without the proof of work that skips it, and so without the bound a day of log-ins: what strangers try in
 * browsers keeps nobody from the command line for longer than the back-off.
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
    await auditFailedLogIn(tx, user?.user_id)
  })
  if (!user || !isRight) throw new Error('Wrong username or password')
  return user
}
