// Passwords that an upline or the office gives to a user: each is valid for one log-in, to set an own one.

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
 * Replaces a user's password by a one-time password. The user's sessions end, and its second factors stay. The caller has
 * locked the user, decides who may do this and whether the password is strong enough (`findPasswordWeakness`), suspends the assistants of
 * the user (`suspendAssistants` of staff), and writes the audit rows. Never for office users: whoever sets a colleague's password could act as the second person (`givePassword`).
 */
export async function setOneTimePassword(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  await writePasswordHash(tx, user_id, password_hash, true)
  await endRecoveriesOf(tx, user_id)
  await endAllSessions(tx, user_id)
}

/** A half of a one-time password, and what is stored of it. */
export interface PasswordHalf<Hash> {
  half: string
  hash: Hash
}

/** The half of the person who proposes that a user gets a one-time password. */
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
 * Replaces an office user's password by a one-time password of which two people know a half each. The user's sessions end.
 * The caller makes sure that two people agree, neither of them the user, and suspends the assistants of the user.
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
