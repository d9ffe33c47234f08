import { sql } from 'kysely'
import type { AgentContact, ContactNote } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'

/** The contact of an agent, if it has set one. */
export async function findContact(db: Db, user_id: number): Promise<AgentContact | undefined> {
  return db
    .selectFrom('agent_contacts')
    .select(['name', 'line_id', 'phone'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** What uplines keep about a user; the phone number it registered with where they keep none. */
export async function findContactNote(db: Db, user_id: number): Promise<ContactNote> {
  const { rows } = await sql<ContactNote>`
    select coalesce(kept.phone, users.phone) as phone, kept.line_id, coalesce(kept.note, '') as note,
      coalesce(kept.tags, '{}') as tags
    from users left join contact_notes kept using (user_id) where user_id = ${user_id}`.execute(db)
  return rows[0]!
}

export async function saveContactNote(tx: Tx, user_id: number, note: ContactNote): Promise<void> {
  await tx
    .insertInto('contact_notes')
    .values({ user_id, ...note })
    .onConflict((on) => on.column('user_id').doUpdateSet(note))
    .execute()
}

export async function saveContact(tx: Tx, user_id: number, contact: AgentContact): Promise<void> {
  await tx
    .insertInto('agent_contacts')
    .values({ user_id, ...contact })
    .onConflict((on) => on.column('user_id').doUpdateSet(contact))
    .execute()
}
