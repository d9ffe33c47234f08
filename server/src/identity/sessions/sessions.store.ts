import type { Maintenance } from '@megalot/contract'
import { sql } from 'kysely'
import { type Db, unquotedArray, type Tx } from '../../postgres/db.ts'
import type { SessionEndReason } from '../../postgres/tables/sessions.ts'
import { maintenanceOfEverything } from '../../changes/callers/index.ts'
import { removeEverySubscription, removeSubscriptionsOfUsers } from '../push/index.ts'

export interface BlockedSession {
  session_id: number
  end_reason: SessionEndReason | null
  /** Maintenance of the whole application; null without any. */
  maintenance: Maintenance | null
}

/** Members' sessions that have ended, or that may not call because of maintenance of the whole application. */
export async function listBlockedSessions(tx: Tx, session_ids: readonly number[]): Promise<BlockedSession[]> {
  const { rows } = await sql<BlockedSession>`
    select session_id, end_reason, maintenance
    from sessions cross join (select ${maintenanceOfEverything} as maintenance) whole
    where session_id = any(${unquotedArray(session_ids)}::bigint[]) and (ended_at is not null or maintenance is not null)`.execute(
    tx,
  )
  return rows
}

/** Ends a user's live sessions and all pushes to the user. The user's row is locked, so log-ins are serialised. */
export async function endLiveSession(tx: Tx, user_id: number, reason: SessionEndReason): Promise<void> {
  await sql`select 1 from users where user_id = ${user_id} for no key update`.execute(tx)
  await sql`
    update sessions set ended_at = clock_timestamp(), end_reason = ${reason}
    where user_id = ${user_id} and ended_at is null`.execute(tx)
  await removeSubscriptionsOfUsers(tx, [user_id])
}

/** Ends the user's session that waits for its second factor, if any. The caller has locked the user. */
export async function endAwaitingSession(tx: Tx, user_id: number, reason: SessionEndReason): Promise<void> {
  await sql`
    update sessions set ended_at = clock_timestamp(), end_reason = ${reason}
    where user_id = ${user_id} and awaits_factor and ended_at is null`.execute(tx)
}

/** Whether a user has a second factor. The caller has locked the user. */
export async function hasFactor(tx: Tx, user_id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users where user_id = ${user_id} and factor_kinds <> '{}'`.execute(tx)
  return rows.length > 0
}

/** Ends the live sessions of many users, whose rows are locked in order, and all pushes to them. */
export async function endLiveSessions(tx: Tx, user_ids: readonly number[], reason: SessionEndReason): Promise<void> {
  await sql`
    select 1 from users where user_id = any(${unquotedArray(user_ids)}::bigint[]) order by user_id for no key update`.execute(
    tx,
  )
  await sql`
    update sessions set ended_at = clock_timestamp(), end_reason = ${reason}
    where user_id = any(${unquotedArray(user_ids)}::bigint[]) and ended_at is null`.execute(tx)
  if (user_ids.length > 0) await removeSubscriptionsOfUsers(tx, user_ids)
}

/**
 * Ends all sessions and all pushes.
 * @returns how many
 */
export async function endSessionsOfAll(tx: Tx, reason: SessionEndReason): Promise<number> {
  const { numAffectedRows } = await sql`
    update sessions set ended_at = clock_timestamp(), end_reason = ${reason} where ended_at is null`.execute(tx)
  await removeEverySubscription(tx)
  return Number(numAffectedRows)
}

export async function endSession(db: Db, session_id: number, reason: SessionEndReason): Promise<void> {
  await sql`
    update sessions set ended_at = clock_timestamp(), end_reason = ${reason}
    where session_id = ${session_id} and ended_at is null`.execute(db)
}

export interface NewSession {
  user_id: number
  token_hash: Buffer
  address: string | null
  user_agent: string | null
  /** The session needs a second factor to be complete. */
  awaits_factor: boolean
  /** The browser that becomes known with the factor. */
  device_hash: Buffer | null
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

/** A new session with the origin and the factor of another one. */
export async function copySession(tx: Tx, session_id: number, token_hash: Buffer): Promise<void> {
  await sql`
    insert into sessions (user_id, token_hash, address, user_agent, factor_verified_at)
    select user_id, ${token_hash}, address, user_agent, factor_verified_at from sessions where session_id = ${session_id}`.execute(
    tx,
  )
}

interface LiveSession {
  user_id: number
  /** A second factor was verified in it. */
  is_verified: boolean
  awaits_factor: boolean
  /** The browser that becomes known with the factor. */
  device_hash: Buffer | null
}

/** A live session, locked until the transaction ends. */
export async function lockLiveSession(tx: Tx, session_id: number): Promise<LiveSession | undefined> {
  const { rows } = await sql<LiveSession>`
    select user_id, factor_verified_at is not null as is_verified, awaits_factor, device_hash from sessions
    where session_id = ${session_id} and ended_at is null for no key update`.execute(tx)
  return rows[0]
}

/**
 * Makes the session its user's live one, and ends another with the pushes to it.
 * @param token_hash the hash of a new token; omit to keep the token
 */
export async function saveFactorVerified(
  tx: Tx,
  session_id: number,
  { user_id, awaits_factor }: LiveSession,
  token_hash?: Buffer,
): Promise<void> {
  if (awaits_factor) {
    await sql`
      update sessions set ended_at = clock_timestamp(), end_reason = 'replaced'
      where user_id = ${user_id} and session_id <> ${session_id} and ended_at is null`.execute(tx)
    await removeSubscriptionsOfUsers(tx, [user_id])
  }
  await sql`
    update sessions set factor_verified_at = clock_timestamp(), awaits_factor = false, token_hash = coalesce(${token_hash ?? null}::bytea, token_hash)
    where session_id = ${session_id}`.execute(tx)
}

export interface SessionActivity {
  session_id: number
  /** How long ago the user was active, in ms. */
  active_ms_ago: number
}

/** Records activity. Rows are locked in order, because other nodes do the same, which prevents deadlocks. */
export async function touchSessions(db: Db, activities: readonly SessionActivity[]): Promise<void> {
  const session_ids = activities.map(({ session_id }) => session_id)
  const times_ms = activities.map(({ active_ms_ago }) => active_ms_ago)
  await sql`
    with locked as materialized (
      select session_id from sessions where session_id = any(${session_ids}::bigint[])
      order by session_id for no key update)
    update sessions s
    set last_active_at = greatest(s.last_active_at, clock_timestamp() - given.active_ms_ago * interval '1 ms')
    from locked join unnest(${session_ids}::bigint[], ${times_ms}::float8[]) as given (session_id, active_ms_ago) using (session_id)
    where s.session_id = locked.session_id`.execute(db)
}
