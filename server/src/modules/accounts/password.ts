import argon2 from '@node-rs/argon2'

// Argon2id with the parameters OWASP gives as its first choice: 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return argon2.hash(password, options)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether a password matches a hash. For an unknown user the hash is null and the same work is done, so that the
 * response time does not reveal which users exist.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const isRight = await argon2.verify(passwordHash ?? (await dummyHash), password)
  return passwordHash !== null && isRight
}
