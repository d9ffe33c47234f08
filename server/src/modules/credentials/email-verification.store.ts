// The links with which new users verify their address: `email_links` has one row for each user who has not done so.

import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

/** Attempts to deliver a mail before it is given up, and mails to a user in all: an address that is somebody else's gets no more. */
const MAX_DELIVERIES = 5
const MAX_MAILS = 3
/** Mails to one address in a day, of all users who registered with it: nobody can be sent mails without end by registrations. */
const MAX_MAILS_A_DAY = 20
/**
 * So many of them go to those who have waited longest. Not less than `REGISTRATIONS_OF_ADDRESS_A_DAY`: then each user has its first mail
 * about a day after it registered, however many register with its address and log in after it.
 */
const MAILS_BY_TURN_A_DAY = 10
/** Passwords that may be entered for one link. */
const MAX_PASSWORDS = 5

export interface DueEmail {
  user_id: number
  username: string
  email: string
}

/** The first mail of a new user is due at once. */
export async function insertEmailLink(tx: Tx, user_id: number): Promise<void> {
  await tx.insertInto('email_links').values({ user_id }).execute()
}

/**
 * A mail to the address for which one has been due for longest. Of its users `MAILS_BY_TURN_A_DAY` have their turn: those without a mail
 * first, in the order of their registrations. The others are those who logged in last, so that the owner of an address that somebody
 * else has registered with need not wait for a turn. It is due again a little later, unless it is recorded as sent.
 */
export async function takeDueEmail(db: Db): Promise<DueEmail | undefined> {
  const { rows } = await sql<DueEmail>`
    with turns as (
      select lower(email) as address, count(*) as mails from email_links join users using (user_id)
      where mailed_at > clock_timestamp() - interval '1 day' and by_turn group by 1
    ), next as (
      select due.user_id, ranked.by_turn
      from email_links due join (
        select user_id, address, last_log_in_at, coalesce(turns.mails, 0) < ${MAILS_BY_TURN_A_DAY} as by_turn,
          min(due_at) over (partition by address) as address_due_at
        from (
          select user_id, lower(email) as address, last_log_in_at, due_at
          from email_links join users using (user_id) where due_at <= clock_timestamp()
        ) waiting left join turns using (address)
      ) ranked using (user_id)
      where due.due_at <= clock_timestamp()
      order by address_due_at, address, case when ranked.by_turn then due.mailed_at is not null end,
        case when ranked.by_turn then due.user_id end, last_log_in_at desc nulls last, due.user_id
      limit 1 for update of due skip locked
    )
    update email_links l set tries = tries + 1, by_turn = next.by_turn,
      due_at = case when tries + 1 < ${MAX_DELIVERIES} then clock_timestamp() + (tries + 1) * interval '1 minute' end
    from next join users u using (user_id)
    where u.user_id = l.user_id
    returning u.user_id, u.username, u.email`.execute(db)
  return rows[0]
}

/**
 * Where an address has had its mails of a day, this one is due when the first of them is a day old, and all others of the address that are
 * due now with it: then it is decided anew whose mail comes first.
 * @returns whether it waits
 */
export async function postponeFullAddress(db: Db, { user_id, email }: DueEmail): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with room as (
      select mailed_at + interval '1 day' as at from email_links mailed join users using (user_id)
      where lower(email) = lower(${email}) and mailed_at > clock_timestamp() - interval '1 day'
      order by mailed_at desc offset ${MAX_MAILS_A_DAY - 1} limit 1
    ), waiting as materialized (
      -- The sorted lock order prevents a deadlock of two nodes.
      select user_id from email_links link join users using (user_id)
      where lower(email) = lower(${email}) and (user_id = ${user_id} or due_at <= clock_timestamp()) and exists (select from room)
      order by user_id for update of link
    )
    update email_links l set tries = 0, due_at = room.at from room, waiting where l.user_id = waiting.user_id`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Stored before its mail is sent, so that a link that arrives can be used. */
export async function saveEmailLink(tx: Tx, user_id: number, tokenHash: Buffer): Promise<void> {
  await sql`
    update email_links set token_hash = ${tokenHash}, expires_at = clock_timestamp() + interval '3 days', passwords = 0
    where user_id = ${user_id}`.execute(tx)
}

export async function recordEmailSent(db: Db, user_id: number): Promise<void> {
  await sql`
    update email_links set due_at = null, tries = 0, mailed_at = clock_timestamp() where user_id = ${user_id}`.execute(
    db,
  )
}

/**
 * Another mail is due for those who have logged in since their link expired, or since their mail was given up, which `tries` says; up
 * to `MAX_MAILS`.
 */
export async function renewEmailLinks(db: Db): Promise<void> {
  await sql`
    update email_links l set due_at = clock_timestamp(), tries = 0, mails = mails + 1 from users u
    where u.user_id = l.user_id and l.due_at is null and l.mails < ${MAX_MAILS}
      and case when l.tries > 0 then u.last_log_in_at > coalesce(l.expires_at - interval '3 days', '-infinity')
        else l.expires_at < clock_timestamp() and u.last_log_in_at > l.expires_at end`.execute(db)
}

/** Ends the links of everybody. Whoever logs in afterwards is mailed another. @returns how many */
export async function expireEmailLinks(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update email_links set expires_at = clock_timestamp() where expires_at > clock_timestamp()`.execute(tx)
  return Number(numAffectedRows)
}

/** The user of a link. @returns undefined where it is unknown, has expired, or has taken all its passwords */
export async function findEmailUser(
  db: Db,
  tokenHash: Buffer,
): Promise<{ user_id: number; username: string } | undefined> {
  const { rows } = await sql<{ user_id: number; username: string }>`
    select user_id, username from email_links join users using (user_id)
    where token_hash = ${tokenHash} and expires_at > clock_timestamp() and passwords < ${MAX_PASSWORDS}`.execute(db)
  return rows[0]
}

/** Counts a password that is entered for a link. @returns false where the link takes no more, or has expired */
export async function countEmailPassword(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_links set passwords = passwords + 1
    where token_hash = ${tokenHash} and expires_at > clock_timestamp() and passwords < ${MAX_PASSWORDS}`.execute(db)
  return numAffectedRows === 1n
}

/** @returns false where it was verified meanwhile */
export async function verifyAddress(tx: Tx, user_id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('email_links').where('user_id', '=', user_id).executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await sql`update users set email_verified_at = clock_timestamp() where user_id = ${user_id}`.execute(tx)
  return true
}
