// Recovery codes, each usable once in place of a second factor. 140 random bits as 28 letters and digits without
// look-alikes (base32).

import { hash, randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 28

/** `ABCD-EFGH-…`, seven groups. */
export function makeRecoveryCode(): string {
  // The alphabet has 32 characters, so each is equally likely.
  const text = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return text.replaceAll(/(.{4})(?!$)/g, '$1-')
}

/**
 * The stored form of a code. Case, spaces and hyphens are ignored. With more than 112 random bits, one round of SHA-256
 * is enough.
 */
export function hashRecoveryCode(user_id: number, code: string): Buffer {
  const text = code.toUpperCase().replaceAll(/[ -]/g, '')
  return hash('sha256', `recovery:${user_id}:${text}`, 'buffer')
}
