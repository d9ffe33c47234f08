// Enrolling second factors, in two steps: a challenge for the session, and its answer. Requires the password again and,
// if the user has a factor, one that was recently verified (`step_up` of the contract's rows).

import { type Factor, type NewPasskey, type PasskeyCreation, RECOVERY_CODES } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import { type Db, readClock, type Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockUser } from '../accounts/index.ts'
import { actorOf, writeAudit } from '../../changes/audit/index.ts'
import { type PasswordHolder, recordVerifiedFactor, withOwnPassword } from '../sessions/index.ts'
import type { FactorSettings } from './factor-settings.ts'
import { describeCreation, makePasskeyChallenge, PASSKEY_CHALLENGE_MS, readNewPasskey } from './passkey.ts'
import { hashRecoveryCode, makeRecoveryCode } from './recovery-code.ts'
import {
  countRecoveryCodes,
  type FactorRecord,
  findChallenge,
  insertPasskey,
  insertTotp,
  listFactorRecords,
  listPasskeys,
  replaceRecoveryCodes,
  saveChallenge,
  takeChallenge,
} from './second-factor.store.ts'
import { decryptSecret, encryptSecret } from './secret-cipher.ts'
import { describeTotp, findTotpStep, makeTotpSecret } from './totp.ts'

/** How long a user may take to enter a secret into an app, in ms. */
const TOTP_ENROLMENT_MS = 10 * 60_000
/** More factors would only hide one that an attacker added. */
const MAX_FACTORS = 10

export interface Enrolment {
  factor: Factor
  /** Shown once; null if the user already has recovery codes. */
  recovery_codes: string[] | null
}

export interface Enrolled {
  enrolment: Enrolment
  /** The session's new id, if it was not verified before; null if it keeps its id. */
  sessionToken: string | null
}

/**
 * Prevents a stolen session from gaining lasting access.
 * @throws Refusal wrong_password, log_in_paused
 */
export async function verifyOwnPassword(
  db: Db,
  caller: PasswordHolder,
  password: string,
  failure: 'enrol_factor_failed' | 'renew_recovery_codes_failed' = 'enrol_factor_failed',
): Promise<void> {
  const check = { failure, refusal: 'wrong_password' } as const
  await withOwnPassword(db, caller, password, check, ({ resetFailures }) => db.transaction().execute(resetFailures))
}

/** @throws Refusal wrong_password, log_in_paused */
export async function startPasskey(
  db: Db,
  caller: Caller,
  password: string,
  settings: FactorSettings,
): Promise<PasskeyCreation> {
  await verifyOwnPassword(db, caller, password)
  const challenge = makePasskeyChallenge()
  await saveChallenge(db, caller.session_id, 'enrol_passkey', challenge, PASSKEY_CHALLENGE_MS)
  return describeCreation(caller, challenge, await listPasskeys(db, caller.actor_id), settings)
}

/** @throws Refusal enrolment_failed; factor_exists, too_many_factors */
export async function enrolPasskey(
  db: Db,
  caller: Caller,
  name: string,
  passkey: NewPasskey,
  settings: FactorSettings,
): Promise<Enrolled> {
  const enrolled = await db.transaction().execute(async (tx) => {
    await lockForEnrolment(tx, caller)
    const challenge = await takeChallenge(tx, caller.session_id, 'enrol_passkey')
    const record = challenge && (await readNewPasskey(passkey, challenge, settings))
    // Not thrown, so that the challenge is used up.
    if (!record) return 'enrolment_failed'
    const factor = await insertPasskey(tx, caller.actor_id, name, record)
    return factor ? finishEnrolment(tx, caller, factor) : 'factor_exists'
  })
  if (typeof enrolled === 'string') throw new Refusal(enrolled)
  return enrolled
}

/** @throws Refusal totp_not_available, wrong_password, log_in_paused */
export async function startTotp(
  db: Db,
  caller: Caller,
  password: string,
  { factorKey }: FactorSettings,
): Promise<{ secret: string; otpauth_url: string }> {
  if (!factorKey) throw new Refusal('totp_not_available')
  await verifyOwnPassword(db, caller, password)
  const secret = makeTotpSecret()
  const content = encryptSecret(factorKey, caller.actor_id, secret)
  await saveChallenge(db, caller.session_id, 'enrol_totp', content, TOTP_ENROLMENT_MS)
  return describeTotp(secret, caller.username)
}

/**
 * @throws Refusal totp_not_available, enrolment_failed; wrong_factor, after which another code can be tried;
 * too_many_factors
 */
export async function enrolTotp(
  db: Db,
  caller: Caller,
  name: string,
  code: string,
  { factorKey }: FactorSettings,
): Promise<Enrolled> {
  if (!factorKey) throw new Refusal('totp_not_available')
  return db.transaction().execute(async (tx) => {
    await lockForEnrolment(tx, caller)
    const content = await findChallenge(tx, caller.session_id, 'enrol_totp')
    if (!content) throw new Refusal('enrolment_failed')
    const secret = decryptSecret(factorKey, caller.actor_id, content)
    if (!secret) throw new Refusal('enrolment_failed')
    const last_step = findTotpStep(secret, code, await readClock(tx))
    if (last_step === undefined) throw new Refusal('wrong_factor')
    await takeChallenge(tx, caller.session_id, 'enrol_totp')
    const factor = await insertTotp(tx, caller.actor_id, name, { secret: content, last_step })
    return finishEnrolment(tx, caller, factor)
  })
}

/**
 * Serialises the enrolment of a user's factors.
 * @throws Refusal too_many_factors
 */
async function lockForEnrolment(tx: Tx, { actor_id: user_id }: Caller): Promise<void> {
  await lockUser(tx, user_id)
  if ((await listFactorRecords(tx, user_id)).length >= MAX_FACTORS) throw new Refusal('too_many_factors')
}

async function finishEnrolment(tx: Tx, caller: Caller, record: FactorRecord): Promise<Enrolled> {
  const { actor_id: user_id, session_id } = caller
  const sessionToken = await recordVerifiedFactor(tx, session_id)
  const { factor_id, kind, name } = record
  await writeAudit(tx, {
    ...actorOf(caller),
    action: 'enrol_factor',
    subject: `user:${user_id}`,
    after: { factor_id, kind, name },
  })
  const isFirst = (await countRecoveryCodes(tx, user_id)) === 0
  const recovery_codes = isFirst ? await makeRecoveryCodes(tx, user_id) : null
  return { enrolment: { factor: toFactor(record), recovery_codes }, sessionToken }
}

/**
 * Replaces a user's recovery codes.
 * @returns the new ones, of which only hashes are stored
 */
export async function makeRecoveryCodes(tx: Tx, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode)
  await replaceRecoveryCodes(
    tx,
    user_id,
    codes.map((code) => hashRecoveryCode(user_id, code)),
  )
  return codes
}

export function toFactor({ created_at, last_used_at, ...factor }: FactorRecord): Factor {
  return { ...factor, created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null }
}
