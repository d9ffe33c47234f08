// The list of sessions: the caller's own and those of everybody under it, each of which the caller can end.

import type { SessionListing } from '@megalot/contract'
import { type Caller, canAccess } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getAccessibleUser } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import type { SessionSettings } from './session-state.ts'
import { findSessionOwner, listSessionsBelow, listSessionsOf, type SessionRow } from './session-list.store.ts'
import { endSession } from './sessions.store.ts'

type Lister = Pick<Caller, 'user_id' | 'is_office' | 'session_id'>

/**
 * Live sessions of the caller, first, and of everybody under it; with a user those of this user, ended ones too.
 * @throws Refusal not_found: the caller may not access the user
 */
export async function listUserSessions(
  db: Db,
  caller: Lister,
  user_id: number | undefined,
  page: { limit: number; offset: number },
  settings: SessionSettings,
): Promise<SessionListing[]> {
  if (user_id !== undefined) await getAccessibleUser(db, caller, user_id)
  const rows =
    user_id === undefined
      ? await listSessionsBelow(db, caller, page, settings)
      : await listSessionsOf(db, user_id, page)
  return rows.map((row) => toListing(row, caller))
}

function toListing(
  { started_at, last_active_at, factor_verified_at, ended_at, ...row }: SessionRow,
  { session_id }: Lister,
): SessionListing {
  return {
    ...row,
    is_current: row.session_id === session_id,
    started_at: started_at.toISOString(),
    last_active_at: last_active_at.toISOString(),
    factor_verified_at: factor_verified_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}

/**
 * Ends a session of the caller or of somebody under it. Ending one that has ended changes nothing.
 * @throws Refusal not_found: no such session, or the caller may not access its user
 */
export async function endUserSession(db: Db, caller: Lister, session_id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const owner = await findSessionOwner(tx, session_id)
    if (!owner || !canAccess(caller, owner)) throw new Refusal('not_found')
    if (!(await endSession(tx, session_id, 'ended'))) return
    await writeAudit(tx, {
      actor_id: caller.user_id,
      action: 'end_session',
      subject: `user:${owner.user_id}`,
      after: { session_id },
    })
  })
}
