// Passwords that an upline or the office gives to a user: each is valid for one log-in, to set an own one.

import type { Tx } from '../../platform/db.ts'
import { hashPassword, runInHashQueue, writePasswordHash } from '../accounts/index.ts'
import { endAllSessions } from '../sessions/index.ts'

/** The hash of a one-time password, computed before the transaction, because it takes long. */
export function hashOneTimePassword(password: string): Promise<string> {
  return runInHashQueue('known', () => hashPassword(password))
}

/**
 * Replaces a user's password by a one-time password. The user's sessions end, and its second factors stay. The caller has
 * locked the user, decides who may do this and whether the password is strong enough (`findPasswordWeakness`), and writes
 * the audit row. Never for office users: whoever sets a colleague's password could act as the second person.
 */
export async function setOneTimePassword(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await writePasswordHash(tx, user_id, password_hash, true)
  await endAllSessions(tx, user_id)
}
