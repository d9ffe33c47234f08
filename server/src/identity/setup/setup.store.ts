import { SETUP_LINK_HOURS } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

export interface OwnerOfHouse {
  user_id: number
  username: string
  /** The owner has not used the link yet, and so has no password. */
  is_invited: boolean
}

/** All owners. Suspended ones count, because an owner could otherwise suspend the second and invite another. */
export async function listOwners(db: Db): Promise<OwnerOfHouse[]> {
  const { rows } = await sql<OwnerOfHouse>`
    select user_id, username, must_change_password and not exists (select from sessions s where s.user_id = u.user_id) as is_invited
    from users u where office_role = 'owner' order by user_id`.execute(db)
  return rows
}

export async function hasOwner(db: Db): Promise<boolean> {
  const { rows } = await sql`select from users where office_role = 'owner' limit 1`.execute(db)
  return rows.length > 0
}

export async function findCompanyId(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from users where level = 'company' and not is_office and principal_id is null`.execute(db)
  return rows[0]?.user_id
}

export async function insertSetupLink(tx: Tx, tokenHash: Buffer): Promise<void> {
  await sql`delete from setup_links where expires_at <= clock_timestamp()`.execute(tx)
  await sql`
    insert into setup_links (token_hash, expires_at)
    values (${tokenHash}, clock_timestamp() + ${SETUP_LINK_HOURS} * interval '1 hour')`.execute(tx)
}

export async function isSetupLinkValid(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from setup_links where token_hash = ${tokenHash} and expires_at > clock_timestamp()`.execute(db)
  return rows.length > 0
}

export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}

export async function renameCompany(tx: Tx, user_id: number, display_name: string): Promise<void> {
  await tx.updateTable('users').set({ display_name }).where('user_id', '=', user_id).execute()
}
