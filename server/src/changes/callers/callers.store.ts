// Reads the users of sessions, and of log-ins on the command line.

import type { Area, FactorKind, Maintenance, OfficeRole, UserLevel, UserStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import type { SessionEndReason } from '../../postgres/tables/sessions.ts'
import { maintenanceOfEverything } from './maintenance-expressions.ts'

/** The user of a call. */
export interface ActorRecord {
  actor_id: number
  /** The user for whom the actor acts. */
  principal_id: number
  username: string
  level: UserLevel
  is_office: boolean
  /** The principal's. */
  office_role: OfficeRole | null
  assistant_areas: Area[] | null
  status: UserStatus
  factor_kinds: FactorKind[]
  must_change_password: boolean
}

export interface SessionRecord extends ActorRecord {
  session_id: number
  end_reason: SessionEndReason | null
  /** Maintenance of the whole application; null without any. */
  maintenance: Maintenance | null
  /** Time since the last recorded activity, in ms. */
  recorded_idle_ms: number
  /** Time since the session was opened, in ms. */
  age_ms: number
  /** Time since a second factor was verified, in ms; null if never. */
  factor_age_ms: number | null
  /** The session needs a second factor to be complete. */
  awaits_factor: boolean
}

export interface SignedInRecord extends ActorRecord {
  is_password_expired: boolean
}

const actorColumns = sql`
  u.user_id as actor_id, coalesce(u.principal_id, u.user_id) as principal_id, u.username, u.level, u.is_office,
  coalesce(u.office_role, p.office_role) as office_role, u.assistant_areas, u.status_in_force as status, u.factor_kinds,
  u.must_change_password`

const sessionColumns = sql`
  ${actorColumns}, s.session_id, s.end_reason, ${maintenanceOfEverything} as maintenance,
  (extract(epoch from clock_timestamp() - s.last_active_at) * 1000)::float8 as recorded_idle_ms,
  (extract(epoch from clock_timestamp() - s.created_at) * 1000)::float8 as age_ms,
  (extract(epoch from clock_timestamp() - s.factor_verified_at) * 1000)::float8 as factor_age_ms,
  s.awaits_factor`

/** A session's user, and an assistant's principal. */
const usersOfSessions = sql`users u on u.user_id = s.user_id left join users p on p.user_id = u.principal_id`

/** Sessions by the hash of their token, in hexadecimal. */
export async function findSessions(db: Db, tokenHashes: readonly Buffer[]): Promise<Map<string, SessionRecord>> {
  const { rows } = await sql<SessionRecord & { hash: string }>`
    select encode(s.token_hash, 'hex') as hash, ${sessionColumns}
    from unnest(${tokenHashes}::bytea[]) as given (token_hash)
      join sessions s on s.token_hash = given.token_hash join ${usersOfSessions}`.execute(db)
  return new Map(rows.map(({ hash, ...record }) => [hash, record]))
}

export async function listSessions(db: Db, session_ids: readonly number[]): Promise<SessionRecord[]> {
  const { rows } = await sql<SessionRecord>`
    select ${sessionColumns} from sessions s join ${usersOfSessions}
    where s.session_id = any(${session_ids}::bigint[])`.execute(db)
  return rows
}

/** A user who still has this password. */
export async function findSignedIn(
  db: Db,
  { user_id, password_hash }: { user_id: number; password_hash: string },
): Promise<SignedInRecord | undefined> {
  const { rows } = await sql<SignedInRecord>`
    select ${actorColumns}, coalesce(u.password_expires_at <= clock_timestamp(), false) as is_password_expired
    from users u left join users p on p.user_id = u.principal_id
    where u.user_id = ${user_id} and u.password_hash = ${password_hash}`.execute(db)
  return rows[0]
}
