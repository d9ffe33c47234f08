// Verifies a second factor in a session, after the password and again before actions that need it. A user's attempts
// are serialised, and failures count per user, whichever factor they were for. After some failures there is a back-off
// as for passwords, which no proof of work can skip. The refusal never says what was wrong with a factor.

import type { PasskeyAssertion, PasskeyRequest } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import { type Db, readClock, type Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockUser } from '../accounts/index.ts'
import { actorOf, type AuditActor, writeAudit } from '../../changes/audit/index.ts'
import {
  recordVerifiedFactor,
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refuseThrottled,
  resetFailures,
} from '../sessions/index.ts'
import type { FactorSettings } from './factor-settings.ts'
import { describeRequest, makePasskeyChallenge, PASSKEY_CHALLENGE_MS, verifyAssertion } from './passkey.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import {
  listPasskeys,
  listTotps,
  savePasskeyUse,
  saveChallenge,
  takeChallenge,
  useRecoveryCode,
  useTotpStep,
} from './second-factor.store.ts'
import { decryptSecret } from './secret-cipher.ts'
import { findTotpStep } from './totp.ts'

type FactorUser = AuditActor & Pick<Caller, 'username'>
type VerificationKind = 'passkey' | 'totp' | 'recovery_code'

/** A challenge for the caller's passkeys, for its session only. */
export async function startPasskeyVerification(
  db: Db,
  { actor_id: user_id, session_id }: Caller,
  settings: FactorSettings,
): Promise<PasskeyRequest> {
  const challenge = makePasskeyChallenge()
  await saveChallenge(db, session_id, 'verify_passkey', challenge, PASSKEY_CHALLENGE_MS)
  return describeRequest(challenge, await listPasskeys(db, user_id), settings)
}

/**
 * @returns the session's new token, or null
 * @throws Refusal wrong_factor, log_in_paused
 */
export function verifyPasskey(
  db: Db,
  caller: Caller,
  assertion: PasskeyAssertion,
  settings: FactorSettings,
): Promise<string | null> {
  const { actor_id: user_id, session_id } = caller
  return verifyInSession(db, caller, 'passkey', async (tx) => {
    const challenge = await takeChallenge(tx, session_id, 'verify_passkey')
    const passkeys = await listPasskeys(tx, user_id)
    const passkey = passkeys.find(({ credential_id }) => credential_id.toString('base64url') === assertion.id)
    if (!challenge || !passkey) return false
    const use = await verifyAssertion(assertion, user_id, passkey, challenge, settings)
    if (!use) return false
    await savePasskeyUse(tx, passkey.factor_id, use.sign_count)
    return true
  })
}

/**
 * @returns the session's new token, or null
 * @throws Refusal totp_not_available, totp_unreadable, wrong_factor, log_in_paused
 */
export function verifyTotp(db: Db, caller: Caller, code: string, settings: FactorSettings): Promise<string | null> {
  return verifyInSession(db, caller, 'totp', (tx) => isTotpRight(tx, caller.actor_id, code, settings))
}

/**
 * @returns the session's new token, or null
 * @throws Refusal wrong_factor, log_in_paused
 */
export function verifyRecoveryCode(db: Db, caller: Caller, code: string): Promise<string | null> {
  const { actor_id: user_id } = caller
  return verifyInSession(db, caller, 'recovery_code', (tx) =>
    useRecoveryCode(tx, user_id, hashRecoveryCode(user_id, code)),
  )
}

/**
 * Verifies a code of an authenticator app or a recovery code outside a session, for the command line.
 * @throws Refusal totp_not_available, totp_unreadable, wrong_factor, log_in_paused
 */
export async function verifyFactorCode(
  db: Db,
  user: FactorUser,
  code: string,
  settings: FactorSettings,
): Promise<void> {
  const { actor_id: user_id } = user
  if (/^\d{6}$/.test(code))
    await attemptFactor(db, user, 'totp', (tx) => isTotpRight(tx, user_id, code, settings), done)
  else
    await attemptFactor(
      db,
      user,
      'recovery_code',
      (tx) => useRecoveryCode(tx, user_id, hashRecoveryCode(user_id, code)),
      done,
    )
}

const done = async (): Promise<void> => {}

/**
 * Uses up a right code.
 * @throws Refusal totp_not_available, totp_unreadable
 */
async function isTotpRight(tx: Tx, user_id: number, code: string, { factorKey }: FactorSettings): Promise<boolean> {
  const totps = await listTotps(tx, user_id)
  if (totps.length === 0) return false
  if (!factorKey) throw new Refusal('totp_not_available')
  const now = await readClock(tx)
  // After the loss of a key, newer apps exist beside unreadable ones.
  const readable = totps.flatMap(({ factor_id, secret: text }) => {
    const secret = decryptSecret(factorKey, user_id, text)
    return secret ? [{ factor_id, secret }] : []
  })
  if (readable.length === 0) throw new Refusal('totp_unreadable')
  for (const { factor_id, secret } of readable) {
    const step = findTotpStep(secret, code, now)
    if (step !== undefined && (await useTotpStep(tx, factor_id, step))) return true
  }
  return false
}

function verifyInSession(
  db: Db,
  caller: Caller,
  kind: VerificationKind,
  isRight: (tx: Tx) => Promise<boolean>,
): Promise<string | null> {
  return attemptFactor(db, caller, kind, isRight, (tx) => recordVerifiedFactor(tx, caller.session_id))
}

/**
 * Runs one attempt, and whatever a right factor permits in the same transaction.
 * @throws Refusal wrong_factor, log_in_paused
 */
async function attemptFactor<Result>(
  db: Db,
  user: FactorUser,
  kind: VerificationKind,
  isRight: (tx: Tx) => Promise<boolean>,
  onRight: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  // Ignores browsers' own failure counts, because an attacker with the password could make many browsers known.
  const { actor_id: user_id, username } = user
  const attempt: PasswordAttempt = { throttleKey: `factor:${user_id}`, username, device: undefined }
  const subject = `user:${user_id}`
  const outcome = await db.transaction().execute(async (tx) => {
    // Otherwise concurrent attempts would all run before the first is counted.
    await lockUser(tx, user_id)
    const state = await readThrottle(tx, attempt)
    refuseThrottled(state, 0)
    if (!(await isRight(tx))) {
      await recordFailure(tx, attempt, state)
      await writeAudit(tx, { ...actorOf(user), action: 'verify_factor_failed', subject, after: { kind } })
      // Not thrown, so that the challenge is used up and the failure counts.
      return undefined
    }
    await resetFailures(tx, attempt, state)
    await writeAudit(tx, { ...actorOf(user), action: 'verify_factor', subject, after: { kind } })
    return { result: await onRight(tx) }
  })
  if (!outcome) throw new Refusal('wrong_factor')
  return outcome.result
}
