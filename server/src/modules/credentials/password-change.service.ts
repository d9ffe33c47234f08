// A signed-in user changes its own password. All its sessions end with it, the one that asked too.

import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findUserAndVerify, hashPassword, lockUser, takeHashTurn, writePasswordHash } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { endAllSessions, forgetFailures, noteFailure, refuseEarly, type Tried, weighTry } from '../sessions/index.ts'

export interface PasswordChange {
  old_password: string
  new_password: string
  confirm_password: string
}

/** @throws Refusal password_mismatch, wrong_old_password, log_in_paused after many wrong tries */
export async function changePassword(
  db: Db,
  { user_id, username }: Caller,
  { old_password, new_password, confirm_password }: PasswordChange,
): Promise<void> {
  if (new_password !== confirm_password) throw new Refusal('password_mismatch')
  // Whoever holds a stolen session must not find out the password with it.
  const tried: Tried = { subject: `password:${user_id}`, username, device: undefined }
  const subject = `user:${user_id}`
  await takeHashTurn('known', async () => {
    const state = await weighTry(db, tried)
    refuseEarly(state, 0)
    const { user, isRight } = await findUserAndVerify(db, username, old_password)
    if (!isRight) {
      await db.transaction().execute(async (tx) => {
        await noteFailure(tx, tried, state)
        await writeAudit(tx, { actor_id: user_id, action: 'change_password_failed', subject })
      })
      throw new Refusal('wrong_old_password')
    }
    const password_hash = await hashPassword(new_password)
    await db.transaction().execute(async (tx) => {
      // It may have been changed meanwhile, by somebody who came back by mail: theirs stays.
      if ((await lockUser(tx, user_id))?.password_hash !== user?.password_hash) throw new Refusal('wrong_old_password')
      await forgetFailures(tx, tried, state)
      await writePasswordHash(tx, user_id, password_hash)
      await endAllSessions(tx, user_id)
      await writeAudit(tx, { actor_id: user_id, action: 'change_password', subject })
    })
  })
}
