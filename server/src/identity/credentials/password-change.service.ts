// A signed-in user changes its own password. All its sessions end, and the calling one continues under a new token, so
// that a stolen token becomes useless. Only the calling browser stays known.

import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { hashPassword, lockUser, normalizePassword, refuseWeakPassword, writePasswordHash } from '../accounts/index.ts'
import { actorOf, writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { continueSession, endAllSessions, rememberDevice, withOwnPassword } from '../sessions/index.ts'
import { endRecoveriesOf } from './recovery.store.ts'

export interface PasswordChange {
  old_password: string
  new_password: string
  confirm_password: string
  /** The token of an earlier log-in on the same browser. */
  device: string | undefined
}

/**
 * @returns the calling session's new token, and the token that identifies the browser at the next log-in
 * @throws Refusal password_mismatch, weak_password, common_password; wrong_old_password, log_in_paused after many wrong
 * tries; same_password if someone else had chosen the old one
 */
export async function changePassword(
  db: Db,
  caller: Caller,
  { old_password, new_password, confirm_password, device }: PasswordChange,
): Promise<{ sessionToken: string; device: string }> {
  if (normalizePassword(new_password) !== normalizePassword(confirm_password)) throw new Refusal('password_mismatch')
  refuseWeakPassword(caller, new_password)
  const { actor_id: user_id } = caller
  const check = { failure: 'change_password_failed', refusal: 'wrong_old_password' } as const
  return withOwnPassword(db, caller, old_password, check, async (verified) => {
    // A one-time password that stays would be known to two people.
    if (
      caller.pending_steps.includes('new_password') &&
      normalizePassword(new_password) === normalizePassword(old_password)
    )
      throw new Refusal('same_password')
    const password_hash = await hashPassword(new_password)
    return db.transaction().execute(async (tx) => {
      // The password may have been reset by mail meanwhile; then that one stays.
      if ((await lockUser(tx, user_id))?.password_hash !== verified.password_hash)
        throw new Refusal('wrong_old_password')
      // After the waits for the hash and for the user's lock.
      await verifyCaller(tx, caller)
      await verified.resetFailures(tx)
      await writePasswordHash(tx, user_id, password_hash)
      await endRecoveriesOf(tx, user_id)
      await endAllSessions(tx, user_id)
      const sessionToken = await continueSession(tx, caller.session_id)
      await writeAudit(tx, { ...actorOf(caller), action: 'change_password', subject: `user:${user_id}` })
      return { sessionToken, device: await rememberDevice(tx, user_id, device) }
    })
  })
}
