// Passwords that an upline or the office gives to a user, valid for one log-in, to set a new one.

import type { Db, Tx } from '../../postgres/db.ts'
import {
  hashFirstHalf,
  hashGivenPassword,
  hashSecondHalf,
  makePasswordHalf,
  type PasswordGiver,
  type SplitPassword,
  writePasswordHash,
  writeSplitPassword,
} from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { endAllSessions } from '../sessions/index.ts'
import { endRecoveriesOf } from './recovery.store.ts'

/**
 * Replaces a user's password by a one-time password. The user's sessions end; its second factors stay. The caller must
 * have locked the user, checked permission and password strength (`findPasswordWeakness`), suspend the user's
 * assistants (`suspendAssistants` of staff), and write the audit rows. Never for office users: whoever sets a
 * colleague's password could act as the second person (`givePassword`).
 */
export async function setOneTimePassword(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await writePasswordHash(tx, user_id, password_hash, true)
  await endRecoveriesOf(tx, user_id)
  await endAllSessions(tx, user_id)
}

/** Half of a one-time password, and its stored form. */
export interface PasswordHalf<Hash> {
  half: string
  hash: Hash
}

/** The half of the person who proposes a one-time password. */
export function makeFirstHalf(): PasswordHalf<Buffer> {
  const half = makePasswordHalf()
  return { half, hash: hashFirstHalf(half) }
}

/** The half of the person who approves it, and that person as it is after the wait (`hashGivenPassword`). */
export async function makeSecondHalf<Giver extends PasswordGiver>(
  db: Db,
  approver: Giver,
): Promise<PasswordHalf<string> & { actor: Giver }> {
  const half = makePasswordHalf()
  return { half, ...(await hashGivenPassword(db, approver, half, hashSecondHalf)) }
}

/**
 * Replaces an office user's password by a one-time password of which two people know one half each. The user's sessions
 * end. The caller ensures that two people agree, neither of them the user, and suspends the user's assistants.
 */
export async function givePassword(
  tx: Tx,
  user_id: number,
  password: SplitPassword,
  { actor_id, reason }: { actor_id: number; reason: string },
): Promise<void> {
  await writeSplitPassword(tx, user_id, password)
  await endAllSessions(tx, user_id)
  await writeAudit(tx, { actor_id, action: 'set_one_time_password', subject: `user:${user_id}`, reason })
}
