// Passkeys (Web Authentication), verified by @simplewebauthn/server. Returns undefined for a response that cannot be
// verified; the reason does not leave the server.

import { hash, randomBytes } from 'node:crypto'
import type { NewPasskey, PasskeyAssertion, PasskeyCreation, PasskeyRequest } from '@megalot/contract'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Caller } from '../../http/caller.ts'
import { type FactorSettings, relyingPartyOf } from './factor-settings.ts'
import type { PasskeyRecord } from './second-factor.store.ts'

/** How long a browser may ask its user, in ms; the same as a challenge's validity. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000

/** COSE: EdDSA, ECDSA with P-256, RSASSA-PKCS1-v1_5 with SHA-256. */
const ALGORITHMS = [-8, -7, -257]

export function makePasskeyChallenge(): Buffer {
  return randomBytes(32)
}

/** The user id that authenticators store; it reveals nothing about the user. */
function userHandleOf(user_id: number): string {
  return hash('sha256', `passkey-user:${user_id}`, 'base64url')
}

function describeCredentials(passkeys: readonly PasskeyRecord[]) {
  return passkeys.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key' as const,
    transports,
  }))
}

export function describeCreation(
  { actor_id, username }: Pick<Caller, 'actor_id' | 'username'>,
  challenge: Buffer,
  existing: readonly PasskeyRecord[],
  settings: FactorSettings,
): PasskeyCreation {
  return {
    rp: { name: 'megalot', id: relyingPartyOf(settings).id },
    user: { id: userHandleOf(actor_id), name: username, displayName: username },
    challenge: challenge.toString('base64url'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: PASSKEY_CHALLENGE_MS,
    excludeCredentials: describeCredentials(existing),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
    attestation: 'none',
  }
}

export function describeRequest(
  challenge: Buffer,
  passkeys: readonly PasskeyRecord[],
  settings: FactorSettings,
): PasskeyRequest {
  return {
    challenge: challenge.toString('base64url'),
    timeout: PASSKEY_CHALLENGE_MS,
    rpId: relyingPartyOf(settings).id,
    allowCredentials: describeCredentials(passkeys),
    userVerification: 'required',
  }
}

/** The passkey created for a challenge; undefined if the response does not match. */
export async function readNewPasskey(
  passkey: NewPasskey,
  challenge: Buffer,
  settings: FactorSettings,
): Promise<Omit<PasskeyRecord, 'factor_id'> | undefined> {
  const { id, origin } = relyingPartyOf(settings)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: passkey as RegistrationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    // The id in the response is not signed, so it must equal the one in the authenticator's data.
    if (!verified || registrationInfo.credential.id !== passkey.id) return undefined
    return {
      credential_id: Buffer.from(registrationInfo.credential.id, 'base64url'),
      public_key: Buffer.from(registrationInfo.credential.publicKey),
      transports: passkey.response.transports ?? [],
      sign_count: registrationInfo.credential.counter,
    }
  } catch {
    return undefined
  }
}

/**
 * Whether a response proves possession of a passkey for a challenge, with the user verified by the authenticator.
 * @returns the authenticator's use count; undefined if it does not
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  user_id: number,
  passkey: PasskeyRecord,
  challenge: Buffer,
  settings: FactorSettings,
): Promise<{ sign_count: number } | undefined> {
  const { id, origin } = relyingPartyOf(settings)
  const { userHandle } = assertion.response
  if (userHandle !== undefined && userHandle !== userHandleOf(user_id)) return undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.sign_count,
      },
    })
    return verified ? { sign_count: authenticationInfo.newCounter } : undefined
  } catch {
    return undefined
  }
}
