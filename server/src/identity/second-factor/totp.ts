// Codes of authenticator apps (RFC 6238): six digits, SHA-1, 30 seconds, which every app supports.

import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'megalot'
/** 160 bits, the length of SHA-1. */
const SECRET_BYTES = 20
const PERIOD_S = 30
/** How many time steps an app's clock may be ahead or behind. */
const WINDOW = 1

export function makeTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

function totpOf(secret: Buffer, username: string): TOTP {
  const bytes = Uint8Array.from(secret)
  return new TOTP({
    issuer: ISSUER,
    label: username,
    secret: new Secret({ buffer: bytes.buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  })
}

/** The secret for an app: in base32, and as the content of a QR code. */
export function describeTotp(secret: Buffer, username: string): { secret: string; otpauth_url: string } {
  const totp = totpOf(secret, username)
  return { secret: totp.secret.base32, otpauth_url: totp.toString() }
}

/**
 * The time step of a code.
 * @param now the database's clock
 * @returns undefined if no nearby step has the code
 */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | undefined {
  const totp = totpOf(secret, '')
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
