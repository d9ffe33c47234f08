// Passwords that somebody else has chosen. This is the one place where the console sets passwords of users in a line: what
// such a password must be, and that it must be changed at the first log-in, belongs here.

import type { Tx } from '../../platform/db.ts'
import { hashPassword, runInHashQueue, writePasswordHash } from '../accounts/index.ts'
import { endAllSessions } from '../sessions/index.ts'

/** The hash of a one-time password, computed before the transaction, because it takes long. */
export function hashOneTimePassword(password: string): Promise<string> {
  return runInHashQueue('known', () => hashPassword(password))
}

/** Replaces a user's password; its sessions end, and no browser is known any more. */
export async function writeOneTimePassword(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await writePasswordHash(tx, user_id, password_hash)
  await endAllSessions(tx, user_id)
}
