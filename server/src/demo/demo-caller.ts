// A person of the demo as the caller of a service.

import { findUser, permissionsOf } from '../identity/accounts/index.ts'
import { type Caller, completeSessionFields } from '../http/caller.ts'
import type { Db } from '../postgres/db.ts'

export async function findDemoCaller(db: Db, username: string): Promise<Caller | undefined> {
  const user = await findUser(db, { username })
  if (!user) return undefined
  const { user_id, level, is_office, status } = user
  const ids = { actor_id: user_id, principal_id: user_id, session_id: 0 }
  return { ...ids, username, level, is_office, status, permissions: permissionsOf(user), ...completeSessionFields }
}
