// A one-time password in two halves. Two people get one each, so neither alone can log in as the user. The first half
// is stored as a SHA-256 hash, because it is made before the second and has 79 random bits; the second half like any
// password. The user enters both, in either order, with or without hyphens.

import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { hashPassword, normalizePassword } from './password.ts'

/** Letters and digits that are not confused when read aloud. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const HALF_LENGTH = 16

/** The stored form of a split password. */
export interface SplitPassword {
  first_half_hash: Buffer
  /** Of the second half. */
  password_hash: string
}

/** A random half, as `k7mq-…`: 16 of 31 letters are 79 random bits. */
export function makePasswordHalf(): string {
  const letters = Array.from({ length: HALF_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

export function hashFirstHalf(half: string): Buffer {
  return hash('sha256', readLetters(half), 'buffer')
}

/** Slow, so run it in the hash queue, before the transaction. */
export function hashSecondHalf(half: string): Promise<string> {
  return hashPassword(readLetters(half))
}

/**
 * The second half of a user's input, if the rest of it is the first half; otherwise undefined.
 * @param first_half_hash from `hashFirstHalf`
 */
export function findSecondHalf(entered: string, first_half_hash: Buffer): string | undefined {
  const letters = readLetters(entered)
  if (letters.length !== 2 * HALF_LENGTH) return undefined
  const halves = [letters.slice(0, HALF_LENGTH), letters.slice(HALF_LENGTH)] as const
  const at = halves.findIndex((half) => timingSafeEqual(hashFirstHalf(half), first_half_hash))
  return at === -1 ? undefined : halves[1 - at]
}

function readLetters(entered: string): string {
  return normalizePassword(entered)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
