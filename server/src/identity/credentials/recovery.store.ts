import type { UserLevel } from '@megalot/contract'
import { sql } from 'kysely'
import type { Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'

export interface RecoveryRequest {
  recovery_request_id: number
  /** A mail address or a username. */
  identifier: string
}

/** A request to the parent is shown for three days. */
const isOpenRequest = sql`requested_at > clock_timestamp() - interval '3 days'`

/** Delivery attempts of a mail before its request is given up. */
const MAX_DELIVERIES = 5

/** An address or a name has one open request; one that was given up starts again. */
export async function insertRequest(db: Db, identifier: string): Promise<void> {
  await sql`
    insert into recovery_requests as open (identifier) values (${identifier})
    on conflict (lower(identifier)) where done_at is null
      do update set tries = 0, requested_at = clock_timestamp() where open.tries >= ${MAX_DELIVERIES}`.execute(db)
}

/** The oldest open request, locked until the transaction ends. After a failed attempt it waits a little. */
export async function lockDueRequest(tx: Tx): Promise<RecoveryRequest | undefined> {
  const { rows } = await sql<RecoveryRequest>`
    select recovery_request_id, identifier from recovery_requests
    where done_at is null and tries < ${MAX_DELIVERIES}
      and requested_at + tries * interval '1 minute' <= clock_timestamp()
    order by requested_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

export async function recordDelivery(tx: Tx, recovery_request_id: number): Promise<void> {
  await sql`update recovery_requests set tries = tries + 1 where recovery_request_id = ${recovery_request_id}`.execute(
    tx,
  )
}

export async function finishRequest(db: Db, recovery_request_id: number): Promise<void> {
  await sql`
    update recovery_requests set done_at = clock_timestamp() where recovery_request_id = ${recovery_request_id}`.execute(
    db,
  )
}

export interface UserToMail {
  user_id: number
  username: string
  email: string
}

/**
 * Members with this verified address, the oldest first. Accounts that someone else registers with it are unverified.
 * Only members recover by mail: for a user with assistants another user sets the new password and suspends them.
 */
export async function listUsersToMail(db: Db, email: string): Promise<UserToMail[]> {
  const { rows } = await sql<UserToMail>`
    select user_id, username, email from users
    where lower(email) = lower(${email}) and level = 'member'
    order by user_id`.execute(db)
  return rows
}

/** Whether a user was mailed a link within the last minutes that it has not used. */
export async function hasFreshLink(tx: Tx, user_id: number, minutes: number): Promise<boolean> {
  const { rows } = await sql`
    select from recovery_links
    where user_id = ${user_id} and used_at is null and mailed_at > clock_timestamp() - ${minutes} * interval '1 minute'
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Deletes a link whose mail could not be delivered. */
export async function deleteLink(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`delete from recovery_links where token_hash = ${tokenHash}`.execute(db)
}

/** @returns when the link expires */
export async function insertLink(tx: Tx, user_id: number, tokenHash: Buffer, minutes: number): Promise<Date> {
  const { rows } = await sql<{ expires_at: Date }>`
    insert into recovery_links (token_hash, user_id, expires_at)
    values (${tokenHash}, ${user_id}, clock_timestamp() + ${minutes} * interval '1 minute')
    returning expires_at`.execute(tx)
  return rows[0]!.expires_at
}

/** The user of a valid link. */
export async function findLink(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from recovery_links
    where token_hash = ${tokenHash} and used_at is null and expires_at > clock_timestamp()`.execute(db)
  return rows[0]?.user_id
}

/**
 * Uses up a link, and all others of its user.
 * @returns the user; undefined if the link is used, expired or unknown
 */
export async function takeLink(tx: Tx, tokenHash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    update recovery_links set used_at = clock_timestamp()
    where token_hash = ${tokenHash} and used_at is null and expires_at > clock_timestamp()
    returning user_id`.execute(tx)
  const user_id = rows[0]?.user_id
  if (user_id !== undefined) await endRecoveriesOf(tx, user_id)
  return user_id
}

/** Uses up a user's links, and removes its request to its parent. */
export async function endRecoveriesOf(tx: Tx, user_id: number): Promise<void> {
  await takeLinksOf(tx, user_id)
  await tx.deleteFrom('password_requests').where('user_id', '=', user_id).execute()
}

/** Uses up a user's links. */
export async function takeLinksOf(tx: Tx, user_id: number): Promise<void> {
  await sql`update recovery_links set used_at = clock_timestamp() where user_id = ${user_id} and used_at is null`.execute(
    tx,
  )
}

export async function removeOld(db: Db): Promise<void> {
  await sql`delete from recovery_requests where requested_at < clock_timestamp() - interval '1 day'`.execute(db)
  await sql`delete from recovery_links where expires_at < clock_timestamp() - interval '30 days'`.execute(db)
  await sql`delete from password_requests where not ${isOpenRequest}`.execute(db)
  await sql`delete from email_notices where due_at is null`.execute(db)
}

/**
 * Uses up all links.
 * @returns how many
 */
export async function takeEveryLink(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update recovery_links set used_at = clock_timestamp() where used_at is null and expires_at > clock_timestamp()`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

/**
 * Records that a user of the hierarchy asks its parent for a new password.
 * @returns whether it had not asked yet
 */
export async function insertPasswordRequest(tx: Tx, user_id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into password_requests as open (user_id) values (${user_id})
    on conflict (user_id) do update set requested_at = clock_timestamp()
      where open.requested_at <= clock_timestamp() - interval '3 days'
        or exists (select 1 from users where user_id = open.user_id and last_log_in_at >= open.requested_at)`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

export interface PasswordRequestRow {
  user_id: number
  username: string
  display_name: string
  level: UserLevel
  requested_at: Date
}

/**
 * The direct downlines of a principal (the company's, for the office) who asked and have not logged in since. Newest
 * first, so that many forged requests do not hide later ones.
 */
export async function listPasswordRequests(
  db: Db,
  { principal_id, is_office }: Pick<Scope, 'principal_id' | 'is_office'>,
  limit: number,
): Promise<PasswordRequestRow[]> {
  const parent = is_office
    ? sql`(select user_id from users where level = 'company' and not is_office and principal_id is null)`
    : sql`${principal_id}`
  const { rows } = await sql<PasswordRequestRow>`
    select u.user_id, u.username, u.display_name, u.level, requested_at
    from password_requests join users u using (user_id)
    where u.parent_id = ${parent} and ${isOpenRequest} and coalesce(u.last_log_in_at < requested_at, true)
    order by requested_at desc, user_id limit ${limit}`.execute(db)
  return rows
}
