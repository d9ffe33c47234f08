// Passwords that an upline or the office gives to a user, valid for one log-in, to set a new one.

import type { AuditRow, Halves } from '../../changes/index.ts'
import type { Tx } from '../../postgres/db.ts'
import {
  hashFirstHalf,
  hashForOther,
  hashSecondHalf,
  makePasswordHalf,
  type SplitPassword,
  writePasswordHash,
  writeSplitPassword,
} from '../accounts/index.ts'
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

/** The halves of a one-time password for an office user. */
export const passwordHalves: Halves<SplitPassword | undefined> = {
  makeFirst() {
    const half = makePasswordHalf()
    return { half, hash: hashFirstHalf(half) }
  },
  async makeSecond(approver, first_half_hash) {
    const half = makePasswordHalf()
    return { half, ready: { first_half_hash, password_hash: await hashForOther(approver, half, hashSecondHalf) } }
  },
}

/**
 * Replaces an office user's password by a one-time password of which two people know one half each. The user's sessions
 * end. The caller ensures that two people agree, neither of them the user, and suspends the user's assistants.
 * @returns the audit row
 */
export async function givePassword(tx: Tx, user_id: number, password: SplitPassword): Promise<AuditRow> {
  await writeSplitPassword(tx, user_id, password)
  await endAllSessions(tx, user_id)
  return { action: 'set_one_time_password', subject: `user:${user_id}` }
}
