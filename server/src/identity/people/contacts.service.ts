// How the members of an agent reach it, and how uplines reach the users below them.

import { isDeepStrictEqual } from 'node:util'
import * as contract from '@megalot/contract'
import type { AgentContact, ContactNote } from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange } from '../../changes/index.ts'
import type { Caller } from '../../http/caller.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../postgres/db.ts'
import { findUser, getAccessibleUser, getCompanyId, lockOfUser } from '../accounts/index.ts'
import { findContact, findContactNote, saveContact, saveContactNote } from './contacts.store.ts'

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

const noteFields = ['phone', 'line_id', 'note', 'tags'] as const

/**
 * Sets what uplines keep about a user. The log has only which fields changed, because the user may read its own log.
 * @throws Refusal not_found; not_allowed (the caller itself, the company, an office user)
 */
export const changeContactNote = defineChange({
  name: 'change_contact_note',
  needs: 'people.do',
  input: z.extend(contract.changeContactNote.body, { user_id: z.int() }),
  async find(db, { user_id }, caller) {
    const { is_office, parent_id } = await getAccessibleUser(db, caller, user_id)
    if (is_office || parent_id === null || user_id === caller.principal_id) throw new Refusal('not_allowed')
  },
  locks: ({ user_id }) => [lockOfUser(user_id)],
  load: ({ tx }, { user_id }) => findContactNote(tx, user_id),
  decide(before, { user_id, phone = null, line_id = null, note = '', tags = [] }) {
    const after: ContactNote = { phone, line_id, note: note.trim(), tags: [...new Set(tags)] }
    const fields = noteFields.filter((name) => !isDeepStrictEqual(before[name], after[name]))
    return { plan: { user_id, after }, rows: [{ subject: `user:${user_id}`, after: { fields } }] }
  },
  async write({ tx }, { user_id, after }) {
    await saveContactNote(tx, user_id, after)
    return { outcome: after }
  },
})
