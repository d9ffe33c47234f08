import { hash, randomBytes } from 'node:crypto'

/** A new session token, of 256 random bits. */
export function makeSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a session token. It has 256 random bits, so one round of SHA-256 is as safe as a slow hash. */
export function hashSessionToken(sessionToken: string): Buffer {
  return hash('sha256', sessionToken, 'buffer')
}
