// A signed-in user changes its own password. All its sessions end, the calling one included.

import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findUserAndVerify, hashPassword, lockUser, runInHashQueue, writePasswordHash } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import {
  endAllSessions,
  resetFailures,
  recordFailure,
  refuseThrottled,
  type PasswordAttempt,
  readThrottle,
} from '../sessions/index.ts'

export interface PasswordChange {
  old_password: string
  new_password: string
  confirm_password: string
}

/** @throws Refusal password_mismatch, wrong_old_password, log_in_paused after many wrong tries */
export async function changePassword(
  db: Db,
  { actor_id: user_id, username }: Caller,
  { old_password, new_password, confirm_password }: PasswordChange,
): Promise<void> {
  if (new_password !== confirm_password) throw new Refusal('password_mismatch')
  // A stolen session must not be usable to guess the password.
  const attempt: PasswordAttempt = { throttleKey: `password:${user_id}`, username, device: undefined }
  const subject = `user:${user_id}`
  await runInHashQueue('known', async () => {
    const state = await readThrottle(db, attempt)
    refuseThrottled(state, 0)
    const { user, isRight } = await findUserAndVerify(db, username, old_password)
    if (!isRight) {
      await db.transaction().execute(async (tx) => {
        await recordFailure(tx, attempt, state)
        await writeAudit(tx, { actor_id: user_id, action: 'change_password_failed', subject })
      })
      throw new Refusal('wrong_old_password')
    }
    const password_hash = await hashPassword(new_password)
    await db.transaction().execute(async (tx) => {
      // The password may have been reset by mail meanwhile: that one stays.
      if ((await lockUser(tx, user_id))?.password_hash !== user?.password_hash) throw new Refusal('wrong_old_password')
      await resetFailures(tx, attempt, state)
      await writePasswordHash(tx, user_id, password_hash)
      await endAllSessions(tx, user_id)
      await writeAudit(tx, { actor_id: user_id, action: 'change_password', subject })
    })
  })
}
