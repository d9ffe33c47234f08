// Encrypts the secrets of authenticator apps. The server needs a secret to compute its codes, so it cannot be hashed.
// Uses AES-256-GCM: a changed text, or another user's, cannot be decrypted.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
/** The first byte of a text: the format of the rest. */
const FORM = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** @returns the format, the initialisation vector, the authentication tag, and the encrypted secret */
export function encryptSecret(key: Buffer, user_id: number, secret: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(ownerOf(user_id))
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(FORM), iv, cipher.getAuthTag(), encrypted])
}

/** Null if the text was encrypted with another key or for another user, changed, or cut off. */
export function decryptSecret(key: Buffer, user_id: number, text: Buffer): Buffer | null {
  if (text[0] !== FORM || text.length < 1 + IV_BYTES + TAG_BYTES) return null
  const iv = text.subarray(1, 1 + IV_BYTES)
  const tag = text.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    .setAAD(ownerOf(user_id))
    .setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

function ownerOf(user_id: number): Buffer {
  return Buffer.from(`totp:${user_id}`)
}
