// An upline or the office gives a user a one-time password: it is valid for one log-in, to set an own one.

import type { Actor } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  findUser,
  getAccessibleUser,
  hashPassword,
  lockUser,
  refuseWeakPassword,
  runInHashQueue,
  writePasswordHash,
} from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { endAllSessions } from '../sessions/index.ts'

/**
 * Sets a one-time password. The user's sessions end, and its second factors stay.
 * @throws Refusal not_found (not in the actor's downline); not_allowed for oneself, the company, and for office users:
 * whoever sets a colleague's password could act as the second person; weak_password, common_password
 */
export async function setOneTimePassword(
  db: Db,
  actor: Actor,
  user_id: number,
  password: string,
  reason: string,
): Promise<void> {
  const target = await getAccessibleUser(db, actor, user_id)
  if (user_id === actor.principal_id || target.is_office || target.parent_id === null) throw new Refusal('not_allowed')
  const user = await findUser(db, { user_id })
  if (!user) throw new Refusal('not_found')
  refuseWeakPassword(user, password)
  const password_hash = await runInHashQueue('known', () => hashPassword(password))
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    await writePasswordHash(tx, user_id, password_hash, true)
    await endAllSessions(tx, user_id)
    await writeAudit(tx, {
      actor_id: actor.actor_id,
      action: 'set_one_time_password',
      subject: `user:${user_id}`,
      reason,
    })
  })
}
