// Who acts on the command line: a user signs in with name and password, as on the screen.

import { findUserAndVerify, permissionsOf } from '../modules/accounts/index.ts'
import { writeAudit } from '../modules/audit/index.ts'
import type { Caller } from '../platform/caller.ts'
import type { Db } from '../platform/db.ts'

/** The user behind a name and password. @throws Error with a sentence for the terminal */
export async function signIn(db: Db, name: string, password: string): Promise<Caller> {
  const { user, isRight } = await findUserAndVerify(db, name, password)
  if (!user || !isRight) {
    const subject = `user:${user?.user_id ?? 'unknown'}`
    await writeAudit(db, { actor_id: null, action: 'log_in_failed', subject })
    throw new Error('Wrong username or password')
  }
  if (user.status === 'SUSPENDED') throw new Error(`${name} is suspended`)
  const { user_id, username, level, is_office, status } = user
  const ids = { actor_id: user_id, principal_id: user.principal_id ?? user_id }
  // The command line has no session, and no route of it needs one.
  return { ...ids, session_id: 0, username, level, is_office, status, permissions: permissionsOf(user) }
}
