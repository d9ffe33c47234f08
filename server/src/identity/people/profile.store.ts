import type { PersonProfile } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'

/** Users by id, in this order. */
export async function listUplines(db: Db, user_ids: readonly number[]): Promise<PersonProfile['uplines']> {
  const { rows } = await sql<PersonProfile['uplines'][number]>`
    select user_id, username, level from unnest(${user_ids}::bigint[]) with ordinality as upline (user_id, place)
      join users using (user_id) order by place`.execute(db)
  return rows
}

export interface SessionRow {
  created_at: Date
  last_active_at: Date
  ended_at: Date | null
  end_reason: string | null
}

/** The last sessions of a user, newest first. */
export async function listSessionsOf(db: Db, user_id: number, limit: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select created_at, last_active_at, ended_at, end_reason from sessions
    where user_id = ${user_id} order by session_id desc limit ${limit}`.execute(db)
  return rows
}
