import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

export interface RecoveryRequest {
  recovery_request_id: number
  email: string
}

/** Delivery attempts of a mail before its request is given up. */
const MAX_DELIVERIES = 5

export async function insertRequest(db: Db, email: string): Promise<void> {
  await sql`insert into recovery_requests (email) values (${email})`.execute(db)
}

/** The oldest open request, locked until the transaction ends. After a failed attempt it waits a little. */
export async function lockDueRequest(tx: Tx): Promise<RecoveryRequest | undefined> {
  const { rows } = await sql<RecoveryRequest>`
    select recovery_request_id, email from recovery_requests
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
}

/**
 * The accounts of an address that have had fewer mails than `limit` in the last hour, the oldest first. Mails are counted,
 * not requests: others can make those, too. Office users have no recovery by mail: two people reset their password.
 */
export async function listUsersToMail(db: Db, email: string, limit: number): Promise<UserToMail[]> {
  const { rows } = await sql<UserToMail>`
    select user_id, username from users
    where lower(email) = lower(${email}) and not is_office
      and (select count(*) from recovery_links l
        where l.user_id = users.user_id and mailed_at > clock_timestamp() - interval '1 hour') < ${limit}
    order by user_id`.execute(db)
  return rows
}

export async function recordMail(db: Db, tokenHashes: readonly Buffer[]): Promise<void> {
  await sql`update recovery_links set mailed_at = clock_timestamp() where token_hash = any(${tokenHashes})`.execute(db)
}

export async function insertLink(tx: Tx, user_id: number, tokenHash: Buffer): Promise<void> {
  await sql`
    insert into recovery_links (token_hash, user_id, expires_at)
    values (${tokenHash}, ${user_id}, clock_timestamp() + interval '30 minutes')`.execute(tx)
}

/**
 * Uses up a link, and all others of its user. @returns the user, or undefined where the link is used, expired or
 * unknown
 */
export async function takeLink(tx: Tx, tokenHash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    update recovery_links set used_at = clock_timestamp()
    where token_hash = ${tokenHash} and used_at is null and expires_at > clock_timestamp()
    returning user_id`.execute(tx)
  const user_id = rows[0]?.user_id
  if (user_id !== undefined)
    await sql`update recovery_links set used_at = clock_timestamp() where user_id = ${user_id} and used_at is null`.execute(
      tx,
    )
  return user_id
}

export async function removeOld(db: Db): Promise<void> {
  await sql`delete from recovery_requests where requested_at < clock_timestamp() - interval '1 day'`.execute(db)
  await sql`delete from recovery_links where expires_at < clock_timestamp() - interval '30 days'`.execute(db)
}
