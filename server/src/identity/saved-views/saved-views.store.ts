import type { SavedView } from '@megalot/contract'
import { sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'

interface ViewKey {
  page: string
  name: string
}

export interface SavedSearch extends ViewKey {
  search: string
}

/** Of the office, the office sees shared views; of an agent, the agent and its assistants. */
export async function readViews(
  db: Db,
  { actor_id, principal_id, is_office }: Scope & { actor_id: number },
  page: string,
): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select name, search, is_shared, case when v.user_id <> ${actor_id} then u.username end as shared_by
    from saved_views v join users u using (user_id)
    where page = ${page} and (v.user_id = ${actor_id} or is_shared and u.is_office = ${is_office}
      and (u.is_office or coalesce(u.principal_id, u.user_id) = ${principal_id}))
    order by v.user_id <> ${actor_id}, name, v.user_id limit 200`.execute(db)
  return rows
}

export async function findView(
  db: Db,
  user_id: number,
  { page, name }: ViewKey,
): Promise<{ search: string; is_shared: boolean } | undefined> {
  return db
    .selectFrom('saved_views')
    .select(['search', 'is_shared'])
    .where('user_id', '=', user_id)
    .where('page', '=', page)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** @returns false, with nothing written, if the user has `most` other views */
export async function upsertView(
  db: Db,
  user_id: number,
  { page, name, search }: SavedSearch,
  is_shared: boolean,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into saved_views (user_id, page, name, search, is_shared)
    select ${user_id}, ${page}, ${name}, ${search}, ${is_shared}
    where (select count(*) from saved_views where user_id = ${user_id} and (page, name) <> (${page}, ${name})) < ${most}
    on conflict (user_id, page, name) do update
      set search = excluded.search, is_shared = excluded.is_shared, saved_at = clock_timestamp()
    returning name`.execute(db)
  return rows.length === 1
}

export async function deleteView(db: Db, user_id: number, { page, name }: ViewKey): Promise<void> {
  await db
    .deleteFrom('saved_views')
    .where('user_id', '=', user_id)
    .where('page', '=', page)
    .where('name', '=', name)
    .execute()
}
