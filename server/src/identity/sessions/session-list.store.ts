import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import type { SessionSettings } from '../../http/caller.ts'

export interface SessionRow {
  session_id: number
  user_id: number
  username: string
  display_name: string
  user_agent: string | null
  address: string | null
  started_at: Date
  last_active_at: Date
  factor_verified_at: Date | null
  ended_at: Date | null
}

export interface Page {
  limit: number
  offset: number
}

const listingColumns = sql`
  s.session_id, s.user_id, u.username, u.display_name, s.user_agent, s.address, s.created_at as started_at,
  s.last_active_at, s.factor_verified_at, s.ended_at`

/** An expired session is ended by its next call; until then it is not listed as live. */
function isLive(settings: SessionSettings): RawBuilder<unknown> {
  const { sessionIdleMs, sessionLifeMs, consoleIdleMs, consoleLifeMs } = settings
  return sql`s.ended_at is null
    and case when u.level = 'member' then s.last_active_at > clock_timestamp() - ${sessionIdleMs} * interval '1 ms'
        and s.created_at > clock_timestamp() - ${sessionLifeMs} * interval '1 ms'
      else s.last_active_at > clock_timestamp() - ${consoleIdleMs} * interval '1 ms'
        and s.created_at > clock_timestamp() - ${consoleLifeMs} * interval '1 ms' end`
}

async function select(
  db: Db,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page: Page,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select ${listingColumns} from sessions s join users u using (user_id)
    where ${where} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

const byActivity = sql`s.last_active_at desc, s.session_id desc`

/** Live sessions of all users below a principal; for the office, of all users except staff. */
export function listSessionsOfDownline(
  db: Db,
  { principal_id, is_office }: Scope,
  page: Page,
  settings: SessionSettings,
): Promise<SessionRow[]> {
  const line = is_office ? sql`true` : sql`u.upline_ids @> array[${principal_id}::bigint]`
  const where = sql`${isLive(settings)} and ${line} and not u.is_office and u.principal_id is null`
  return select(db, where, byActivity, page)
}

/** Live sessions of a principal's assistants; for the office, of all office users and their assistants. */
export function listSessionsOfStaff(
  db: Db,
  { principal_id, is_office }: Scope,
  page: Page,
  settings: SessionSettings,
): Promise<SessionRow[]> {
  const staff = is_office ? sql`u.is_office` : sql`u.principal_id = ${principal_id}`
  return select(db, sql`${isLive(settings)} and ${staff}`, byActivity, page)
}

/** All sessions of a user, newest first. */
export function listSessionsOfUser(db: Db, user_id: number, page: Page): Promise<SessionRow[]> {
  return select(db, sql`s.user_id = ${user_id}`, sql`s.session_id desc`, page)
}
