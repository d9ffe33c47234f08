// How the members of an agent reach it.

import type { AgentContact } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { findUser, getCompanyId, lockUser } from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { findContact, saveContact } from './contacts.store.ts'
import type { PeopleActor } from './new-person.service.ts'

/** The contact of a member's agent; null where it has set none. */
export async function getContactOfParent(db: Db, { actor_id }: Pick<Caller, 'actor_id'>): Promise<AgentContact | null> {
  const parent_id = (await findUser(db, { user_id: actor_id }))!.upline_ids.at(-1)!
  return (await findContact(db, parent_id)) ?? null
}

/** Sets the contact of the actor's principal, or of the company for the office. */
export async function changeContact(
  db: Db,
  actor: PeopleActor,
  { name, line_id, phone }: { name: string; line_id?: string | undefined; phone?: string | undefined },
): Promise<AgentContact> {
  const user_id = actor.is_office ? await getCompanyId(db) : actor.principal_id
  const after: AgentContact = { name, line_id: line_id ?? null, phone: phone ?? null }
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    const before = await findContact(tx, user_id)
    await saveContact(tx, user_id, after)
    await verifyCaller(tx, actor)
    await writeAudit(tx, {
      actor_id: actor.actor_id,
      action: 'change_contact',
      subject: `user:${user_id}`,
      ...(before ? { before } : {}),
      after,
    })
    return after
  })
}
