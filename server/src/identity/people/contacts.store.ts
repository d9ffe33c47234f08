import type { AgentContact } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'

/** The contact of an agent, if it has set one. */
export async function findContact(db: Db, user_id: number): Promise<AgentContact | undefined> {
  return db
    .selectFrom('agent_contacts')
    .select(['name', 'line_id', 'phone'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

export async function saveContact(tx: Tx, user_id: number, contact: AgentContact): Promise<void> {
  await tx
    .insertInto('agent_contacts')
    .values({ user_id, ...contact })
    .onConflict((on) => on.column('user_id').doUpdateSet(contact))
    .execute()
}
