import argon2 from '@node-rs/argon2'
import type { Caller } from '../../http/caller.ts'
import { runInHashQueue } from './hash-queue.ts'

// Argon2id with OWASP's first-choice parameters: 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Normalises Unicode, so that different encodings of the same characters are equal. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/**
 * Takes tens of ms of CPU, so calls by unauthenticated clients use `hash-queue.ts`.
 * @returns the hash with its salt and parameters
 */
export function hashPassword(password: string): Promise<string> {
  return argon2.hash(normalizePassword(password), options)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether a password matches a hash. For an unknown user the hash is null and the same work is done, so that response
 * times do not reveal which users exist.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const isRight = await argon2.verify(passwordHash ?? (await dummyHash), normalizePassword(password))
  return passwordHash !== null && isRight
}

/**
 * Hashes a password given to another user, in a change's `prepare`.
 * @throws Refusal too_many_requests
 */
export function hashForOther(
  { principal_id }: Pick<Caller, 'principal_id'>,
  password: string,
  makeHash = hashPassword,
): Promise<string> {
  return runInHashQueue({ kind: 'signed_in', owner_id: principal_id }, () => makeHash(password))
}
