import argon2 from '@node-rs/argon2'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { runInHashQueue } from './hash-queue.ts'

// Argon2id with the parameters OWASP gives as its first choice: 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The characters of a password that count: one typed as another form of the same characters is the same. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC')
}

/** Takes tens of ms of a processor: whoever answers strangers hashes in `hash-queue.ts`. @returns the hash with its salt and parameters */
export function hashPassword(password: string): Promise<string> {
  return argon2.hash(normalizePassword(password), options)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether a password matches a hash. For an unknown user the hash is null and the same work is done, so that the
 * response time does not reveal which users exist.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const isRight = await argon2.verify(passwordHash ?? (await dummyHash), normalizePassword(password))
  return passwordHash !== null && isRight
}

/** Who gives a password to another user. */
export type PasswordGiver = Pick<Caller, 'principal_id' | 'admission'>

/**
 * The hash of a password that somebody gives to another user, for `prepare` of a change.
 * @throws Refusal too_many_requests
 */
export function hashForOther({ principal_id }: Pick<Caller, 'principal_id'>, password: string): Promise<string> {
  return runInHashQueue({ kind: 'signed_in', owner_id: principal_id }, () => hashPassword(password))
}

/**
 * The hash of a password that an actor gives to another user, computed before the transaction, because it takes long. The
 * caller has refused before what it can refuse without the hash.
 * @param makeHash absent: hashes the password as it is
 * @returns the hash, and the actor as it is after the wait: from here on it takes the place of the given one
 * @throws Refusal too_many_requests; what the actor's call would be refused with after the wait
 */
export async function hashGivenPassword<Giver extends PasswordGiver>(
  db: Db,
  actor: Giver,
  password: string,
  makeHash = hashPassword,
): Promise<{ hash: string; actor: Giver }> {
  const hash = await runInHashQueue({ kind: 'signed_in', owner_id: actor.principal_id }, () => makeHash(password))
  return { hash, actor: await verifyCaller(db, actor) }
}
