import type { NumberSetRow, OwnLists } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'

export interface OwnEntry {
  user_id: number
  list: keyof OwnLists
  name: string
  /** The rows of a set; null for a favourite. */
  content: NumberSetRow[] | null
}

/** The newest first. */
export async function listEntries(db: Db, user_id: number): Promise<Omit<OwnEntry, 'user_id'>[]> {
  const { rows } = await sql<Omit<OwnEntry, 'user_id'>>`
    select list, name, content from own_entries where user_id = ${user_id} order by kept_at desc, name`.execute(db)
  return rows
}

/** @returns false, with nothing written, if the list has `most` other entries */
export async function upsertEntry(db: Db, { user_id, list, name, content }: OwnEntry, most: number): Promise<boolean> {
  const { rows } = await sql`
    insert into own_entries as kept (user_id, list, name, content)
    select ${user_id}, ${list}, ${name}, ${content === null ? null : JSON.stringify(content)}::jsonb
    where (select count(*) from own_entries where user_id = ${user_id} and list = ${list} and name <> ${name}) < ${most}
    on conflict (user_id, list, name) do update set content = excluded.content, kept_at = clock_timestamp()
    returning name`.execute(db)
  return rows.length === 1
}

export async function deleteEntry(db: Db, user_id: number, list: keyof OwnLists, name: string): Promise<void> {
  await sql`delete from own_entries where user_id = ${user_id} and list = ${list} and name = ${name}`.execute(db)
}
