// How the members of an agent reach it.

import * as contract from '@megalot/contract'
import type { AgentContact } from '@megalot/contract'
import { defineChange } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { findUser, getCompanyId, lockOfUser } from '../accounts/index.ts'
import { findContact, saveContact } from './contacts.store.ts'

/** The contact of a member's agent; null where it has set none. */
export async function getContactOfParent(db: Db, { actor_id }: Pick<Caller, 'actor_id'>): Promise<AgentContact | null> {
  const parent_id = (await findUser(db, { user_id: actor_id }))!.upline_ids.at(-1)!
  return (await findContact(db, parent_id)) ?? null
}

/** Sets the contact of the caller's principal, or of the company for the office. */
export const changeContact = defineChange({
  name: 'change_contact',
  needs: 'people.do',
  input: contract.changeContact.body,
  find: async (db, _input, caller) => (caller.is_office ? getCompanyId(db) : caller.principal_id),
  locks: (_input, user_id) => [lockOfUser(user_id)],
  load: async ({ tx }, _input, user_id) => ({ user_id, before: await findContact(tx, user_id) }),
  decide({ user_id, before }, { name, line_id = null, phone = null }) {
    const after: AgentContact = { name, line_id, phone }
    return { plan: { user_id, after }, rows: [{ subject: `user:${user_id}`, ...(before && { before }), after }] }
  },
  async write({ tx }, { user_id, after }) {
    await saveContact(tx, user_id, after)
    return { outcome: after }
  },
})
