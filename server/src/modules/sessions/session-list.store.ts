import { sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import type { SessionSettings } from './session-state.ts'

export interface SessionRow {
  session_id: number
  user_id: number
  username: string
  display_name: string
  is_office: boolean
  user_agent: string | null
  address: string | null
  started_at: Date
  last_active_at: Date
  factor_verified_at: Date | null
  ended_at: Date | null
}

interface Page {
  limit: number
  offset: number
}

const listingColumns = sql`
  s.session_id, s.user_id, u.username, u.display_name, u.is_office, s.user_agent, s.address, s.created_at as started_at,
  s.last_active_at, s.factor_verified_at, s.ended_at`

/** Live sessions of the caller and of everybody under it, for the office of everybody; the caller's own first. */
export async function listSessionsBelow(
  db: Db,
  { user_id, is_office }: Pick<Caller, 'user_id' | 'is_office'>,
  { limit, offset }: Page,
  { sessionIdleMs, consoleIdleMs, consoleLifeMs }: SessionSettings,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select ${listingColumns}
    from sessions s join users u using (user_id)
    where s.ended_at is null and (${is_office} or u.user_id = ${user_id} or u.upline_ids @> array[${user_id}::bigint])
      -- A session that is over is ended by the next call with it.
      and case when u.level = 'member' then s.last_active_at > clock_timestamp() - ${sessionIdleMs} * interval '1 ms'
        else s.last_active_at > clock_timestamp() - ${consoleIdleMs} * interval '1 ms'
          and s.created_at > clock_timestamp() - ${consoleLifeMs} * interval '1 ms' end
    order by s.user_id <> ${user_id}, s.last_active_at desc, s.session_id desc
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** All sessions of a user, the last one first. */
export async function listSessionsOf(db: Db, user_id: number, { limit, offset }: Page): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select ${listingColumns}
    from sessions s join users u using (user_id)
    where s.user_id = ${user_id}
    order by s.session_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** The user of a session, with its uplines. */
export async function findSessionOwner(
  db: Db,
  session_id: number,
): Promise<{ user_id: number; upline_ids: number[] } | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.user_id', 'sessions.user_id')
    .select(['users.user_id', 'users.upline_ids'])
    .where('session_id', '=', session_id)
    .executeTakeFirst()
}
