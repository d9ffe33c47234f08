// A signed-in user enters its password again. Failed attempts count per user, separately from log-ins, so that a stolen
// session cannot be used to guess it.

import type { RefusalCode } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findUserAndVerify, runInHashQueue } from '../accounts/index.ts'
import { actorOf, type AuditActor, writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import {
  type PasswordAttempt,
  readThrottle,
  recordFailure,
  refuseThrottled,
  resetFailures,
} from './password-throttle.service.ts'

export type PasswordHolder = AuditActor & Pick<Caller, 'username'>

export interface PasswordCheck {
  /** The audit action of a failed attempt: `change_password_failed`. */
  failure: `${string}_failed`
  /** The refusal of a wrong password. */
  refusal: RefusalCode
  /**
   * Called once the attempt is allowed, before the password is compared. If it throws, the attempt is refused and does
   * not count.
   */
  onCompare?: () => Promise<void>
}

/** A password that was right a moment ago. */
export interface VerifiedPassword {
  password_hash: string
  /** Resets the count of failed attempts, in the transaction for which the password was entered. */
  resetFailures: (tx: Tx) => Promise<void>
}

/**
 * Verifies the caller's password, and runs the work that requires it in the same task of the hash queue.
 * @throws Refusal log_in_paused after many wrong tries, the given one if the password is wrong, too_many_requests;
 * refusals of the caller's session after the wait
 */
export async function withOwnPassword<Result>(
  db: Db,
  caller: PasswordHolder,
  password: string,
  { failure, refusal, onCompare }: PasswordCheck,
  work: (verified: VerifiedPassword) => Promise<Result>,
): Promise<Result> {
  const { actor_id: user_id, username } = caller
  const attempt: PasswordAttempt = { throttleKey: `password:${user_id}`, username, device: undefined }
  // Before the queue, so that refused attempts take no place in it.
  refuseThrottled(await readThrottle(db, attempt), 0)
  // Per user, so that an assistant's attempts do not delay its principal.
  return runInHashQueue({ kind: 'signed_in', owner_id: user_id }, async () => {
    const state = await readThrottle(db, attempt)
    refuseThrottled(state, 0)
    await onCompare?.()
    const { user, isRight } = await findUserAndVerify(db, username, password)
    // Also after a wrong password, so that an ended session learns nothing about it.
    await verifyCaller(db, caller)
    if (!isRight || !user) {
      await db.transaction().execute(async (tx) => {
        await recordFailure(tx, attempt, state)
        await writeAudit(tx, { ...actorOf(caller), action: failure, subject: `user:${user_id}` })
      })
      throw new Refusal(refusal)
    }
    return work({ password_hash: user.password_hash, resetFailures: (tx) => resetFailures(tx, attempt, state) })
  })
}
