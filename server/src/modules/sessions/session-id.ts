import { hash, randomBytes } from 'node:crypto'

/** A new session id, of 256 random bits. */
export function makeSessionId(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a session id. It has 256 random bits, so one round of SHA-256 is as safe as a slow hash. */
export function hashSessionId(sessionId: string): Buffer {
  return hash('sha256', sessionId, 'buffer')
}
