// Lists of sessions: the caller's own, those of its downline, and those of its staff.

import type { SessionListing } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getAccessibleUser, lockOfUser } from '../accounts/index.ts'
import type { SessionSettings } from '../../http/caller.ts'
import {
  listSessionsOfDownline,
  listSessionsOfStaff,
  listSessionsOfUser,
  type Page,
  type SessionRow,
} from './session-list.store.ts'
import { endLiveSession } from './sessions.store.ts'

/** The caller's own sessions, including ended ones. */
export async function listOwnSessions(db: Db, caller: Caller, page: Page): Promise<SessionListing[]> {
  return toListings(await listSessionsOfUser(db, caller.actor_id, page), caller)
}

/**
 * Live sessions of all users below the caller; for a single user also ended ones.
 * @throws Refusal not_found if the caller may not access the user
 */
export async function listDownlineSessions(
  db: Db,
  caller: Caller,
  user_id: number | undefined,
  page: Page,
  settings: SessionSettings,
): Promise<SessionListing[]> {
  if (user_id === undefined) return toListings(await listSessionsOfDownline(db, caller, page, settings), caller)
  const user = await getAccessibleUser(db, caller, user_id)
  if (user.is_office) throw new Refusal('not_allowed')
  return toListings(await listSessionsOfUser(db, user_id, page), caller)
}

/** Live sessions of the caller's assistants; for the office, of all office users and their assistants. */
export async function listStaffSessions(
  db: Db,
  caller: Caller,
  page: Page,
  settings: SessionSettings,
): Promise<SessionListing[]> {
  return toListings(await listSessionsOfStaff(db, caller, page, settings), caller)
}

function toListings(rows: readonly SessionRow[], { session_id }: Caller): SessionListing[] {
  return rows.map(({ started_at, last_active_at, factor_verified_at, ended_at, ...row }) => ({
    ...row,
    is_current: row.session_id === session_id,
    started_at: started_at.toISOString(),
    last_active_at: last_active_at.toISOString(),
    factor_verified_at: factor_verified_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }))
}

/**
 * Ends the sessions of a user below the caller, who may log in again. Sessions of staff: module `staff`.
 * @throws Refusal not_found, not_allowed (oneself, an office user)
 */
export const endDownlineSessions = defineChange({
  name: 'end_downline_sessions',
  action: 'end_sessions',
  needs: 'people.do',
  input: z.strictObject({ user_id: z.int() }),
  async find(db, { user_id }, caller) {
    const user = await getAccessibleUser(db, caller, user_id)
    if (user_id === caller.principal_id || user.is_office) throw new Refusal('not_allowed')
  },
  locks: ({ user_id }) => [lockOfUser(user_id)],
  load: async () => {},
  decide: (_state, { user_id }) => ({ plan: user_id, rows: [{ subject: `user:${user_id}` }] }),
  write: ({ tx }, user_id) => endLiveSession(tx, user_id, 'ended_by_staff'),
})
