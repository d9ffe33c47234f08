// Saved views of the console's lists. A view of one's own is no change of the house; a shared one is, and is on record.

import * as contract from '@megalot/contract'
import type { SavedView } from '@megalot/contract'
import { defineChange } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import { lockOfUser } from '../accounts/index.ts'
import { findView, readViews, type SavedSearch, upsertView } from './saved-views.store.ts'

/** How many views a user keeps. */
const MAX_VIEWS = 100

/** The caller's views of a page first, then those shared with the caller. */
export async function listViews(db: Db, caller: Caller, page: string): Promise<SavedView[]> {
  return readViews(db, caller, page)
}

/**
 * Saves a view for the caller alone. A shared view of the same name is no longer shared.
 * @throws Refusal too_many_kept
 */
export async function saveView(db: Db, { actor_id }: Caller, view: SavedSearch): Promise<null> {
  if (!(await upsertView(db, actor_id, view, false, MAX_VIEWS))) throw new Refusal('too_many_kept', { most: MAX_VIEWS })
  return null
}

/**
 * Saves a view, and shares it.
 * @throws Refusal too_many_kept
 */
export const shareView = defineChange({
  name: 'share_view',
  // Everybody in the console has views of its own.
  needs: null,
  input: contract.shareView.body,
  find: async (_db, _input, caller) => caller.actor_id,
  locks: (_input, user_id) => [lockOfUser(user_id)],
  load: async ({ tx }, input, user_id) => ({ user_id, before: await findView(tx, user_id, input) }),
  decide({ user_id, before }, { page, name, search }) {
    const after = { page, name, search, is_shared: true }
    return {
      plan: { user_id, view: { page, name, search } },
      rows: [{ subject: `user:${user_id}`, ...(before && { before: { page, name, ...before } }), after }],
    }
  },
  async write({ tx }, { user_id, view }) {
    if (!(await upsertView(tx, user_id, view, true, MAX_VIEWS))) throw new Refusal('too_many_kept', { most: MAX_VIEWS })
  },
})
